// Before: a loop reads (and writes) one element of memory in every iteration. After: the element lives in a
// register meanwhile, loaded before the loop and stored after it.
#pragma once

#include "passes/recipe/Registry.h"

namespace hone::passes {

LaunchResult promoteElements(const ir::LaunchStep& launch, const PassCall& call, PassContext& context);

}  // namespace hone::passes
