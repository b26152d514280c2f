// Loops whose threads take the elements of their own that lie a stride apart, by steps of whole blocks:
//   for (i = id; i < n; i += stride) …
// becomes
//   for (start = id - threadIdx.x; start < n; start += stride) { i = start + threadIdx.x; if (i < n) … }
// so that threads of a block take each step together, and neighbours can be merged.
#pragma once

#include "passes/recipe/Context.h"
#include "passes/recipe/Pass.h"

namespace hone::passes {

// Nothing where it has no such loop, or where it cannot be tested before the launch that numbers do not wrap.
std::optional<LaunchResult> withBlockSteps(const ir::LaunchStep& launch, PassContext& context);

}  // namespace hone::passes
