#include "ir/SafeTests.h"

#include <algorithm>
#include <set>

#include "ir/Build.h"
#include "ir/Compare.h"
#include "ir/Overflow.h"
#include "ir/PlanWalk.h"
#include "ir/Walk.h"

namespace hone::ir {

namespace {

PlanPtr withSafeChoices(const PlanPtr& plan) {
  auto copy = std::make_shared<Plan>(*plan);
  for (Step& step : copy->steps) {
    if (auto* choice = std::get_if<ChoiceStep>(&step)) {
      // Of two choices that exclude each other both must stay as they are.
      if (!choice->otherwise->steps.empty()) choice->cond = withoutOverflow(choice->cond);
      choice->then = withSafeChoices(choice->then);
      choice->otherwise = withSafeChoices(choice->otherwise);
    }
    if (auto* loop = std::get_if<LoopStep>(&step)) loop->body = withSafeChoices(loop->body);
    if (auto* launch = std::get_if<LaunchStep>(&step))
      for (ExprPtr& arg : launch->args)
        if (const ExprPtr test = withoutCasts(arg); test->type->is(TypeKind::Bool) && as<Binary>(test))
          arg = convert(withoutOverflow(test), arg->type);
  }
  return copy;
}

// Parameters of unsigned 64 bits that a kernel takes for signed ones.
std::set<std::string> takenForSigned(const Kernel& kernel) {
  std::set<std::string> names;
  walkExprs(kernel.body, [&](const Expr& e) {
    const auto* cast = e.as<Cast>();
    if (!cast || !sameType(e.type, int64()) || !sameType(cast->operand->type, uint64())) return;
    walkExprs(cast->operand, [&](const Expr& part) {
      const auto* var = part.as<VarRef>();
      if (var && var->var->storage == Storage::Param) names.insert(var->var->name);
    });
  });
  return names;
}

// The limits that a condition does not ask for yet, before it; null: neither.
ExprPtr withLimits(const ExprPtr& limits, const ExprPtr& condition) {
  const std::vector<ExprPtr> known = conjuncts(condition);
  ExprPtr all;
  for (const ExprPtr& limit : conjuncts(limits))
    if (std::none_of(known.begin(), known.end(), [&](const ExprPtr& one) { return equal(one, limit); }))
      all = andAlso(all, limit);
  for (const ExprPtr& part : known) all = andAlso(all, part);
  return all ? all : condition;
}

// Bounds for what new kernels of a plan take for signed numbers and the original does not.
ExprPtr limitsOf(const Plan& plan) {
  const std::set<std::string> before = takenForSigned(*plan.original);
  ExprPtr all;
  for (const LaunchStep* launch : launchesOf(plan)) {
    if (launch->kernel == plan.original) continue;
    const std::set<std::string> now = takenForSigned(*launch->kernel);
    for (size_t i = 0; i < launch->args.size(); ++i) {
      const ExprPtr arg = withoutCasts(launch->args[i]);
      const std::string& name = launch->kernel->params[i]->name;
      if (now.contains(name) && !before.contains(name)) all = withLimits(asSigned(arg), all);
    }
  }
  return all;
}

}  // namespace

PlanPtr withSafeTests(const PlanPtr& given) {
  PlanPtr plan = given;
  if (const ExprPtr limits = limitsOf(*plan)) {
    const auto* choice = onlyStep<ChoiceStep>(*plan);
    if (choice && !choice->otherwise->steps.empty()) {
      auto copy = std::make_shared<Plan>(*plan);
      std::get<ChoiceStep>(copy->steps[0]).cond = withLimits(limits, choice->cond);
      plan = copy;
    } else {
      plan = planOf(plan->original, {ChoiceStep{limits, plan, originalPlan(plan->original)}});
    }
  }
  return withSafeChoices(plan);
}

}  // namespace hone::ir
