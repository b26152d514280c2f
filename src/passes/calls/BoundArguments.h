#pragma once

#include "passes/recipe/Registry.h"

namespace hone::passes {

// Compilers put the reduction of huge arguments beside every call of sin, cos and tan. Where the argument is
// known to be small they are told so.
LaunchResult boundArguments(const ir::LaunchStep& launch, const PassCall& call, PassContext& context);

}  // namespace hone::passes
