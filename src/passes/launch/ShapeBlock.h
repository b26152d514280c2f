// Before: a kernel that works under any block shape, launched with some block. After: the same threads in
// blocks of a shape of its own, as numbers.
#pragma once

#include "passes/recipe/Pass.h"

namespace hone::passes {

struct BlockOptions {
  std::optional<int64_t> x = {}, y = {}, z = {};  // threads along an axis
};

const PassOf<BlockOptions>& blockPass();

LaunchResult shapeBlock(const ir::LaunchStep& launch, const BlockOptions& options, PassContext& context);

}  // namespace hone::passes
