// How the iterations of a loop become threads.
#pragma once

#include "passes/recipe/Pass.h"
#include "passes/reduce/ReductionLoop.h"
#include "passes/spread/IterationIds.h"
#include "passes/spread/SpreadLoop.h"

namespace hone::passes {

enum class SpreadKind : uint8_t {
  GridStride,   // i = id; i < n; i += threads of the grid: a thread for each i
  BlockStride,  // i = threadIdx; i < n; i += blockDim: the same, and blocks become rows of the grid
  Digits,       // the iteration is a digit of a flat id that the kernel makes (IterationIds.h)
  OwnAxis,      // along an axis that the kernel does not use
  InFront       // along x; what was along x and y is along y and z then
};

struct SpreadForm {
  SpreadKind kind = SpreadKind::OwnAxis;
  unsigned axis = 0;
  ReductionLoop loop;
  ir::ExprPtr count;  // on the host, 64 bits wide: iterations, or numbers that threads step over
  std::optional<int64_t> iterations;  // the same where it is a number
  IterationPlace place;               // Digits
  bool countsByCondition = true;  // OwnAxis, InFront: the loop's condition may be asked of a thread too many
  ir::ExprPtr condition;          // before the launch
  std::set<unsigned> requirements;  // of the model
};

// `model` is that of the launch's kernel; `isFree`: it knows the ids of its threads alone, and the model's
// block need not be the launch's.
struct SpreadQuestion {
  const ir::LaunchStep& launch;
  const affine::KernelModel& model;
  bool isFree;
  const SpreadOptions& options;
};
Result<SpreadForm> spreadForm(const SpreadQuestion& asked, affine::LoopId loop);

// Whether a loop is stepped through by the threads of a block, whatever their number: nothing else depends on
// it.
bool isSteppedByBlock(const ir::Kernel& kernel, const ir::Counted& count);

// What a variable that is declared once stands for; else the expression as it is, without conversions of ids.
ir::ExprPtr resolved(const ir::Kernel& kernel, const ir::ExprPtr& e);

// The flat id of a thread along an axis.
ir::ExprPtr flatIdOf(const ir::Kernel& kernel, unsigned axis);

}  // namespace hone::passes
