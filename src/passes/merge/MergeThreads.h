// Before: a thread for each piece of work. After: each thread does the pieces of several threads, in
// lockstep, and loads once what they share.
#pragma once

#include "passes/recipe/Registry.h"

namespace hone::passes {

LaunchResult mergeThreads(const ir::LaunchStep& launch, const PassCall& call, PassContext& context);

}  // namespace hone::passes
