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

void collect(const Plan& plan, std::vector<const LaunchStep*>& out) {
  for (const Step& step : plan.steps) {
    if (const auto* launch = std::get_if<LaunchStep>(&step)) out.push_back(launch);
    if (const auto* choice = std::get_if<ChoiceStep>(&step)) collect(*choice->then, out);
    if (const auto* loop = std::get_if<LoopStep>(&step)) collect(*loop->body, out);
  }
}

const ChoiceStep* leadingChoice(const Plan& plan) {
  return plan.steps.size() == 1 ? std::get_if<ChoiceStep>(&plan.steps[0]) : nullptr;
}

// a && b && c, from the left, as it is written without parentheses.
ExprPtr joined(ExprPtr first, const ExprPtr& more) {
  for (const ExprPtr& part : conjuncts(more)) first = andAlso(first, part);
  return first;
}

}  // namespace

std::vector<const LaunchStep*> launchesOf(const Plan& plan) {
  std::vector<const LaunchStep*> out;
  collect(plan, out);
  return out;
}

PlanPtr mapLaunches(const PlanPtr& plan, const std::function<Step(const LaunchStep&)>& fn) {
  auto copy = std::make_shared<Plan>(*plan);
  for (Step& step : copy->steps) {
    if (auto* launch = std::get_if<LaunchStep>(&step))
      step = fn(LaunchStep(*launch));
    else if (auto* choice = std::get_if<ChoiceStep>(&step))
      choice->then = mapLaunches(choice->then, fn);
    else if (auto* loop = std::get_if<LoopStep>(&step))
      loop->body = mapLaunches(loop->body, fn);
  }
  return copy;
}

bool isKnownAtStart(const ExprPtr& ofPlan, const Kernel& original) {
  bool known = true;
  walkExprs(ofPlan, [&](const Expr& e) {
    const auto* var = e.as<VarRef>();
    if (var && std::find(original.params.begin(), original.params.end(), var->var) == original.params.end())
      known = known && var->var->storage == Storage::Global;
  });
  return known;
}

PlanPtr onlyWhere(const PlanPtr& plan, const ExprPtr& wanted) {
  const ExprPtr condition = simplifiedUnder(conjuncts(conditionOf(*plan)), wanted);
  if (!condition) return plan;
  auto copy = std::make_shared<Plan>();
  copy->original = plan->original;
  if (const ChoiceStep* choice = leadingChoice(*plan))
    copy->steps = {ChoiceStep{joined(choice->cond, condition), choice->then, choice->otherwise}};
  else
    copy->steps = {ChoiceStep{condition, plan, originalPlan(plan->original)}};
  return copy;
}

ExprPtr conditionOf(const Plan& plan) {
  const ChoiceStep* choice = leadingChoice(plan);
  return choice ? choice->cond : nullptr;
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
