// A plan is what one launch of the original kernel becomes. At first it is one step: the original launch.
// Expressions in a plan may use the original kernel's parameters (VarRef) and its launch: Coord GridDim and BlockDim are
// those of the original launch.
#pragma once

#include "ir/Kernel.h"

namespace hone::ir {

struct Plan;
using PlanPtr = std::shared_ptr<const Plan>;

struct LaunchStep {
  KernelPtr kernel;
  std::array<ExprPtr, 3> grid, block;
  ExprPtr sharedBytes;          // dynamic shared memory; null: that of the original launch
  std::vector<ExprPtr> args;    // of the kernel, over the original's parameters and the plan's buffers
  bool cooperative = false;
};
struct BufferStep { VarPtr buffer; ExprPtr count; };  // a temporary of count elements, freed when the plan ends
struct ChoiceStep { ExprPtr cond; PlanPtr then, otherwise; };
using Step = std::variant<LaunchStep, BufferStep, ChoiceStep>;

struct Plan {
  KernelPtr original;
  std::vector<Step> steps;
};

PlanPtr originalPlan(KernelPtr kernel);

}  // namespace hone::ir
