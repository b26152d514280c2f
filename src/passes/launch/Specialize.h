// Before: one kernel for all values of a parameter. After: a kernel of its own for launches in which the
// parameter has a given value, the number in its place; the others run what ran before. Later passes work on
// both.
#pragma once

#include "passes/recipe/Registry.h"

namespace hone::passes {

PassResult specialize(const ir::PlanPtr& plan, const PassCall& call, PassContext& context);

}  // namespace hone::passes
