// Before: all threads of a block go through a loop with barriers, also in blocks that lie wholly where a mask
// (`if (column > row) return;`) leaves them nothing to do. After: such blocks leave before it.
#pragma once

#include "passes/recipe/Pass.h"

namespace hone::passes {

const PassOf<NoOptions>& skipBlocksPass();

LaunchResult skipBlocks(const ir::LaunchStep& launch, const NoOptions& options, PassContext& context);

}  // namespace hone::passes
