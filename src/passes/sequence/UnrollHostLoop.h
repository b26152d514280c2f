// Before: a loop of the host launches the kernel once in every iteration. After: one call launches it for
// several iterations, where so many are due, and the loop goes on behind them.
#pragma once

#include "passes/recipe/Pass.h"

namespace hone::passes {

struct UnrollHostLoopOptions {
  std::optional<int64_t> count = {};  // iterations in one call
};

const PassOf<UnrollHostLoopOptions>& unrollHostLoopPass();

PassResult unrollHostLoop(const ir::PlanPtr& plan, const UnrollHostLoopOptions& options,
                          PassContext& context);

}  // namespace hone::passes
