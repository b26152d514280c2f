// Before: launches that follow one another, each of which reads what the one before it wrote. After: one
// launch, in which a thread does the work of a closed group of threads of all of them and keeps in registers
// what they hand on.
#pragma once

#include "passes/recipe/Registry.h"

namespace hone::passes {

PassResult fuseLaunches(const ir::PlanPtr& plan, const PassCall& call, PassContext& context);

}  // namespace hone::passes
