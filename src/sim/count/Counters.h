// What a launch did, counted where it happened.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "sim/memory/Access.h"

namespace hone::sim {

// Of one instruction of the byte code.
struct InstructionCount {
  uint64_t warps = 0;  // executions by a warp
  uint64_t lanes = 0;  // active lanes, summed
};

// Of one memory instruction. Sectors are 32 bytes and lines 128 on every target.
struct MemoryCount {
  uint64_t requests =
      0;  // executions by a warp with at least one active lane, in instructions of at most 16 bytes a lane
  uint64_t sharedRequests = 0, localRequests = 0, constantRequests = 0;  // of them; the rest is global
  uint64_t lanes = 0;
  uint64_t bytes = 0;    // asked for by lanes, each address once
  uint64_t sectors = 0;  // global, local: distinct ones of each request; atomics: once per pass
  uint64_t lines = 0;    // global, local
  uint64_t minimumSectors =
      0;  // sectors the bytes asked for would fill; sectors / minimumSectors is the redundancy
  uint64_t transactions = 0;  // by the target's own coalescing rule (the segments of compute capability 1.x)
  uint64_t transactionBytes = 0;
  uint64_t coalesced = 0;   // requests (half-warp requests under 16-lane rules) that meet the rule
  uint64_t groups = 0;      // half-warps or warps the rule was applied to
  uint64_t wavefronts = 0;  // shared: passes through the banks
  uint64_t minimumWavefronts = 0;
  uint64_t conflicts = 0;           // atomics: lanes beyond the first at one address
  uint64_t l1Hits = 0, l2Hits = 0;  // sectors
  uint64_t l2Sectors = 0, dramSectors = 0;
  double merged = 0;        // of l2Sectors: requests that met another one for the same sector on their way
  uint64_t dramVisits = 0;  // lines of which a request brought something from DRAM
  uint64_t waitsForL2 = 0,
           waitsForDram =
               0;  // loads: requests whose data was not in the L1, or not in the L2, or still on its way
  uint64_t partialSectors = 0;    // stores: sectors of which a request wrote a part only
  uint64_t partitionBusiest = 0;  // requests to the busiest memory partition, over moments
  uint64_t partitionEven = 0;     // what it would be if all partitions had the same

  uint64_t globalRequests() const { return requests - sharedRequests - localRequests - constantRequests; }
  void add(const MemoryCount& other);
};

struct Counters {
  std::vector<InstructionCount> instructions;   // by pc
  std::map<uint32_t, MemoryCount> memory;       // by pc
  uint64_t blocks = 0, warps = 0, threads = 0;  // counted ones
  uint64_t gridBlocks = 0;                      // of the launch; blocks < gridBlocks: sampled
  uint64_t barriers = 0;                        // block barriers times blocks
  uint64_t writtenBackSectors = 0;              // dirty sectors from L2 to DRAM while the kernel ran
  uint64_t writtenBackLines = 0;                // lines they were in
  uint64_t filledSectors = 0;                   // sectors read because only a part of them was written
  uint64_t dirtySectors = 0;                    // written, still in the L2 at the end
  uint64_t partialSectors = 0;                  // of them, written in part only
  uint64_t heldSectors = 0;                     // all sectors in the L2 at the end
  uint64_t l2SectorsHeldAtMost = 0;             // sectors that fit into the L2
  uint64_t busiestAtomics =
      0;  // passes of atomics over the target's atomicBytes of global memory that have most
  std::vector<uint64_t> partitions;           // DRAM requests per memory partition, where the target has them
  std::shared_ptr<const Counters> firstHalf;  // sampled: what the first half of the blocks did

  bool isSampled() const { return blocks < gridBlocks; }
  MemoryCount total() const;  // of all memory instructions
  void add(const Counters& other);
};

// What all blocks of the grid would count when a sample ran. What an instruction does by itself grows with
// the number of blocks. Caches warm up during the sample, so their traffic goes on at the rate, per request,
// of the sample's second half.
Counters wholeGrid(const Counters& counted);

}  // namespace hone::sim
