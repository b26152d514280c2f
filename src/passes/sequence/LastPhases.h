// Steps between grid-wide barriers in which few threads have work: one block can do them, with barriers of
// its own.
#pragma once

#include <optional>

#include "ir/Plan.h"

namespace hone::passes {

// Up to which value of a loop's variable in the plan only the first `threads` threads of a launch touch
// memory: INT64_MAX where it does not matter. Nothing: that cannot be said.
std::optional<int64_t> mostForFew(const ir::LaunchStep& step, const ir::VarPtr& counter, unsigned threads);

// Whether a loop's variable gets smaller from iteration to iteration and never falls below 0 while it runs.
bool fallsToZero(const ir::For& loop);

// A kernel whose threads are known by their place in the grid as one for a single block of the first ones:
// grid-wide barriers are the block's, the number of all threads comes as a parameter. Null where it asks for
// more of the grid.
std::optional<ir::LaunchStep> inOneBlock(const ir::LaunchStep& launch, unsigned threads);

}  // namespace hone::passes
