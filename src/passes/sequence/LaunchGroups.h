// Which threads of the steps of a run hand values to each other: closed groups, found with small numbers for
// the sizes. What is found is a guess that must be proved (LaunchFlow.h).
#pragma once

#include "passes/sequence/LaunchCode.h"
#include "passes/sequence/LaunchValues.h"

namespace hone::passes {

struct LaunchGroups {
  LaunchSizes sizes;
  // By step and member: the number of the thread in its launch, over the digits of the group's number.
  std::vector<std::vector<affine::Poly>> threads;
};

// The sizes that the steps know; `count` and `share` are for the caller to try. Refuses steps
// whose numbers of threads or subscripts are made of more than that.
Result<LaunchSizes> sizesOf(const std::vector<LaunchCode>& steps);
// Whether steps divide the divisor itself, so that shares other than 1 are worth a try.
bool sharesDivisor(const std::vector<LaunchCode>& steps, const LaunchSizes& sizes);

// Values of `count` that may be right, at most `most`: products of 2, 3 and what the steps multiply and
// divide by.
std::vector<int64_t> countsToTry(const std::vector<LaunchCode>& steps, int64_t most);

// The guess for one value of `count`; nothing where no groups of at most `most` threads of a step come out.
std::optional<LaunchGroups> groupsOf(const std::vector<LaunchCode>& steps, const LaunchSizes& sizes,
                                     size_t most);

}  // namespace hone::passes
