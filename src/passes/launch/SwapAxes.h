// Before: neighbouring threads along x touch memory far apart. After: two axes have changed places in the
// kernel, the grid and the block, so that they touch neighbouring elements.
#pragma once

#include "passes/recipe/Registry.h"

namespace hone::passes {

LaunchResult swapAxes(const ir::LaunchStep& launch, const PassCall& call, PassContext& context);

// Pairs of axes that a kernel uses: "xy", "xz", "yz".
std::vector<std::string> axesToSwap(const ir::LaunchStep& launch);

}  // namespace hone::passes
