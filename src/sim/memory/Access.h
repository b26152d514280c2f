// One memory instruction of one warp, as the checks and the counters see it.
#pragma once

#include <cstdint>

#include "sim/bytecode/Program.h"

namespace hone::sim {

struct Buffer;

enum class AccessKind : uint8_t { Load, Store, Atomic };

struct WarpPlace {
  uint64_t block = 0;  // linear index in the grid
  uint32_t warp = 0;   // in the block
};

struct WarpAccess {
  uint32_t pc = 0;
  AccessKind kind = AccessKind::Load;
  MemorySpace space = MemorySpace::Global;  // never Generic
  CacheHint hint = CacheHint::Default;
  uint8_t bytes = 4;                  // contiguous bytes of one lane
  uint32_t mask = 0;                  // lanes that take part; all in bounds and aligned
  const uint64_t* address = nullptr;  // per lane: device address (global) or offset (shared, local)
  Buffer* const* buffer = nullptr;    // global: per lane
  const uint8_t* data = nullptr;  // stores: `bytes` per lane, lane after lane (also of lanes not in the mask)
  WarpPlace place;
};

// A plain load or store by all lanes, of elements of 1 to 16 bytes: in pieces of 32, 16 or 8 neighbouring
// lanes, each of which is a row of neighbouring elements or all at one place.
struct RegularAccess {
  uint32_t pc = 0;
  AccessKind kind = AccessKind::Load;
  uint8_t bytes = 4;   // of a lane, a power of two
  uint8_t lanes = 32;  // of a piece
  bool row = true;
  uint64_t at[4];  // of the first lane of each piece, in bounds and aligned: device address or offset
  Buffer* buffer = nullptr;  // global
  WarpPlace place;
  // Makes fewer pieces of four of 8 lanes that follow each other.
  void join() {
    const uint64_t eight = row ? uint64_t(8) * bytes : 0;
    lanes = 8;
    if (at[1] != at[0] + eight || at[3] != at[2] + eight) return;
    at[1] = at[2];
    lanes = at[1] == at[0] + 2 * eight ? 32 : 16;
  }
};

}  // namespace hone::sim
