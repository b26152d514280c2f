// Before: a block, or a warp, makes a sum: its threads share the iterations of a loop and put their parts
// together by hand. After: one thread makes it by a plain loop, which may be shared out anew.
#pragma once

#include "passes/recipe/Pass.h"

namespace hone::passes {

struct UntreeOptions {
  std::optional<int64_t> x;
};

const PassOf<UntreeOptions>& untreePass();

LaunchResult untree(const ir::LaunchStep& launch, const UntreeOptions& options, PassContext& context);

}  // namespace hone::passes
