// One memory instruction of one warp, as the checks and the counters see it.
#pragma once

#include <cstdint>

#include "sim/Program.h"

namespace hone::sim {

struct Buffer;

enum class AccessKind : uint8_t { Load, Store, Atomic };

struct WarpPlace {
  uint64_t block = 0;        // linear index in the grid
  uint32_t warp = 0;         // in the block
};

struct WarpAccess {
  uint32_t pc = 0;
  AccessKind kind = AccessKind::Load;
  MemorySpace space = MemorySpace::Global;  // never Generic
  CacheHint hint = CacheHint::Default;
  uint8_t bytes = 4;          // contiguous bytes of one lane
  uint32_t mask = 0;          // lanes that take part; all in bounds and aligned
  const uint64_t* address = nullptr;  // per lane: device address (global) or offset (shared, local)
  Buffer* const* buffer = nullptr;    // global: per lane
  const uint8_t* data = nullptr;      // stores: `bytes` per lane, lane after lane (also of lanes not in the mask)
  WarpPlace place;
};

}  // namespace hone::sim
