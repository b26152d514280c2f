// Before: a thread touches neighbouring elements one by one, in straight lines or in loops of few rounds. After: 64- and 128-bit accesses through the
// vector types of the language, where the launch's pointers and sizes are aligned; where they are not, the plan as it was before.
#pragma once

#include "passes/Registry.h"

namespace hone::passes {

PassResult vectorizeAccesses(const ir::PlanPtr& plan, const PassCall& call, PassContext& context);

}  // namespace hone::passes
