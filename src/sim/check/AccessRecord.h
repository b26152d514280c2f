// Who made an access, in 64 bits: what a cell of shadow memory holds.
//
// From the high bits down: the block's clock at the access, the block (global memory only), the instruction,
// the thread, two flags. The clock counts from 1, so 0 is "nobody"; with the clock on top, "before the last
// barrier" is one comparison.
#pragma once

#include <cstdint>
#include <vector>

#include "sim/bytecode/Program.h"

namespace hone::sim {

using Record = uint64_t;

inline constexpr Record atomicFlag = 1, volatileFlag = 2;
inline constexpr unsigned threadShift = 2, laneBits = 5;

// The memory instructions of a program, numbered densely, and what the checks ask about them.
struct MemoryInstructions {
  explicit MemoryInstructions(const Program& program);
  std::vector<uint32_t> number;  // by pc
  std::vector<uint32_t> pcs;     // by number
  std::vector<uint8_t> spins;    // by number: a load in a loop that does nothing but wait
  bool hasFence = false;
};

struct RecordLayout {
  unsigned instructionShift = 0, blockShift = 0, clockShift = 0;
  Record threadMask = 0, warpMask = 0, blockMask = 0;
  Record identMask = 0;      // block and thread
  Record warpIdentMask = 0;  // block and warp
  uint64_t lastClock = 0;    // the highest that fits

  // blocks 0: shared memory, where the block is not recorded.
  RecordLayout(uint32_t threads, size_t instructions, uint64_t blocks);

  Record make(uint64_t clock, uint64_t block, uint32_t instruction, uint32_t thread, Record flags) const {
    Record where = blockShift == clockShift ? 0 : block << blockShift;
    return clock << clockShift | where | Record(instruction) << instructionShift |
           Record(thread) << threadShift | flags;
  }
  uint64_t clock(Record r) const { return r >> clockShift; }
  uint64_t block(Record r) const { return (r & blockMask) >> blockShift; }
  uint32_t instruction(Record r) const {
    return uint32_t((r >> instructionShift) & ((Record(1) << (blockShift - instructionShift)) - 1));
  }
  uint32_t thread(Record r) const { return uint32_t((r & threadMask) >> threadShift); }
};

}  // namespace hone::sim
