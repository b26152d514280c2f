// Counters that a function declares once for several loops, as C of old did, become each loop's own.
#pragma once

#include "ir/Kernel.h"

namespace hone::passes {

// `int k; for (k = 0; …)` as `for (int k = 0; …)` where nothing outside such loops mentions k. The same
// kernel where there is nothing to do.
ir::KernelPtr withLoopLocalCounters(const ir::KernelPtr& kernel);

}  // namespace hone::passes
