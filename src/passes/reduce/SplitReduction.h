// Before: one thread does all iterations of a long sum. After: the lanes of a warp, the threads of a block,
// or several blocks share them and put their partial sums together.
#pragma once

#include "passes/recipe/Registry.h"

namespace hone::passes {

PassResult splitReduction(const ir::PlanPtr& plan, const PassCall& call, PassContext& context);

// Handles of loops that can be split.
std::vector<std::string> loopsToSplit(const ir::LaunchStep& launch, PassContext& context);

}  // namespace hone::passes
