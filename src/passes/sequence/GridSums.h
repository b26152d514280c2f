// Threads that put one value each together in halving steps between grid-wide barriers: one sum over all of
// them.
#pragma once

#include "passes/recipe/Pass.h"

namespace hone::passes {

// The launch as a single thread that goes through what all threads of the original would, adds their values
// up in one loop, and does what follows. Meant to be shared out again by split-reduction. `structuredKernel`
// is the launch's kernel with calls inlined and returns gone. No plan: it cannot be done, the remark says
// why.
PassResult sumInOneLoop(const ir::PlanPtr& plan, const ir::LaunchStep& launch,
                        const ir::KernelPtr& structuredKernel, const PassContext& context);

}  // namespace hone::passes
