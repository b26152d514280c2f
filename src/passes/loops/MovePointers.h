// Before: each iteration of a loop works out from its counter where in an array it loads. After: a pointer is
// set before the loop and moves along by the same distance in every iteration.
#pragma once

#include "passes/recipe/Registry.h"

namespace hone::passes {

LaunchResult movePointers(const ir::LaunchStep& launch, const PassCall& call, PassContext& context);

}  // namespace hone::passes
