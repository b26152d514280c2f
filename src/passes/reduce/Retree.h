// Before: the threads of a block put their values together step by step, with a barrier after each. After:
// by shuffles in each warp and one step through shared memory.
#pragma once

#include "passes/recipe/Pass.h"

namespace hone::passes {

struct RetreeOptions {};

const PassOf<RetreeOptions>& retreePass();

LaunchResult retree(const ir::LaunchStep& launch, const RetreeOptions& options, PassContext& context);

}  // namespace hone::passes
