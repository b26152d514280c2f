// What in a kernel depends on which threads share a warp, or on the order in which threads and blocks run.
#pragma once

#include <optional>
#include <string>

#include "ir/Kernel.h"

namespace hone::passes {

struct OrderUse {
  std::string reason;  // in the user's words
  ir::SourceLoc loc;
};

// Shuffles, votes, barriers of a warp, the warp size, lane numbers, cooperative groups: threads that share a
// warp must go on sharing it. Called functions are looked into.
std::optional<OrderUse> usesWarps(const ir::Kernel& kernel);

// Grid-wide barriers, fences between blocks, volatile global memory, atomics whose value is used: blocks that
// wait for each other or take turns. Floating-point atomics as well unless sums may be reordered.
std::optional<OrderUse> usesOrder(const ir::Kernel& kernel, bool reassociate);

}  // namespace hone::passes
