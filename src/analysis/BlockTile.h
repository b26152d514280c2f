// What a block touches of one array at a time: a box of numbers of elements, where it begins, and which of
// its elements exist.
#pragma once

#include <string>

#include "affine/KernelModel.h"

namespace hone::analysis {

struct TileRequest {
  std::vector<affine::AccessId> accesses;  // of one array, all inside the loop
  affine::LoopId loop;  // a tile for each `depth` iterations of this loop; none: one tile for the whole block
  int64_t depth = 1;
  std::vector<affine::CondPtr> known = {};  // conditions on symbols that hold in every launch
  bool isStore = false;  // one store: `exists` holds for what the block writes, each element by one thread
};

// Elements first, first + stride, … of one dimension, `count` of them.
struct TileDimension {
  affine::Poly first;  // over blocks, symbols, counters of loops around, and Tile::start
  int64_t count = 0, stride = 1;
  bool followsLoop = false;  // `first` moves with the loop
};

struct Tile {
  TileRequest what;
  affine::ArrayId array;
  std::vector<TileDimension> dimensions;          // outermost first
  std::vector<affine::Poly> extents;              // of the array, all dimensions but the outermost
  std::vector<std::vector<affine::Poly>> places;  // by access of the request: its subscripts in the tile
  affine::Poly start;                             // the loop's counter in the first iteration of the tile
  std::vector<affine::Poly> slots;                // symbols for the subscripts in the tile
  std::vector<affine::Poly> elements;  // symbols for the subscripts in the array of the element of a slot
  // Over `elements`: those that the launch touches, of a store the block. The others of the box must not be
  // touched.
  affine::CondPtr exists;
  bool isForAll = false;      // subscripts of all threads stay in the tile, whatever guards say
  int64_t executions = 0;     // reads of the tile by all threads of the block, at most
  std::string reason;         // why there is no tile; all else is not set then
  bool isTooComplex = false;  // the question cost more than may be spent on it

  int64_t size() const {
    int64_t n = 1;
    for (const TileDimension& d : dimensions) n *= d.count;
    return n;
  }
  affine::Poly element(size_t d) const {
    return dimensions[d].first + slots[d] * affine::Poly(dimensions[d].stride);
  }
};

Tile tileOf(const affine::KernelModel& model, const TileRequest& request);

}  // namespace hone::analysis
