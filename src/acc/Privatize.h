// Which variables the iterations of a parallel loop have for themselves: counters, what private and reduction
// clauses name, and what each iteration gives a value before it reads it.
#pragma once

#include "acc/LoopCount.h"
#include "acc/WorkRegion.h"

namespace hone::acc {

/// Variables from outside of a loop that its iterations assign and that no clause names.
struct AssignedInside {
  std::vector<ir::VarPtr> own;  ///< given a value before each is read, and not wanted behind the loop
  /// Likewise, and the last iteration's value is wanted. `loops`: those inside of which alone give it a value
  /// (loopsThatAssign); none where each iteration does.
  struct Last {
    ir::VarPtr var;
    ir::StmtList loops;
  };
  std::vector<Last> last;
  std::vector<ir::VarPtr> shared;
};
AssignedInside assignedInside(const WorkRegion& work, const ir::StmtPtr& loop, const LoopPlan& plan);

/// The loop with copies of what its iterations have for themselves, declared in its body.
ir::StmtPtr withOwnVariables(WorkRegion& work, const ir::StmtPtr& loop);

/// All loops of a region, outer ones first. `reductions`: copies that stand for reductions around the whole.
void giveOwnVariables(WorkRegion& work, const std::vector<LoopReduction>& reductions);

}  // namespace hone::acc
