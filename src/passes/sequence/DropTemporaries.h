// Before: global memory is written that nobody reads, neither this kernel nor the user after it. After: these
// stores are gone, and what was computed for them alone.
#pragma once

#include "passes/recipe/Pass.h"

namespace hone::passes {

struct DropTemporariesOptions {
  std::vector<std::string> arrays = {};  // empty: all that can go
};

const PassOf<DropTemporariesOptions>& dropTemporariesPass();

PassResult dropTemporaries(const ir::PlanPtr& plan, const DropTemporariesOptions& options,
                           PassContext& context);

}  // namespace hone::passes
