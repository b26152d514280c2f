// Counts what a launch does to the memory system of a target: sectors, bank conflicts, caches, DRAM.
#pragma once

#include <memory>
#include <string>

#include "sim/check/Findings.h"
#include "sim/count/Counters.h"
#include "target/Target.h"

namespace hone::sim {

struct ProfileOptions {
  bool exact = false;            // every block of the grid; else a sample of large grids
  uint64_t sampleBlocks = 2048;  // blocks to run at most when sampling
  bool caches = true;
  std::string rules;  // coalescing rule set in place of the target's own
  uint64_t sharedInUse =
      0;  // bytes of shared memory that the blocks of one multiprocessor hold; the L1 gets the rest
};

// The run loop hands it every instruction and access; one host thread at a time.
class Profiler {
 public:
  Profiler(const Program& program, const target::Target& target, const LaunchShape& shape,
           const ProfileOptions& options);
  ~Profiler();

  InstructionCount* instructions();  // by pc, counted in place by the run loop
  void access(
      unsigned sm,
      const WarpAccess& access);  // sm: where the run loop has the block; which L1 it uses is decided here
  void barrier();                 // one block passed a barrier
  void startBlock(unsigned sm, uint64_t block, uint32_t warps);
  Counters finish();

  const ProfileOptions& options() const;

 private:
  struct State;
  std::unique_ptr<State> impl;
};

// Set in RunOptions to have a launch profiled; `counters` is filled by the run.
struct Profiling {
  const target::Target* target = nullptr;
  ProfileOptions options;
  unsigned residentBlocks = 1;  // blocks that share a multiprocessor (occupancy); they take turns
  Counters counters;
};

}  // namespace hone::sim
