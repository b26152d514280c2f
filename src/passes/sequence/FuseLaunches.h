// Before: launches that follow one another, each of which reads what the one before it wrote. After: one
// launch, in which a thread does the work of a closed group of threads of all of them and keeps in registers
// what they hand on.
#pragma once

#include "passes/recipe/Pass.h"

namespace hone::passes {

struct FuseLaunchesOptions {
  std::optional<int64_t> count = {};  // launches that become one at most
};

const PassOf<FuseLaunchesOptions>& fuseLaunchesPass();

PassResult fuseLaunches(const ir::PlanPtr& plan, const FuseLaunchesOptions& options, PassContext& context);

}  // namespace hone::passes
