// What in a kernel forbids that threads or blocks of it become one.
#pragma once

#include <optional>
#include <string>

#include "ir/Kernel.h"

namespace hone::passes {

struct MergeObstacle {
  std::string reason;
  ir::SourceLoc loc;
};

// Exchanges within warps, barriers of warps and of the grid, volatile memory, fences, locks: what depends on
// which threads share a warp, or on threads that wait for each other. Floating-point atomics as well unless
// sums may be reordered. Looks into called functions.
std::optional<MergeObstacle> mergeObstacle(const ir::Kernel& kernel, bool reassociate);

}  // namespace hone::passes
