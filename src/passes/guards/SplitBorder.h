// Before: tests like `x + dx < w` at every access, which hold for all threads but those at the border. After:
// threads ask once; where all of these tests would hold they run a form of the code without them, else the
// code as it was.
#pragma once

#include "passes/recipe/Pass.h"

namespace hone::passes {

const PassOf<NoOptions>& splitBorderPass();

LaunchResult splitBorder(const ir::LaunchStep& launch, const NoOptions& options, PassContext& context);

}  // namespace hone::passes
