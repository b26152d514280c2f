// Hand-made accesses for the counters.
#pragma once

#include "sim/count/Profile.h"
#include "target/Lanes.h"

namespace hone::sim::test {

using target::test::Lanes;
using target::test::lanes;
using target::test::shippedTarget;

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
