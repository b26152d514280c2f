// Before: threads of a block read the same elements of a global array, or neighbours far apart. After: the
// block loads each element once, in the order of the array, into a tile in shared memory, between barriers;
// threads read the tile.
#pragma once

#include "passes/recipe/Registry.h"

namespace hone::passes {

LaunchResult stageArrays(const ir::LaunchStep& launch, const PassCall& call, PassContext& context);

}  // namespace hone::passes
