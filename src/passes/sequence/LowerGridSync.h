// Before: one kernel whose threads wait for the whole grid. After: a launch for each part between such
// barriers, in a loop of launches where the kernel had a loop around one; or the same kernel, launched
// cooperatively.
#pragma once

#include "passes/recipe/Pass.h"

namespace hone::passes {

enum class GridSyncForm : uint8_t { Launches, Cooperative, Loop };

struct GridSyncOptions {
  std::optional<GridSyncForm> how = {};
  std::optional<int64_t> last = {};  // threads of the block that does the last steps
};

const PassOf<GridSyncOptions>& gridSyncPass();

PassResult lowerGridSync(const ir::PlanPtr& plan, const GridSyncOptions& options, PassContext& context);

}  // namespace hone::passes
