// Walks over the steps of plans, and plans made of the steps of others.
#pragma once

#include <functional>

#include "ir/Plan.h"

namespace hone::ir {

// Which sides of choices are meant: those in which fast code stands, `then`, or both.
enum class Branches : uint8_t { Fast, All };

// Every step in order; a choice or a loop comes before what stands in it.
void walkSteps(const Plan& plan, Branches branches, const std::function<void(const Step&)>& fn);
std::vector<const LaunchStep*> launchesOf(const Plan& plan, Branches branches = Branches::Fast);

// The plan with each launch replaced by what `fn` makes of it: one step, or any number.
PlanPtr mapLaunches(const PlanPtr& plan, const std::function<Step(const LaunchStep&)>& fn,
                    Branches branches = Branches::Fast);
PlanPtr expandLaunches(const PlanPtr& plan, const std::function<std::vector<Step>(const LaunchStep&)>& fn,
                       Branches branches = Branches::Fast);

// A plan of these steps, as many iterations as the plan around it.
PlanPtr planOf(KernelPtr original, std::vector<Step> steps);

// The step of a plan that has no other, where it is of this kind; null otherwise.
template <class Kind>
const Kind* onlyStep(const Plan& plan) {
  return plan.steps.size() == 1 ? std::get_if<Kind>(&plan.steps[0]) : nullptr;
}
// Whether a plan does nothing but launch this kernel once.
bool isLaunchOf(const Plan& plan, const KernelPtr& kernel);

}  // namespace hone::ir
