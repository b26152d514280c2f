// Counts gathered by source line, with what each line costs.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "sim/count/Counters.h"
#include "sim/count/InstructionClass.h"
#include "target/Target.h"

namespace hone::sim {

// Time that a line would take on each part of the machine if it had that part to itself.
struct LineCost {
  double issue = 0, shared = 0, l1 = 0, l2 = 0, dram = 0;  // seconds
  double total() const { return issue + shared + l1 + l2 + dram; }
};

struct LineCount {
  std::string file;
  unsigned line = 0;
  uint64_t warps = 0, lanes = 0;  // machine instructions by warps, and lanes active in them
  MemoryCount loads, stores, atomics;
  uint64_t dramWritten = 0;  // sectors, its part of what left the L2 or is still to leave it
  LineCost cost;
  MemoryCount memory() const;
};

// By file and line; instructions without a place in the source are left out. `counters` of the whole grid.
std::vector<LineCount> countLines(const Counters& counters, const Program& program,
                                  const target::Target& target);

// The same sums over the whole kernel, and warp instructions by class.
struct KernelCount {
  LineCount all;
  std::array<uint64_t, instructionClasses> byClass{};
};
KernelCount countKernel(const Counters& counters, const Program& program, const target::Target& target);

}  // namespace hone::sim
