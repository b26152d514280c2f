// Which arrays of a kernel are staged, at which loop, in which tiles, and why the others are not.
#pragma once

#include "passes/launch/FixBlock.h"
#include "passes/shared/TileWriter.h"

namespace hone::passes {

// How the last two dimensions of a tile lie in shared memory. Auto: so that what a thread reads side by side
// in unrolled loops lies side by side.
enum class TileLayout : uint8_t { Auto, Rows, Columns };

struct StageRequest {
  std::vector<std::string> names;   // arrays and accesses; empty: whatever pays
  std::optional<std::string> loop;  // handle of the loop that tiles go along
  int64_t depth = 16;               // iterations of it for one tile
  TileLayout layout = TileLayout::Auto;
  int64_t sideBySide = 1;  // elements of a row that a thread loads, where rows are made of so many
  bool loads = true;
};

struct StagePlan {
  std::vector<StagedTile> tiles;
  bool isTooLarge = false;      // for the shared memory of a block
  ir::ExprPtr condition;        // where the tiles hold what the array holds; null: always
  std::vector<Remark> remarks;  // a note for what is left as it is
  Obstacle refusal;             // where no tile is made
};

StagePlan planStaging(const FixedLaunch& fixed, const StageRequest& request, PassContext& context);

// Whether iterations of an unrolled loop read the tile at neighbouring subscripts of this dimension.
bool isReadSideBySide(const affine::KernelModel& model, const Tile& tile, size_t dimension);

// Reads of each element by the threads of a block, rounded down.
inline int64_t readsOfElement(const Tile& tile) { return tile.executions / tile.size(); }

}  // namespace hone::passes
