// Loops whose iterations may be done in any order: all they carry from iteration to iteration are sums,
// products, extrema and bit masks.
#pragma once

#include "affine/KernelModel.h"
#include "ir/Handles.h"
#include "passes/recipe/Refusal.h"

namespace hone::passes {

enum class Combine : uint8_t { Add, Mul, And, Or, Xor, Min, Max };
const char* str(Combine how);  // "sum", "product", …

struct Accumulator {
  ir::VarPtr var;  // a number, a vector, or an array of the thread's own
  Combine how = Combine::Add;
  bool isExact = false;                 // any order gives the same bits
  const ir::Intrinsic* call = nullptr;  // Min, Max: by this function; null: by comparison
  ir::VarPtr where =
      nullptr;              // Min, Max: in which iteration, the first of equal ones; null: that is not kept
  bool whereFalls = false;  // from iteration to iteration
};

struct ReductionLoop {
  ir::StmtPtr loop;
  ir::VarPtr outer;  // the variable that was declared before it; null: it declares its own
  std::string handle;
  affine::LoopId index;  // among the model's loops
  ir::For
      node;  // the loop with a variable of its own, where that is declared before it but used nowhere else
  ir::Counted count;  // of the node
  std::vector<Accumulator> sums;
  std::vector<affine::ArrayId> tiles;  // arrays in shared memory that every iteration fills anew
  // The first accumulator whose bits depend on the order; null: none.
  const Accumulator* inexact() const;
};

// `model` is that of the kernel with this body; `loop` counts the model's loops. Refuses where its iterations
// must stay in order.
Result<ReductionLoop> reductionLoop(const affine::KernelModel& model, affine::LoopId loop);
// The same of a loop that may also keep in which iteration an extremum was, for who deals its iterations out
// in their order.
Result<ReductionLoop> loopWithPlaces(const affine::KernelModel& model, affine::LoopId loop);
// The same of one that may also store, or only stores, to memory that is not the thread's own; whether its
// iterations meet there is not asked.
Result<ReductionLoop> loopWithStores(const affine::KernelModel& model, affine::LoopId loop);
// The sums that were found in a loop, whatever else it carries from iteration to iteration.
std::vector<Accumulator> sumsIn(const affine::KernelModel& model, affine::LoopId loop);

// The body without the declaration of a variable that is named nowhere else.
ir::StmtPtr withoutUnused(const ir::StmtPtr& body, const ir::VarPtr& var);

// The value that leaves every other one as it is; null where the type has none.
ir::ExprPtr neutralValue(const Accumulator& sum, const ir::TypePtr& type);
// Two partial results in one, of the type given.
ir::ExprPtr combined(const Accumulator& sum, const ir::ExprPtr& a, const ir::ExprPtr& b);
// Partial results of a sum that keeps its place.
struct PlacedPart {
  ir::ExprPtr value, where;
};
// Whether the second is to be taken for the first.
ir::ExprPtr comesBefore(const Accumulator& sum, const PlacedPart& other, const PlacedPart& mine);

// What is added to the variable each iteration, where that is a number.
std::optional<int64_t> signedStep(const ir::Counted& count);
// Whether it counts upwards by a step known at run time, should that be greater than 0.
bool risesByStep(const ir::Counted& count);
// How often a loop whose step is a number, or that rises by its step, runs, as an expression (below zero
// means not at all); null when it cannot be written without wrapping. Its type is that of the loop's end or
// wider.
ir::ExprPtr iterationsOf(const affine::KernelModel& model, const ReductionLoop& loop);
// The variable's value in an iteration that is given by its number.
ir::ExprPtr valueOfIteration(const ir::Counted& count, const ir::ExprPtr& iteration);

}  // namespace hone::passes
