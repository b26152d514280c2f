// What counts cost on the memory of a target, shared by the time model and the cost of lines.
#pragma once

#include <algorithm>

#include "sim/count/Counters.h"
#include "target/Target.h"

namespace hone::sim {

// Bytes of DRAM bandwidth: a visit to a line costs something however little it brings.
inline double dramBytes(uint64_t sectors, uint64_t visits, const target::Target& target) {
  return std::max(static_cast<double>(sectors) * 32, static_cast<double>(visits) * target.dramVisitBytes);
}

// Bytes of L2 bandwidth: a sector written in part is read, changed and written.
inline double l2Bytes(const MemoryCount& m, const target::Target& target) {
  return (static_cast<double>(m.l2Sectors) +
          static_cast<double>(m.partialSectors) * (target.l2PartialWrite - 1)) *
         32;
}

// Bytes of DRAM bandwidth for what was written, now or later.
inline double writtenBytes(const Counters& c, const target::Target& target) {
  const double lines = static_cast<double>(c.writtenBackLines) *
                       (1 + static_cast<double>(c.dirtySectors) /
                                static_cast<double>(std::max<uint64_t>(1, c.writtenBackSectors)));
  return dramBytes(c.writtenBackSectors + c.dirtySectors, static_cast<uint64_t>(lines), target) +
         dramBytes(c.filledSectors, c.filledSectors, target);
}

// Cycles of the L1: one for each request, for each line, for each so many bytes.
inline double l1Cycles(const MemoryCount& m, const target::Target& target) {
  return std::max({static_cast<double>(m.globalRequests() + m.localRequests), static_cast<double>(m.lines),
                   static_cast<double>(m.sectors) * 32 / target.l1BytesPerCycle});
}

inline double sharedCycles(const MemoryCount& m, const target::Target& target) {
  return static_cast<double>(m.wavefronts) *
         std::max(1.0, target.banks * target.bankBytes / target.sharedBytesPerCycle);
}

}  // namespace hone::sim
