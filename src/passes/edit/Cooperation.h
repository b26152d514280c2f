// How threads and blocks of a kernel depend on each other, and which changes of its launch that forbids.
// Called functions are looked into.
#pragma once

#include "ir/Kernel.h"
#include "passes/recipe/Refusal.h"

namespace hone::passes {

enum class Cooperation : uint8_t {
  WarpBarrier,
  BlockBarrier,
  GridBarrier,
  BlockFence,      // of a block or warp, or of shared memory alone
  GridFence,       // orders what blocks tell each other
  BarrierVote,     // __syncthreads_count, _and, _or
  WarpExchange,    // shuffles, votes, syncs of a group
  GroupHandle,     // a cooperative group
  PlacementQuery,  // lane, active mask, clock: depends on where and with whom a thread runs
  WarpSize,
  SharedMemory,
  VolatileOwn,     // memory of the thread
  VolatileShared,  // threads of a warp may rely on going in step
  VolatileGlobal,  // blocks may wait for each other there
  AtomicValue,     // an atomic whose value goes somewhere
  FloatAtomic,     // whose result depends on the order; min and max do not
  Spin             // a lock, or a loop until another thread has stored something
};

struct CooperationUse {
  Cooperation kind;
  std::string name;         // of the function, or of the memory
  bool isDeclared = false;  // found at a variable of that name, not behind a pointer
  ir::SourceLoc loc;
};

// In the order of the source, each use once.
std::vector<CooperationUse> cooperationOf(const ir::StmtPtr& body);

// Whether threads of a block or warp meet in a statement, so that it must stay in the path of all of them.
bool doThreadsMeet(const ir::StmtPtr& s);

// Threads or blocks become one. Atomics of floating-point numbers stand in the way unless sums may be
// reordered (`reassociate`).
Obstacle obstacleToMerging(const ir::Kernel& kernel, bool reassociate);
// Threads share a warp with others than before. Whether they hand each other values in shared memory without
// a barrier is for analysis/Barriers to say.
Obstacle obstacleToOtherWarps(const ir::Kernel& kernel);
// Blocks, or threads of different warps, run in another order.
Obstacle obstacleToOtherOrder(const ir::Kernel& kernel, bool reassociate);
// Each thread becomes several that share the iterations of a loop.
Obstacle obstacleToSharing(const ir::Kernel& kernel, bool reassociate);

}  // namespace hone::passes
