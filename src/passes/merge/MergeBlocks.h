// Before: small blocks that load the same. After: several of them in one block, which loads it once; what
// they do not share is kept apart.
#pragma once

#include "passes/recipe/Pass.h"

namespace hone::passes {

struct MergeBlocksOptions {
  std::optional<int64_t> x = {}, y = {}, z = {};  // blocks in one along an axis
};

const PassOf<MergeBlocksOptions>& mergeBlocksPass();

LaunchResult mergeBlocks(const ir::LaunchStep& launch, const MergeBlocksOptions& options,
                         PassContext& context);

}  // namespace hone::passes
