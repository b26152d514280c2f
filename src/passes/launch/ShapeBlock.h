// Before: a kernel that works under any block shape, launched with some block. After: the same threads in
// blocks of a shape of its own, as numbers.
#pragma once

#include "passes/recipe/Registry.h"

namespace hone::passes {

LaunchResult shapeBlock(const ir::LaunchStep& launch, const PassCall& call, PassContext& context);

}  // namespace hone::passes
