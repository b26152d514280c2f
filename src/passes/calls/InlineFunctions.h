// Before: the kernel calls device functions. After: those that touch memory, coordinates or barriers stand in
// its body.
#pragma once

#include "passes/recipe/Pass.h"

namespace hone::passes {

struct InlineOptions {
  std::optional<bool> all = {};  // every call, whatever the function touches
};

const PassOf<InlineOptions>& inlinePass();

LaunchResult inlineFunctions(const ir::LaunchStep& launch, const InlineOptions& options,
                             PassContext& context);

}  // namespace hone::passes
