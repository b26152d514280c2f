// What must hold before the launch for a run of launches to be one.
#pragma once

#include "passes/recipe/Context.h"
#include "passes/sequence/LaunchFlow.h"

namespace hone::passes {

// Over the plan's variables and the original launch, a part each. Refuses where arrays cannot be told
// apart.
Result<std::vector<ir::ExprPtr>> fuseConditions(const ir::Plan& plan,
                                                const std::vector<const ir::LaunchStep*>& run,
                                                const std::vector<LaunchCode>& steps,
                                                const LaunchGroups& groups, const LaunchFlow& flow,
                                                const PassContext& context);

}  // namespace hone::passes
