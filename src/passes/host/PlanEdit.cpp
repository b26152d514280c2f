#include "passes/host/PlanEdit.h"

#include <algorithm>

#include "ir/Build.h"
#include "ir/Compare.h"
#include "ir/Walk.h"
#include "passes/edit/Axes.h"
#include "passes/edit/SimplifyUnder.h"

namespace hone::passes {

using namespace ir;

namespace {

// Whether an expression of a plan can be worked out before its first step.
bool isKnownAtStart(const ExprPtr& ofPlan, const Kernel& original) {
  bool known = true;
  walkExprs(ofPlan, [&](const Expr& e) {
    const auto* var = e.as<VarRef>();
    if (var && std::find(original.params.begin(), original.params.end(), var->var) == original.params.end())
      known = known && var->var->storage == Storage::Global;
  });
  return known;
}

// a && b && c, from the left, as it is written without parentheses.
ExprPtr joined(ExprPtr first, const ExprPtr& more) {
  for (const ExprPtr& part : conjuncts(more)) first = andAlso(first, part);
  return first;
}

}  // namespace

PlanPtr onlyWhere(const PlanPtr& plan, const ExprPtr& wanted, bool ofBoth) {
  const auto* choice = onlyStep<ChoiceStep>(*plan);
  if (choice && ofBoth && !isLaunchOf(*choice->otherwise, plan->original)) choice = nullptr;
  const ExprPtr condition =
      simplifiedUnder(choice ? conjuncts(choice->cond) : std::vector<ExprPtr>{}, wanted);
  if (!condition) return plan;
  if (choice)
    return planOf(plan->original,
                  {ChoiceStep{joined(choice->cond, condition), choice->then, choice->otherwise}});
  return planOf(plan->original, {ChoiceStep{condition, plan, originalPlan(plan->original)}});
}

ExprPtr conditionOf(const Plan& plan) {
  const auto* choice = onlyStep<ChoiceStep>(plan);
  return choice ? choice->cond : nullptr;
}

std::vector<Step> LaunchConditions::choose(const ExprPtr& condition, std::vector<Step> now,
                                           std::vector<Step> before) {
  ExprPtr late;
  for (const ExprPtr& part : conjuncts(condition))
    if (isKnownAtStart(part, *original))
      known.push_back(part);
    else
      late = andAlso(late, part);
  if (!late) return now;
  return {ChoiceStep{late, planOf(original, std::move(now)), planOf(original, std::move(before))}};
}

PlanPtr LaunchConditions::atStartOf(PlanPtr plan) const {
  for (const ExprPtr& condition : known) plan = onlyWhere(plan, condition, ofBoth);
  return plan;
}

std::optional<std::array<unsigned, 3>> fixedBlock(const LaunchStep& launch) {
  std::array<unsigned, 3> block{};
  for (size_t axis = 0; axis < 3; ++axis) {
    auto number = constantValue(launch.block[axis]);
    if (!number || *number < 1) return std::nullopt;
    block[axis] = static_cast<unsigned>(*number);
  }
  return block;
}

bool keepsGeometry(const LaunchStep& launch, const Kernel& original) {
  for (unsigned axis = 0; axis < 3; ++axis)
    if (!isCoord(launch.grid[axis], CoordKind::GridDim, axis) ||
        !isCoord(launch.block[axis], CoordKind::BlockDim, axis))
      return false;
  if (launch.sharedBytes || launch.cooperative || launch.args.size() != original.params.size()) return false;
  for (size_t i = 0; i < launch.args.size(); ++i) {
    const auto* var = as<VarRef>(launch.args[i]);
    if (!var || var->var != original.params[i]) return false;
  }
  return true;
}

void dropUnusedParameters(Kernel& kernel, LaunchStep& step) {
  std::set<const Variable*> used;
  walkExprs(kernel.body, [&](const Expr& e) {
    if (const auto* var = e.as<VarRef>()) used.insert(var->var.get());
  });
  for (size_t p = kernel.params.size(); p-- > 0;) {
    if (used.contains(kernel.params[p].get())) continue;
    kernel.params.erase(kernel.params.begin() + static_cast<std::ptrdiff_t>(p));
    step.args.erase(step.args.begin() + static_cast<std::ptrdiff_t>(p));
  }
}

}  // namespace hone::passes
