// How the lanes of a warp share requests to global memory: sectors, lines and transactions of one access, and
// why.
#pragma once

#include "affine/Evaluate.h"
#include "analysis/LanePattern.h"
#include "analysis/Span.h"
#include "target/CoalescingRules.h"
#include "target/Target.h"

namespace hone::analysis {

// By what rules requests are counted. Arrays are taken to begin at multiples of 256 bytes, as allocations do.
struct MemoryRules {
  target::CoalescingRule rule = target::CoalescingRule::Sectors;
  unsigned lineBytes = 128;  // for the rule of lines
  static MemoryRules of(const target::Target& target);
};

enum class CoalescingVerdict : uint8_t {
  Coalesced,   // no more transactions than the bytes need
  Broadcast,   // lanes of a warp read one element, or few
  Misaligned,  // neighbours touch neighbouring elements, which straddle one more transaction
  DependsOn,   // aligned at times: on what it depends is the reason
  Strided,     // neighbours are further apart, or turned round
  Scattered,   // numbers without order
  Unknown
};
const char* str(CoalescingVerdict verdict);  // "coalesced", …

// Of one execution by a warp with all the lanes that its pattern has; wide or less aligned accesses are
// several requests, counted together. Where warps may be partial, one with fewer lanes has no more than
// `max`.
struct RequestCost {
  Span requests, sectors, lines, transactions, leastSectors;
  friend bool operator==(const RequestCost&, const RequestCost&) = default;
};

// Warps that cost the same.
struct WarpCost {
  std::vector<unsigned> warps;
  std::string when;  // in which case, see WarpPattern
  unsigned lanes = 0;
  RequestCost cost;
};

struct Coalescing {
  CoalescingVerdict verdict = CoalescingVerdict::Unknown;
  std::string
      reason;  // in words: "stride w", "misaligned by 4 bytes", "depends on loop i"; empty when coalesced
  bool isCoalesced = false;  // by the rule, in every case and warp
  affine::Exactness exactness =
      affine::Exactness::Unknown;  // Exact: every execution costs what `cost` says, which is one number each
  std::string inexact;             // why not
  RequestCost cost;                // over all warps and cases
  std::vector<WarpCost> warps;
  std::optional<affine::Poly> stride;  // bytes from lane to lane, where there is one stride
  Residues alignment;                  // of the first lane's address, modulo 128; of the first warp
  std::vector<unsigned> requirements;  // of the model: what the answer relies on
};
Coalescing coalescing(PerThread& perThread, const affine::Access& access, const MemoryRules& rules);
inline Coalescing coalescing(const affine::KernelModel& model, const affine::Access& access,
                             const MemoryRules& rules) {
  PerThread perThread(model);
  return coalescing(perThread, access, rules);
}

// Sums over a launch.
struct CoalescingTotals {
  bool known = false;
  std::string unknown;  // why not
  uint64_t requests = 0, lanes = 0, bytes = 0, sectors = 0, leastSectors = 0, lines = 0, transactions = 0;
  uint64_t groups = 0, coalescedGroups = 0;  // half warps or warps, as the rule counts
  friend bool operator==(const CoalescingTotals&, const CoalescingTotals&) = default;
};
// Looks at up to `limit` executions of single lanes, in one of the blocks that are alike for all of them.
CoalescingTotals coalescingTotals(const affine::KernelModel& model, const affine::Access& access,
                                  const affine::Launch& launch, const MemoryRules& rules,
                                  uint64_t limit = 50'000'000);

// Adds what one execution of `bytes` a lane at these addresses costs, moved `unit` bytes at most at a time.
void addRequest(CoalescingTotals& totals, const uint64_t* address, uint32_t mask, unsigned bytes,
                bool isAtomic, const MemoryRules& rules, unsigned unit = 16);

}  // namespace hone::analysis
