// Loops that go on from a variable that was declared before them.
#pragma once

#include "ir/Kernel.h"

namespace hone::passes {

// `int i = id; for (; i < n; …)` as `for (int i = id; i < n; …)`, where nothing else names the variable. The
// same kernel where there is nothing to do.
ir::KernelPtr withBegunCounters(const ir::KernelPtr& kernel);

}  // namespace hone::passes
