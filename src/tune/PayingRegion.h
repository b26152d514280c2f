// The largest part of the sizes, cut off by few bounds, in which a variant was never seen to lose.
#pragma once

#include "tune/SizeClasses.h"

namespace hone::tune {

// A test of sizes, or its opposite.
struct SizeBound {
  SizeTest test;
  bool isSmall = true;  // the test holds
  bool holds(const std::map<std::string, int64_t>& sizes) const { return test.holds(sizes) == isSmall; }
};

// What a variant gains at some sizes: the time before through the time after.
struct GainAt {
  std::map<std::string, int64_t> sizes;
  double gain = 1;
};

struct PayingRegion {
  bool isNone = false;
  std::vector<SizeBound> bounds = {};  // all of them; empty: everywhere
};

// No size of `known` at which the variant loses lies within the bounds, and the first one does, at which it
// must gain. Of such regions it is the one with the largest gains in all, then with the fewest and simplest
// bounds. A bound lies between sizes inside and outside, no nearer to those outside than where the gain
// would be gone. `gridNames` decide how many threads there are: bounds of their product come first.
PayingRegion payingRegion(const std::vector<GainAt>& known, const std::set<std::string>& gridNames);

}  // namespace hone::tune
