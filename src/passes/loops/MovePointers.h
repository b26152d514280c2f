// Before: each iteration of a loop works out from its counter where in an array it loads. After: a pointer is
// set before the loop and moves along by the same distance in every iteration.
#pragma once

#include "passes/loops/MovingAddresses.h"
#include "passes/recipe/Pass.h"

namespace hone::passes {

struct MovePointersOptions {
  std::vector<std::string> arrays = {};  // empty: all that are accessed several elements at a time
  std::optional<MovingForm> how = {};
};

const PassOf<MovePointersOptions>& movePointersPass();

LaunchResult movePointers(const ir::LaunchStep& launch, const MovePointersOptions& options,
                          PassContext& context);

}  // namespace hone::passes
