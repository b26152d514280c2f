// A row that one thread walks alone: loops over it one after the other, and what stands between them. Decides
// whether several threads may walk it together: each loop's iterations are dealt out alike, iteration r to
// the thread whose number is r modulo theirs, and all else is done by all of them, or by the first.
#pragma once

#include <map>

#include "passes/host/AliasGuard.h"
#include "passes/recipe/Pass.h"
#include "passes/reduce/SplitIterations.h"

namespace hone::passes {

// What is done between two points at which the threads of a row may wait for each other.
struct RowWork {
  enum class By : uint8_t { Dealt, All, First } by = By::All;
  affine::LoopId loop;  // Dealt
  std::vector<affine::AccessId> accesses;
};

bool holdsLoop(const ir::StmtPtr& s);

class RowLoops {
 public:
  // `model` is that of the launch's kernel and outlives this; `ways`: iterations from one of a thread to its
  // next.
  RowLoops(const ir::LaunchStep& launch, const affine::KernelModel& model, const PassContext& context,
           int64_t ways);

  // Refuses where they must be walked by one.
  Obstacle decide();

  // How a loop is dealt out; null: it is not.
  const ReductionKernel* dealt(const ir::StmtPtr& loop) const;
  bool holdsDealt(const ir::StmtPtr& s) const;
  // In the order of the source.
  const std::vector<const ReductionKernel*>& loops() const { return order; }
  // The first accumulator of all loops whose bits depend on the order; null: none.
  const ReductionKernel* inexact() const;
  // What the threads of a row have to ask before a dealt loop, which one of them walks alone where it does
  // not hold; null: nothing.
  ir::ExprPtr testOf(const ir::StmtPtr& loop) const;
  bool hasTests() const { return !rowTests.empty(); }
  // What must hold before the launch; null: nothing.
  const ir::ExprPtr& condition() const { return tests; }

  // What a statement does, nested ones included.
  RowWork workOf(const ir::StmtPtr& s, RowWork::By by) const;
  // What the condition of an if reads.
  RowWork conditionOf(const ir::StmtPtr& choice) const;
  // Whether threads that have done the first must wait for each other before they do the second.
  bool mustWait(const RowWork& first, const RowWork& second) const;

 private:
  const ir::LaunchStep& launch;
  const affine::KernelModel& model;
  int64_t ways;
  AliasGuard apart;
  analysis::KnownApart known;
  std::set<std::pair<affine::ArrayId, affine::ArrayId>> areApart;  // as far as it was asked
  std::map<const ir::Stmt*, ir::ExprPtr> rowTests;                 // by loop
  std::map<const ir::Stmt*, ReductionKernel> byLoop;
  std::vector<const ReductionKernel*> order;
  std::set<unsigned> needed;  // requirements of the model
  ir::ExprPtr tests;

  Obstacle visit(const ir::StmtPtr& list, bool isFollowed);
  Obstacle visitLoop(const ir::StmtPtr& loop, const ir::StmtList& before);
  Obstacle visitOther(const ir::StmtPtr& s, bool isFollowed) const;
  // Iterations of a loop touch nothing that another one of the same thread stores.
  Obstacle meets(const ReductionLoop& loop);
  Obstacle meets(const ReductionLoop& loop, affine::AccessId first, affine::AccessId second);
  // By a test before the launch, or else before the loop.
  Obstacle setApart(const ReductionLoop& loop, affine::AccessId first, affine::AccessId second);
  // Whether two accesses of dealt loops touch the same memory in iterations of the same number alone.
  bool meetInSameIteration(const affine::Access& a, affine::LoopId ofA, const affine::Access& b,
                           affine::LoopId ofB) const;
  bool isOwn(const affine::Access& a) const;
};

}  // namespace hone::passes
