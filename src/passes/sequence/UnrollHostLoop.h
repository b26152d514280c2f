// Before: a loop of the host launches the kernel once in every iteration. After: one call launches it for
// several iterations, where so many are due, and the loop goes on behind them.
#pragma once

#include "passes/recipe/Registry.h"

namespace hone::passes {

PassResult unrollHostLoop(const ir::PlanPtr& plan, const PassCall& call, PassContext& context);

}  // namespace hone::passes
