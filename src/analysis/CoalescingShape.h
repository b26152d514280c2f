// Words for what the lanes of a warp do: the part of coalescing that names a pattern.
#pragma once

#include "analysis/Coalescing.h"

namespace hone::analysis {

struct Shape {
  CoalescingVerdict verdict = CoalescingVerdict::Unknown;
  std::string reason;
  std::optional<affine::Poly> stride;
};
// `isCoalesced`: the rule counts no transaction too many in any warp.
Shape describeShape(const affine::KernelModel& model, const affine::Access& access,
                    const LanePattern& pattern, const MemoryRules& rules, bool isCoalesced);

// What addresses of an access are multiples of, by the type that it touches.
unsigned accessAlignment(const affine::KernelModel& model, const affine::Access& access);

// Every block makes the same requests at the same alignment.
bool blocksAreAlike(const affine::KernelModel& model, const affine::Access& access);

}  // namespace hone::analysis
