// Before: a loop loads a tile into shared memory, waits for it, and computes with it. After: the next tile is
// on its way while the block computes with this one, in registers, in a second buffer of shared memory, or by
// asynchronous copies.
#pragma once

#include "passes/recipe/Registry.h"

namespace hone::passes {

LaunchResult prefetchTiles(const ir::LaunchStep& launch, const PassCall& call, PassContext& context);

}  // namespace hone::passes
