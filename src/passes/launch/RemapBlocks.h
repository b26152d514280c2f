// Before: blocks run along the rows of the grid. After: they run along diagonals, so that neighbours ask
// different partitions of memory, or in groups of rows or columns, so that what they share stays in the L2.
#pragma once

#include "passes/recipe/Pass.h"

namespace hone::passes {

enum class BlockOrder : uint8_t { Diagonal, Columns, Rows };

struct RemapBlocksOptions {
  std::optional<BlockOrder> how = {};  // nothing: what the accesses ask for
  std::optional<int64_t> group = {};   // rows or columns of a group
};

const PassOf<RemapBlocksOptions>& remapBlocksPass();

LaunchResult remapBlocks(const ir::LaunchStep& launch, const RemapBlocksOptions& options,
                         PassContext& context);

}  // namespace hone::passes
