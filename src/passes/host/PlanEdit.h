// Taking plans apart and putting them together again.
#pragma once

#include "ir/PlanWalk.h"

namespace hone::passes {

// The plan where `condition` holds, else the original launch. A condition that the plan already begins with
// is extended; with `ofBoth` not where the other side of that choice needs it as well.
ir::PlanPtr onlyWhere(const ir::PlanPtr& plan, const ir::ExprPtr& condition, bool ofBoth = false);

// The condition that a plan begins with; null: none.
ir::ExprPtr conditionOf(const ir::Plan& plan);

// What a pass asks for where it changes launches of a plan. What uses the original's parameters alone is
// known when the plan begins, and decides between the whole plan and the original; the rest depends on the
// iteration of a loop of launches, and decides between a launch as it is now and as it was.
class LaunchConditions {
 public:
  explicit LaunchConditions(ir::KernelPtr ofPlan) : original(std::move(ofPlan)) {}
  // The steps that take the place of `before`: `now`, or a choice of the two.
  std::vector<ir::Step> choose(const ir::ExprPtr& condition, std::vector<ir::Step> now,
                               std::vector<ir::Step> before);
  // Steps that are a choice need what is known on both sides of it.
  void needOnBothSides() { ofBoth = true; }
  // The plan that was made of these steps, where all holds that is known when it begins.
  ir::PlanPtr atStartOf(ir::PlanPtr plan) const;

 private:
  ir::KernelPtr original;
  std::vector<ir::ExprPtr> known;  // at the start
  bool ofBoth = false;
};

// Threads of a block where they are numbers.
std::optional<std::array<unsigned, 3>> fixedBlock(const ir::LaunchStep& launch);

// Whether a launch runs under the geometry, arguments and parameters of the original, so that its kernel may
// stand in the original's place.
bool keepsGeometry(const ir::LaunchStep& launch, const ir::Kernel& original);

// Takes away parameters that the kernel does not use, and what the launch hands over for them.
void dropUnusedParameters(ir::Kernel& kernel, ir::LaunchStep& step);

}  // namespace hone::passes
