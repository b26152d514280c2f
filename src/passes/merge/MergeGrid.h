// Grids in which several blocks of the original have become one.
#pragma once

#include <array>

#include "ir/Plan.h"

namespace hone::passes {

// Global ids and sizes taken apart into those of blocks and threads.
ir::KernelPtr withSplitIds(const ir::KernelPtr& kernel);

struct MergedGrid {
  ir::ExprPtr condition;  // null: none
  bool guards = false;    // the body asks whether its block exists in the original, or must:
  // By axis, in the original's blockIdx: holds for blocks that exist. Set where barriers forbid to ask around
  // the whole body.
  std::array<ir::ExprPtr, 3> exists;
};

// Sets the grid of `made`, in which count[axis] blocks of `before` are one, and makes the kernel right where
// that does not divide: further blocks do no harm, or with `guarded` the body is done only for blocks of the
// original, else the grid must divide. To be called while the kernel's blockIdx still is the original's.
// gridDim becomes a parameter where it is used.
MergedGrid mergeGrid(ir::Kernel& kernel, ir::LaunchStep& made, const ir::LaunchStep& before,
                     const std::array<unsigned, 3>& count, bool guarded);

}  // namespace hone::passes
