// What a number that a pass chose is for. Passes recognise each other's numbers by this, never by a name:
// names are the user's, and are printed last.
#pragma once

#include <compare>
#include <cstdint>
#include <string>

namespace hone::ir {

enum class RoleKind : uint8_t {
  None,            // a number of the user's own, with or without a name
  BlockExtent,     // threads of a block along the axis
  OriginalExtent,  // threads of the original that a block does the work of, along the axis
  MergeFactor,     // threads of the original in one thread, along the axis
  MergedBlocks,    // blocks of the original in one block, along the axis
  PartExtent,      // threads of one of these blocks, along the axis
  RunLength,       // neighbours among the threads that became one
  RunSkip,         // from the end of such neighbours to the next, along the axis
  TileDepth,       // iterations of a loop for one tile
  TileExtent,      // elements of the subject's tile along a dimension
  ThreadCount,     // threads of a block
  LaneCount,       // lanes of a warp
  PartCount,       // blocks that share a loop
  RowCount,        // rows that a block works on
  EachCount,       // iterations that a thread does side by side
  UnrollFactor,    // iterations between two tests of a loop's end
  RotationWidth,   // iterations between the first ones of neighbouring blocks
  IterationCount,  // iterations of a loop
  BlockGroup,      // rows or columns of blocks that run together
  Threshold,       // of the sizes from or up to which code pays
  Limit            // up to which a test before a launch can count
};

// Dimensions of tiles, in the place of an axis.
enum class TileSide : uint8_t { Columns, Rows, Planes, Elements };

struct ConstantRole {
  RoleKind kind = RoleKind::None;
  uint8_t axis = 0;          // 0 is x; of a TileExtent its TileSide
  uint8_t ordinal = 0;       // tells numbers of one role in a kernel apart
  std::string subject = {};  // TileExtent: the array

  explicit operator bool() const { return kind != RoleKind::None; }
  auto operator<=>(const ConstantRole&) const = default;
};

// How it is called where nothing else has that name: "kBlockX", "kDepth2", "kImageRows".
std::string nameOf(const ConstantRole& role);

}  // namespace hone::ir
