// Before: threads of a block read the same elements of a global array, or neighbours far apart. After: the
// block loads each element once, in the order of the array, into a tile in shared memory, between barriers;
// threads read the tile.
#pragma once

#include "passes/recipe/Pass.h"
#include "passes/shared/StagePlan.h"

namespace hone::passes {

enum class TilePad : uint8_t { Auto, None, One, Swizzle };

struct StageOptions {
  std::vector<std::string> names = {};   // arrays and accesses; empty: whatever pays
  std::optional<int64_t> depth = {};     // iterations of a loop for one tile
  std::optional<std::string> loop = {};  // handle of the loop that tiles follow
  std::optional<int64_t> wide = {};      // elements of a row that a thread loads
  std::optional<TilePad> pad = {};       // against bank conflicts
  std::optional<TileLayout> layout = {};
};

const PassOf<StageOptions>& stagePass();

LaunchResult stageArrays(const ir::LaunchStep& launch, const StageOptions& options, PassContext& context);

}  // namespace hone::passes
