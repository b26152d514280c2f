// Before: a loop reads (and writes) one element of memory in every iteration. After: the element lives in a
// register meanwhile, loaded before the loop and stored after it.
#pragma once

#include "passes/recipe/Pass.h"

namespace hone::passes {

struct PromoteOptions {
  std::vector<std::string> names = {};   // arrays and accesses; empty: all that can be
  std::optional<std::string> loop = {};  // only during this one
};

const PassOf<PromoteOptions>& promotePass();

LaunchResult promoteElements(const ir::LaunchStep& launch, const PromoteOptions& options,
                             PassContext& context);

}  // namespace hone::passes
