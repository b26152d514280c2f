// Loops that fill tiles of shared memory from global memory, wait, and compute: what prefetch works on.
#pragma once

#include <map>
#include <set>

#include "affine/KernelModel.h"
#include "ir/SourceOrder.h"
#include "passes/edit/Names.h"
#include "passes/recipe/Refusal.h"

namespace hone::passes {

// for (…) { fill; barrier; compute; barrier } or for (…) { barrier; fill; barrier; compute }.
struct FillLoop {
  ir::StmtPtr loop;
  ir::StmtList fill;     // the statements before the barrier after them, a leading barrier left out
  ir::StmtList compute;  // what follows that barrier, a barrier at the very end left out
  ir::StmtPtr barrier;   // between them
  ir::StmtPtr atStart,
      atEnd;  // that keep an iteration from the next fill, at the start or at the end; null: none there
  std::vector<const ir::Stmt*>
      loads;  // assignments of the fill to tiles whose values come from global memory
  ir::OrderedVariables tiles;
  std::set<affine::ArrayId> arrays;  // of the model, that are loaded
  // What each variable that the loop's header changes begins with, and becomes in the next iteration.
  std::vector<std::pair<ir::VarPtr, ir::ExprPtr>> first, next;
  // Loops inside the fill: how many iterations at most, and whether every thread has that many.
  struct Inner {
    int64_t iterations = 0;
    bool isExact = false;
    ir::VarPtr var;
    ir::ExprPtr begin, end;
    int64_t step = 1;
  };
  std::map<const ir::Stmt*, Inner> inner;
};

// The loops of a kernel that have this form, innermost ones first. Refuses where there is none, and says what
// kept the first candidate from it.
Result<std::vector<FillLoop>> fillLoops(const affine::KernelModel& model);

}  // namespace hone::passes
