// Before: the last step of a tree and what is done with the total stand under one condition. After: under the
// same condition each, so that the steps can be told from the rest.
#pragma once

#include "passes/reduce/TreeRun.h"

namespace hone::passes {

// The kernel with `if (t < 32) { steps; o[…] = …; }` as two such ifs, where all threads know the condition
// and nothing changes it. The same where there are none.
ir::KernelPtr withTailsSplit(const ir::KernelPtr& kernel, const std::array<unsigned, 3>& block);

}  // namespace hone::passes
