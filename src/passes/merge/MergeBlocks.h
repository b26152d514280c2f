// Before: small blocks that load the same. After: several of them in one block, which loads it once; what
// they do not share is kept apart.
#pragma once

#include "passes/recipe/Registry.h"

namespace hone::passes {

LaunchResult mergeBlocks(const ir::LaunchStep& launch, const PassCall& call, PassContext& context);

}  // namespace hone::passes
