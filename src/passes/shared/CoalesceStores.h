// Before: each thread writes a run of neighbouring elements, out[3 * i], out[3 * i + 1] and out[3 * i + 2],
// so that neighbouring threads write far apart. After: the block collects the runs of its threads in shared
// memory and writes them side by side at the end.
#pragma once

#include "passes/recipe/Registry.h"

namespace hone::passes {

LaunchResult coalesceStores(const ir::LaunchStep& launch, const PassCall& call, PassContext& context);

}  // namespace hone::passes
