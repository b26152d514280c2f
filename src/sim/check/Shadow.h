// What memory remembers for the checks: which bytes were written, and who touched what since the last
// barrier.
//
// Happens-before. Threads of a block are ordered by block barriers, lanes of a warp also by warp barriers
// that name both. Blocks are ordered by nothing, save: a fence, then an atomic or volatile write of a flag by
// one; an atomic or volatile read of that value by the other (release and acquire). A grid barrier orders
// everything.
#pragma once

#include <memory>
#include <vector>

#include "sim/check/Findings.h"
#include "sim/memory/Access.h"
#include "sim/memory/GlobalShadow.h"

namespace hone::sim {

struct ShadowOptions {
  bool races = true;
  bool uninitialized = true;
  bool warpRaces = true;  // false: lanes of a warp run in lockstep (targets before compute capability 7.0)
};

// Shared memory of one block in flight, and the block's clocks. Used by one host thread at a time.
class BlockShadow {
 public:
  BlockShadow(const Program& program, uint64_t block, uint32_t warps, uint32_t sharedBytes,
              const ShadowOptions& options);
  ~BlockShadow();
  void restart(uint64_t block);  // the same shape for another block, without allocating again

  // All threads of the block that are alive. OpenCL's barriers order the accesses to the named memory only.
  void blockBarrier(bool orderShared = true, bool orderGlobal = true);
  void warpBarrier(uint32_t warp, uint32_t mask);  // once per group when several groups of lanes meet apart
  void fence(uint32_t warp, uint32_t mask, bool blockScope = false);  // else device or system scope
  void gridBarrier(uint64_t generation);  // between two grid barriers blocks are unordered again

  struct State;
  State& state() { return *impl; }

 private:
  std::unique_ptr<State> impl;
};

// The checks of one launch; thread-safe, with a BlockShadow for the block that makes the access.
class Shadow {
 public:
  // `shared`: the program's shared variables with the places and sizes that this launch gives them.
  Shadow(const Program& program, const LaunchShape& shape, const ShadowOptions& options, Findings& findings,
         std::vector<SharedVariable> shared = {});
  ~Shadow();
  void withoutLocks();  // one host thread runs all blocks

  // To be called before memory changes. Stores compare with what memory holds to tell same-value writes:
  // `memory` gives the host bytes of shared memory; those of global memory are found through access.buffer.
  void shared(BlockShadow& block, const WarpAccess& access, uint8_t* memory);
  void global(BlockShadow& block, const WarpAccess& access);
  // The same for regular accesses, much faster. False when something needs a closer look: then the function
  // above must be called.
  bool sharedRegular(BlockShadow& block, const RegularAccess& access);
  bool globalRegular(BlockShadow& block, const RegularAccess& access);
  // Local memory has no races; reads of bytes that nothing wrote are found. `lane` memory is interleaved by
  // words: the byte at offset o of lane l lies at (o / 4 * 32 + l) * 4 + o % 4, and `initialized` has one bit
  // per byte in the same order.
  void local(const WarpAccess& access, uint8_t* initialized, const Program& program);

  // Two blocks touched the same memory without an order, or an order was needed: the outcome may depend on
  // block order.
  bool foundBlockConflict() const;

  struct State;

 private:
  std::unique_ptr<State> impl;
};

}  // namespace hone::sim
