// Taking plans apart and putting them together again.
#pragma once

#include <functional>

#include "ir/Plan.h"

namespace hone::passes {

// The launches of the fast branch in order: choices are followed into `then`, loops into their body.
std::vector<const ir::LaunchStep*> launchesOf(const ir::Plan& plan);

// The plan with each launch of the fast branch replaced by what `fn` makes of it.
ir::PlanPtr mapLaunches(const ir::PlanPtr& plan, const std::function<ir::Step(const ir::LaunchStep&)>& fn);

// Whether an expression of a plan can be worked out before its first step: it uses the original's parameters
// alone.
bool isKnownAtStart(const ir::ExprPtr& ofPlan, const ir::Kernel& original);

// The plan where `condition` holds, else the original launch. A condition that the plan already begins with
// is extended.
ir::PlanPtr onlyWhere(const ir::PlanPtr& plan, const ir::ExprPtr& condition);

// The condition that a plan begins with; null: none.
ir::ExprPtr conditionOf(const ir::Plan& plan);

// Threads of a block where they are numbers.
std::optional<std::array<unsigned, 3>> fixedBlock(const ir::LaunchStep& launch);

// Whether a launch runs under the geometry, arguments and parameters of the original, so that its kernel may
// stand in the original's place.
bool keepsGeometry(const ir::LaunchStep& launch, const ir::Kernel& original);

// Takes away parameters that the kernel does not use, and what the launch hands over for them.
void dropUnusedParameters(ir::Kernel& kernel, ir::LaunchStep& step);

}  // namespace hone::passes
