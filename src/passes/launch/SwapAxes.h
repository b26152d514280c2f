// Before: neighbouring threads along x touch memory far apart. After: two axes have changed places in the
// kernel, the grid and the block, so that they touch neighbouring elements.
#pragma once

#include "passes/recipe/Pass.h"

namespace hone::passes {

enum class AxisPair : uint8_t { XY, XZ, YZ };

struct SwapAxesOptions {
  std::optional<AxisPair> axes = {};  // nothing: the pair that gains most
};

const PassOf<SwapAxesOptions>& swapAxesPass();

LaunchResult swapAxes(const ir::LaunchStep& launch, const SwapAxesOptions& options, PassContext& context);

// Pairs of axes that a kernel uses: "xy", "xz", "yz".
std::vector<std::string> axesToSwap(const ir::LaunchStep& launch);

}  // namespace hone::passes
