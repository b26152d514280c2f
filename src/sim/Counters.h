// What a launch did, counted where it happened.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "sim/Access.h"

namespace hone::sim {

// Of one instruction of the byte code.
struct InstructionCount {
  uint64_t warps = 0;         // executions by a warp
  uint64_t lanes = 0;         // active lanes, summed
};

// Of one memory instruction.
struct MemoryCount {
  uint64_t requests = 0;      // executions by a warp with at least one active lane
  uint64_t lanes = 0;
  uint64_t sectors = 0;       // global, local: 32-byte sectors
  uint64_t lines = 0;         // global, local: 128-byte lines
  uint64_t minimumSectors = 0;  // sectors the bytes asked for would fill; sectors / minimumSectors is the redundancy
  uint64_t transactions = 0;  // by the target's own coalescing rule (the segments of compute capability 1.x)
  uint64_t wavefronts = 0;    // shared: passes through the banks
  uint64_t minimumWavefronts = 0;
  uint64_t conflicts = 0;     // atomics: lanes beyond the first at one address
  uint64_t l1Hits = 0, l2Hits = 0;      // sectors
  uint64_t l2Sectors = 0, dramSectors = 0;
  uint64_t coalesced = 0;     // requests (half-warp requests under 16-lane rules) that meet the strict rule
  uint64_t groups = 0;        // half-warps or warps the rule was applied to
};

struct Counters {
  std::vector<InstructionCount> instructions;  // by pc
  std::map<uint32_t, MemoryCount> memory;      // by pc
  uint64_t blocks = 0, warps = 0, threads = 0; // counted ones
  uint64_t gridBlocks = 0;                     // of the launch; blocks < gridBlocks: sampled
  uint64_t barriers = 0;                       // block barriers times blocks
  uint64_t writtenBackSectors = 0;             // dirty sectors from L2 to DRAM
  std::vector<uint64_t> partitions;            // DRAM requests per memory partition, where the target has them
  void add(const Counters& other);
};

}  // namespace hone::sim
