// Before: each thread writes a run of neighbouring elements, out[3 * i], out[3 * i + 1] and out[3 * i + 2],
// so that neighbouring threads write far apart. After: the block collects the runs of its threads in shared
// memory and writes them side by side at the end.
#pragma once

#include "passes/recipe/Pass.h"

namespace hone::passes {

struct CoalesceStoresOptions {
  std::vector<std::string> arrays = {};  // empty: all that can be
  std::optional<int64_t> wide = {};      // elements that a thread writes at a time
};

const PassOf<CoalesceStoresOptions>& coalesceStoresPass();

LaunchResult coalesceStores(const ir::LaunchStep& launch, const CoalesceStoresOptions& options,
                            PassContext& context);

}  // namespace hone::passes
