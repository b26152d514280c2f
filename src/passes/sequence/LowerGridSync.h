// Before: one kernel whose threads wait for the whole grid. After: a launch for each part between such
// barriers, in a loop of launches where the kernel had a loop around one; or the same kernel, launched
// cooperatively.
#pragma once

#include "passes/recipe/Registry.h"

namespace hone::passes {

PassResult lowerGridSync(const ir::PlanPtr& plan, const PassCall& call, PassContext& context);

}  // namespace hone::passes
