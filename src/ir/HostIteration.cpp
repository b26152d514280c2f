#include "ir/HostIteration.h"

#include <algorithm>

#include "ir/Build.h"
#include "ir/PlanWalk.h"

namespace hone::ir {

namespace {

const LaunchStep& launchOf(const Plan& plan) { return std::get<LaunchStep>(plan.steps.front()); }

// x * 2 * 2 as x * 4, x + 1 + 1 as x + 2: what an iteration does to the counter, several times.
class Gather : public Rewriter {
 protected:
  ExprPtr mapExpr(const ExprPtr& e) override {
    const auto* outer = as<Binary>(e);
    const auto* inner = outer ? as<Binary>(outer->lhs) : nullptr;
    if (!inner || inner->op != outer->op || (outer->op != BinaryOp::Mul && outer->op != BinaryOp::Add))
      return e;
    const auto a = constantValue(inner->rhs), b = constantValue(outer->rhs);
    constexpr int64_t most = 1 << 15;  // so that the two together fit any type that C computes in
    if (!a || !b || *a < 0 || *b < 0 || *a > most || *b > most) return e;
    const int64_t both = outer->op == BinaryOp::Mul ? *a * *b : *a + *b;
    return binary(outer->op, inner->lhs, intLit(both, outer->rhs->type));
  }
};

// An expression over the values of an iteration, with these values.
ExprPtr inIteration(const ExprPtr& e, const Substitution& values) {
  return simplified(Gather().rewrite(substituted(e, values)));
}

PlanPtr reference(const Plan& plan, unsigned around) {
  const unsigned iterations = plan.iterations ? plan.iterations : around;
  if (const auto* choice = onlyStep<ChoiceStep>(plan); choice && doesIterations(plan))
    return planOf(plan.original, {ChoiceStep{choice->cond, reference(*choice->then, iterations),
                                             choice->otherwise ? reference(*choice->otherwise, iterations)
                                                               : repeatedPlan(plan.original, iterations)}});
  return repeatedPlan(plan.original, iterations);
}

}  // namespace

Substitution afterIterations(const Kernel& kernel, unsigned count) {
  Substitution values;
  const HostIteration& iteration = *kernel.iteration;
  for (const VarPtr& param : kernel.params) values.emplace_back(param, ref(param));
  const bool ownCounter =
      std::find(kernel.params.begin(), kernel.params.end(), iteration.counter) == kernel.params.end();
  if (ownCounter) values.emplace_back(iteration.counter, ref(iteration.counter));
  for (unsigned i = 0; i < count; ++i) {
    Substitution next = values;
    for (size_t p = 0; p < iteration.args.size(); ++p)
      next[p].second = inIteration(iteration.args[p], values);
    if (ownCounter) next.back().second = inIteration(iteration.next, values);
    values = std::move(next);
  }
  return values;
}

ExprPtr iterationsDue(const Kernel& kernel, unsigned count) {
  ExprPtr due;
  for (unsigned i = 0; i + 1 < count; ++i)
    due = andAlso(due, inIteration(kernel.iteration->again, afterIterations(kernel, i)));
  return due;
}

PlanPtr repeatedPlan(const KernelPtr& kernel, unsigned count) {
  const PlanPtr once = originalPlan(kernel);
  if (count <= 1) return once;
  auto plan = std::make_shared<Plan>();
  plan->original = kernel;
  plan->iterations = count;
  for (unsigned i = 0; i < count; ++i) {
    LaunchStep launch = launchOf(*once);
    const Substitution values = afterIterations(*kernel, i);
    for (size_t p = 0; p < launch.args.size(); ++p) launch.args[p] = values[p].second;
    plan->steps.emplace_back(std::move(launch));
  }
  return plan;
}

unsigned mostIterations(const Plan& plan) {
  unsigned most = plan.iterations;
  walkSteps(plan, Branches::All, [&](const Step& step) {
    if (const auto* choice = std::get_if<ChoiceStep>(&step))
      most =
          std::max({most, choice->then->iterations, choice->otherwise ? choice->otherwise->iterations : 0});
    if (const auto* loop = std::get_if<LoopStep>(&step)) most = std::max(most, loop->body->iterations);
  });
  return most;
}

bool doesIterations(const Plan& plan) { return mostIterations(plan) > 1; }

PlanPtr referencePlan(const Plan& plan) { return reference(plan, 1); }

}  // namespace hone::ir
