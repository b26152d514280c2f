// Before: global memory is written that nobody reads, neither this kernel nor the user after it. After: these
// stores are gone, and what was computed for them alone.
#pragma once

#include "passes/recipe/Registry.h"

namespace hone::passes {

PassResult dropTemporaries(const ir::PlanPtr& plan, const PassCall& call, PassContext& context);

}  // namespace hone::passes
