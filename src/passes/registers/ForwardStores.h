// Before: a loop reads back elements of global memory that its thread stored in earlier iterations. After: so
// many iterations as it has, tested before the launch, are unrolled, and what was stored is kept in registers
// as well.
#pragma once

#include "passes/recipe/Registry.h"

namespace hone::passes {

LaunchResult forwardStores(const ir::LaunchStep& launch, const PassCall& call, PassContext& context);

// Numbers of iterations worth a try: those that a loop has, or such as blocks of rows often have. None where
// no loop can be kept.
std::vector<std::string> iterationsToForward(const ir::LaunchStep& launch, PassContext& context);
// `pull`, and `push` too where some loop's sums can be pushed; none where no loop can be kept.
std::vector<std::string> ordersToForward(const ir::LaunchStep& launch, PassContext& context);

}  // namespace hone::passes
