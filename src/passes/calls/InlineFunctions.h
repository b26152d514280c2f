// Before: the kernel calls device functions. After: those that touch memory, coordinates or barriers stand in
// its body.
#pragma once

#include "passes/recipe/Registry.h"

namespace hone::passes {

LaunchResult inlineFunctions(const ir::LaunchStep& launch, const PassCall& call, PassContext& context);

}  // namespace hone::passes
