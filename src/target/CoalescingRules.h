// How a target turns the addresses of a warp into transactions with memory: rule sets by name, chosen in the
// target's file.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace hone::target {

struct Target;

enum class CoalescingRule : uint8_t {
  Strict16,  // compute capability 1.0: lane t of a half warp at word t of an aligned segment, or each lane by
             // itself
  Segments,  // 1.2, 1.3: half warps; the segments they touch, halved while half of one suffices
  Lines,     // 2.x through L1: 128-byte lines, half or quarter warps for 8 or 16 bytes a lane
  Sectors    // later: 32-byte sectors of the whole warp
};
CoalescingRule coalescingRule(std::string_view name);  // throws hone::Error for an unknown name
const char* str(CoalescingRule rule);

// Whether accesses are served by half warps: blocks then begin as one and grow by merging.
bool worksByHalfWarps(const Target& target);

struct Transaction {
  uint64_t address = 0;
  unsigned bytes = 0;
};

struct Transactions {
  std::array<Transaction, 64> list;
  unsigned count = 0;
  unsigned groups = 0;  // half warps, or warps, that asked for something
  unsigned coalesced =
      0;  // of them: in order and aligned (strict16), or with no more transactions than their bytes need
};

// `bytes` per lane: 1, 2, 4, 8 or 16. `lineBytes` is that of the L1, for the rule of lines.
Transactions coalesce(CoalescingRule rule, const uint64_t* address, uint32_t mask, unsigned bytes,
                      unsigned lineBytes = 128);

}  // namespace hone::target
