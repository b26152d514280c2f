// Which loops of a region are spread over what, and the shape of the blocks that do it.
//
// Gangs are blocks. Where a worker's loop has a loop of lanes in it, a worker is a warp: 32 lanes along x,
// workers along y. Everywhere else a block is a row of threads, and loops of workers or lanes are spread over
// all of it: nothing that a program can see tells the two apart, and more threads work.
//   - `seq`, and loops that may not run in parallel (Independence.h), stay loops.
//   - Levels that are written are kept. A loop with `gang` alone around no other parallel loop also takes the
//     lanes, where what its iterations assign is their own.
//   - A nest without levels: the outermost loop takes the gangs, the innermost the lanes (so that
//   neighbouring
//     threads do neighbouring iterations of it), one between them the workers.
//   - A nest of two or three loops without levels, or collapsed ones, with nothing between them, that is all
//     of its kernel: one thread an iteration in a grid of as many dimensions, the innermost along x. Likewise
//     a single loop. Loops with reductions are spread by stride instead, so that few blocks have partial
//     results; so are all where num_gangs is given.
#pragma once

#include "acc/WorkRegion.h"

namespace hone::acc {

struct BlockShape {
  int64_t threads[3] = {1, 1, 1};
  bool hasWorkers = false;  ///< workers are warps along y
  bool hasGangs = false;    ///< some loop is spread over gangs
  int64_t count() const { return threads[0] * threads[1] * threads[2]; }
};

struct MappingLimits {
  std::optional<int64_t> lanes, workers;                ///< asked for
  bool hasGangCount = false;                            ///< num_gangs is given
  bool mayUseGrid = true;                               ///< of a kernel, not of a routine
  frontend::AccLevel outer = frontend::AccLevel::Gang;  ///< widest level that loops here may use
};

/// Decides and notes; flattens collapsed and tiled loops. The nest that takes one thread an iteration has
/// axes.
BlockShape mapLoops(WorkRegion& work, const MappingLimits& limits);

/// Numbers the trip counts among the host's values.
void numberTrips(const frontend::AccRegion& region, const frontend::AccNotes& notes, Notes& into);

}  // namespace hone::acc
