// Orders in which the blocks of a launch run; false where a fault ended it.
#pragma once

#include "sim/execute/Executor.h"

namespace hone::sim {

// All blocks in a given order on this thread. A block that makes no headway waits while the next ones run
// beside it.
bool runInOrder(LaunchState& launch, const std::vector<uint64_t>& order, bool inStep);

// A cooperative launch: every block is in flight, and all meet at each grid barrier.
bool runTogether(LaunchState& launch, const std::vector<uint64_t>& order);

bool runParallel(LaunchState& launch, uint64_t blocks, unsigned jobs);

// Blocks spread over the target's multiprocessors, `resident` of them taking turns on each, as the counters
// should see them.
bool runProfiled(LaunchState& launch, const std::vector<uint64_t>& order, unsigned resident,
                 const target::Target& target);

// How many of them are in flight at once: `resident` on each multiprocessor, and fewer where they take much
// memory here.
size_t blocksInFlight(const LaunchState& launch, size_t blocks, unsigned resident, unsigned multiprocessors);

// The first, the last and one between along each axis.
std::vector<uint64_t> edgeBlocks(const std::array<uint32_t, 3>& grid);

// The blocks a profile looks at: all, or whole waves spread over the grid.
std::vector<uint64_t> sampledBlocks(uint64_t blocks, const ProfileOptions& options, bool hasPartitions);

}  // namespace hone::sim
