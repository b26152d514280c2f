// Before: the compiler guesses how many threads of a multiprocessor run at a time, and keeps registers for
// them. After: it is told (__launch_bounds__).
#pragma once

#include "passes/recipe/Pass.h"

namespace hone::passes {

struct LaunchBoundsOptions {
  std::optional<int64_t> threads = {};  // of a multiprocessor
};

const PassOf<LaunchBoundsOptions>& launchBoundsPass();

LaunchResult setLaunchBounds(const ir::LaunchStep& launch, const LaunchBoundsOptions& options,
                             PassContext& context);

}  // namespace hone::passes
