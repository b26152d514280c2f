// Before: what a kernel stores and never reads takes room in the caches from what it reads again.
// After: such stores say that nobody will ask for them soon (__stcs).
#pragma once

#include "passes/recipe/Pass.h"

namespace hone::passes {

struct StreamStoresOptions {
  std::vector<std::string> arrays = {};  // none: all that can be
};

const PassOf<StreamStoresOptions>& streamStoresPass();

LaunchResult streamStores(const ir::LaunchStep& launch, const StreamStoresOptions& options,
                          PassContext& context);

}  // namespace hone::passes
