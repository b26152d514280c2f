#include "ir/Plan.h"

namespace hone::ir {

PlanPtr originalPlan(KernelPtr kernel) {
  LaunchStep launch;
  for (unsigned axis = 0; axis < 3; ++axis) {
    launch.grid[axis] = coord(CoordKind::GridDim, axis);
    launch.block[axis] = coord(CoordKind::BlockDim, axis);
  }
  for (const VarPtr& param : kernel->params) launch.args.push_back(ref(param));
  launch.kernel = kernel;
  auto plan = std::make_shared<Plan>();
  plan->original = std::move(kernel);
  plan->steps.emplace_back(std::move(launch));
  return plan;
}

}  // namespace hone::ir
