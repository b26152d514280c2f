// Which memory the lanes of an access name; private to the run loop.
#pragma once

#include "sim/execute/Executor.h"

namespace hone::sim {

inline constexpr int64_t windowReach = int64_t(1)
                                       << 40;  // a pointer that ran out of its window still names it

inline bool inWindow(uint64_t address, uint64_t window) {
  const int64_t d = int64_t(address - window);
  return d > -windowReach && d < windowReach;
}

inline MemorySpace spaceOf(uint64_t address) {
  return inWindow(address, sharedWindow)  ? MemorySpace::Shared
         : inWindow(address, localWindow) ? MemorySpace::Local
                                          : MemorySpace::Global;
}

// Calls fn(space, lanes) with addresses made relative to the window, once per space that the lanes name.
template <class F>
void Executor::forEachSpace(const Instr& i, uint32_t mask, uint64_t* address, F&& fn) {
  if (i.space == MemorySpace::Global || i.space == MemorySpace::Constant ||
      (i.a == noReg && i.op != Op::Atomic)) {
    fn(i.space, mask);
    return;
  }
  uint32_t shared = 0, local = 0;
  for (unsigned l = 0; l < warpLanes; ++l) {
    if (!((mask >> l) & 1)) continue;
    const MemorySpace s = spaceOf(address[l]);
    if (s == MemorySpace::Shared) {
      shared |= 1u << l;
      address[l] -= sharedWindow;
    } else if (s == MemorySpace::Local) {
      local |= 1u << l;
      address[l] -= localWindow;
    }
  }
  if (shared) fn(MemorySpace::Shared, shared);
  if (local) fn(MemorySpace::Local, local);
  if (const uint32_t rest = mask & ~shared & ~local) fn(MemorySpace::Global, rest);
}

}  // namespace hone::sim
