// Hand-made accesses for the counters.
#pragma once

#include <array>
#include <bit>
#include <functional>
#include <string>

#include "sim/Profile.h"
#include "target/Target.h"

namespace hone::sim::test {

inline const target::Target& shippedTarget(const std::string& name) {
  static const std::vector<target::Target> all =
      target::loadTargets(std::string(HONE_TEST_DIR) + "/../targets");
  return target::findTarget(all, name);
}

using Lanes = std::array<uint64_t, warpLanes>;

inline Lanes lanes(const std::function<uint64_t(unsigned)>& address) {
  Lanes out;
  for (unsigned i = 0; i < warpLanes; ++i) out[i] = address(i);
  return out;
}

// A program of loads, stores and integer atomics, enough for a profiler to be made.
inline Program programOf(std::initializer_list<Op> ops) {
  Program p;
  for (Op op : ops) {
    Instr i;
    i.op = op;
    p.code.push_back(i);
  }
  p.locations.resize(p.code.size());
  return p;
}

inline WarpAccess accessOf(const Lanes& address, unsigned bytes, AccessKind kind = AccessKind::Load,
                           MemorySpace space = MemorySpace::Global, uint32_t mask = ~uint32_t(0)) {
  WarpAccess a;
  a.kind = kind;
  a.space = space;
  a.bytes = static_cast<uint8_t>(bytes);
  a.mask = mask;
  a.address = address.data();
  return a;
}

}  // namespace hone::sim::test
