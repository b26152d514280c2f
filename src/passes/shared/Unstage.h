// Before: the block copies elements of a global array into a tile in shared memory, waits, and reads the
// tile. After: threads read the global array where they read the tile; the tile, the copying and barriers
// that order nothing else are gone.
#pragma once

#include "passes/recipe/Pass.h"

namespace hone::passes {

struct UnstageOptions {
  std::vector<std::string> arrays = {};  // empty: all that can be
};

const PassOf<UnstageOptions>& unstagePass();

}  // namespace hone::passes
