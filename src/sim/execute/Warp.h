// A warp in flight: registers, the lanes that are alive, and the paths they are on; private to the run loop.
//
// Control flow is structured, so lanes that part meet again at the end of the construct that parted them. A
// path is a program counter, the active lanes, and a frame for each open construct with the lanes that wait
// there. Normally a warp has one path. Where lanes that wait would block those they wait for (a lock, a warp
// barrier in a branch) the waiting lanes are split off into paths of their own, and joined again when both
// stand at the same barrier.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <vector>

#include "sim/bytecode/Program.h"

namespace hone::sim {

struct Frame {
  enum Kind : uint8_t { If, Loop, Switch, Call } kind = If;
  bool inElse = false;
  uint32_t saved = 0;    // lanes that go on after the construct
  uint32_t pending = 0;  // If: lanes of the other branch; Switch: lanes whose case is still to come
  uint32_t cont = 0;     // Loop: lanes that wait for the next iteration
  int32_t pcA = 0;       // If: else or end; others: end
  int32_t pcB = 0;       // If: end; Loop: where the next iteration begins; Switch: next case
  void keepOnly(uint32_t lanes) {
    saved &= lanes;
    pending &= lanes;
    cont &= lanes;
  }
};

// The calls of subroutines that each lane is in.
struct CallStacks {
  std::array<uint32_t, warpLanes> base{}, top{};       // of the lane's innermost frame, in its local memory
  std::array<std::vector<uint32_t>, warpLanes> saved;  // what the callers left in registers
};

struct Path {
  enum State : uint8_t { Runnable, AtBarrier, AtWarpSync, AtGrid, Done } state = Runnable;
  int32_t pc = 0;
  uint32_t active = 0;
  uint32_t waitMask = 0;         // AtWarpSync: lanes that must come
  bool released = false;         // the exchange it stands at may go ahead
  bool partedAtBarrier = false;  // split off because others stood at a barrier
  uint32_t iterations = 0;       // of loops that may wait, since the last split
  std::vector<Frame> frames;
};

struct Warp {
  uint32_t index = 0;
  uint32_t initial = 0;  // lanes that exist
  uint32_t live = 0;     // and have not ended
  uint32_t fellOff = 0;  // ended at the end of the kernel, not by return
  uint32_t returned = 0;
  uint64_t steps = 0;
  std::vector<std::unique_ptr<Path>> paths;
  std::unique_ptr<Path> spare;         // to be used again
  std::vector<uint32_t> unset;         // per followed variable: lanes in which it has no value
  std::unique_ptr<CallStacks> stacks;  // null in programs without subroutines
  uint8_t* registers = nullptr;
  uint8_t* local = nullptr;     // interleaved by words
  uint8_t* localSet = nullptr;  // one bit per byte of it
};

// Moves all lanes that wait in frames of this path to paths of their own; returns whether there were any.
bool splitWaiting(Warp& warp, size_t path, bool atBarrier);

// Joins paths that stand at the same place in the same constructs and state.
void joinPaths(Warp& warp);

}  // namespace hone::sim
