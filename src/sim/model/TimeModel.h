// From counts to an estimated time, with what limits it. docs/time-model.md explains each term.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "sim/count/Counters.h"
#include "target/Occupancy.h"

namespace hone::sim {

enum class Limiter : uint8_t {
  Dram,
  L2,
  L1,
  SharedMemory,
  Issue,
  Atomics,
  Latency,
  TooFewBlocks,
  BlockStart,
  Launch
};
const char* str(Limiter limiter);  // "DRAM", "L2", …: the names in reports

struct TimeTerm {
  Limiter limiter = Limiter::Dram;
  double seconds = 0;
  std::string why;  // one line with the numbers behind it
};

struct TimeEstimate {
  double seconds = 0;
  Limiter limiter = Limiter::Latency;
  std::vector<TimeTerm> terms;   // longest first
  double arithmeticSeconds = 0;  // that floating-point numbers alone would take, spread evenly
  double waves = 0;              // waves of blocks over the multiprocessors
  double achievedOccupancy = 0;  // warps on a multiprocessor over those it can hold, averaged over the run
};

// `counters` are those of the whole grid (wholeGrid). Of shared arrays that are declared to begin at
// multiples of 16 bytes compilers load neighbours together.
TimeEstimate estimateTime(const Counters& counters, const Program& program, const target::Target& target,
                          const target::Occupancy& occupancy,
                          const std::set<std::string>& alignedShared = {});

}  // namespace hone::sim
