#pragma once

#include "passes/recipe/Pass.h"

namespace hone::passes {

// Compilers put the reduction of huge arguments beside every call of sin, cos and tan. Where the argument is
// known to be small they are told so.
const PassOf<NoOptions>& boundArgumentsPass();

LaunchResult boundArguments(const ir::LaunchStep& launch, const NoOptions& options, PassContext& context);

}  // namespace hone::passes
