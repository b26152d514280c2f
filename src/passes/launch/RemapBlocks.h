// Before: blocks run along the rows of the grid. After: they run along diagonals, so that neighbours ask
// different partitions of memory, or in groups of rows or columns, so that what they share stays in the L2.
#pragma once

#include "passes/recipe/Registry.h"

namespace hone::passes {

LaunchResult remapBlocks(const ir::LaunchStep& launch, const PassCall& call, PassContext& context);

}  // namespace hone::passes
