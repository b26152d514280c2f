// Words for what the lanes of a warp do: the part of coalescing that names a pattern.
#pragma once

#include "analysis/Coalescing.h"

namespace hone::analysis {

struct LaneShape {
  CoalescingVerdict verdict = CoalescingVerdict::Unknown;
  std::string reason;
  std::optional<affine::Poly> stride;
};
// `isCoalesced`: the rule counts no transaction too many in any warp.
LaneShape describeShape(PerThread& perThread, const affine::Access& access, const LanePattern& pattern,
                        const MemoryRules& rules, bool isCoalesced);

}  // namespace hone::analysis
