// A plan is what one launch of the original kernel becomes. At first it is one step: the original launch.
// Expressions in a plan may use the original kernel's parameters (VarRef) and its launch: Coord GridDim and
// BlockDim are those of the original launch.
#pragma once

#include "ir/Kernel.h"

namespace hone::ir {

struct Plan;
using PlanPtr = std::shared_ptr<const Plan>;

struct LaunchStep {
  KernelPtr kernel;
  std::array<ExprPtr, 3> grid, block;
  ExprPtr sharedBytes;        // dynamic shared memory; null: that of the original launch
  std::vector<ExprPtr> args;  // of the kernel, over the original's parameters and the plan's buffers
  bool cooperative = false;
  // By axis: further blocks at the end of the grid would touch no memory, so a pass may round the grid up.
  std::array<bool, 3> mayOvershoot{};
};
struct BufferStep {
  VarPtr buffer;
  ExprPtr count;
};  // a temporary of count elements, freed when the plan ends
struct ChoiceStep {
  ExprPtr cond;
  PlanPtr then, otherwise;
};
// for (var = begin; cond; var = next) body: var, of an integer type, may be used in the condition, in `next`
// and in the body's expressions.
struct LoopStep {
  VarPtr var;
  ExprPtr begin, cond, next;
  PlanPtr body;
};
using Step = std::variant<LaunchStep, BufferStep, ChoiceStep, LoopStep>;

// Where the launch stands in a loop of the host (HostIteration.h), a plan may do several iterations of it.
// `iterations` says how many the steps stand for, in choices and loops below them too; 0: as many as the plan
// around it says, at the top one. The launch function returns the counter of the last iteration that was
// done, so that the host's loop goes on behind it. Expressions of such a plan may also use
// HostIteration::others.
struct Plan {
  KernelPtr original;
  std::vector<Step> steps;
  unsigned iterations = 0;
};

// The launch as the original makes it.
PlanPtr originalPlan(KernelPtr kernel);

}  // namespace hone::ir
