// Before: a thread touches neighbouring elements one by one, in straight lines or in loops of few iterations.
// After: 64- and 128-bit accesses through the vector types of the language, where the launch's pointers and
// sizes are aligned; where they are not, the plan as it was before.
#pragma once

#include "passes/recipe/Registry.h"

namespace hone::passes {

PassResult vectorizeAccesses(const ir::PlanPtr& plan, const PassCall& call, PassContext& context);

// Arrays of global memory with neighbouring elements that a thread touches one by one, and none of which it
// touches together with others.
std::vector<std::string> arraysToWiden(const ir::LaunchStep& launch, PassContext& context);

}  // namespace hone::passes
