// A launch of a capture that is too large for the embedded device, made smaller so that its numbers still fit
// each other.
#pragma once

#include <cstdint>
#include <set>
#include <string>

#include "device/CapturedCase.h"

namespace hone::device {

struct SmallLaunch {
  uint64_t threads = 1 << 17;  // at most, in the grid
  int64_t size = INT64_MAX;    // at most, of every one of `sizes`
};

// The launch with smaller `sizes`, the paths of numbers that say how large the problem is. What is seen to
// follow from others still does: equal numbers, most products, multiples, a number and one next to it, and
// blocks that cover a number. Blocks along an axis that follows from nothing are left out.
CapturedCase smallerLaunch(const CapturedCase& launch, const std::set<std::string>& sizes,
                           const SmallLaunch& most);

}  // namespace hone::device
