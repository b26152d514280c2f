// Before: the compiler guesses how many threads of a multiprocessor run at a time, and keeps registers for
// them. After: it is told (__launch_bounds__).
#pragma once

#include "passes/recipe/Registry.h"

namespace hone::passes {

LaunchResult setLaunchBounds(const ir::LaunchStep& launch, const PassCall& call, PassContext& context);

}  // namespace hone::passes
