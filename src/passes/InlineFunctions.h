// Before: the kernel calls device functions. After: those that touch memory, coordinates or barriers stand in its body.
#pragma once

#include "passes/Registry.h"

namespace hone::passes {

PassResult inlineFunctions(const ir::PlanPtr& plan, const PassCall& call);

}  // namespace hone::passes
