// Before: a thread takes its flat id apart, `c = i % C; t = i / C % T; b = i / (C * T)`. After: these are
// axes of the grid, and the id is made of them where it is still asked for.
#pragma once

#include "passes/recipe/Pass.h"

namespace hone::passes {

struct UnflattenOptions {
  std::optional<int64_t> x = {}, y = {};  // threads of a block along an axis
  std::optional<int64_t> levels = {};     // axes that are divided off; nothing: what saves most divisions
};

const PassOf<UnflattenOptions>& unflattenPass();

LaunchResult unflatten(const ir::LaunchStep& launch, const UnflattenOptions& options, PassContext& context);

}  // namespace hone::passes
