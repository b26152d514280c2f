#include "ir/PlanWalk.h"

namespace hone::ir {

void walkSteps(const Plan& plan, Branches branches, const std::function<void(const Step&)>& fn) {
  for (const Step& step : plan.steps) {
    fn(step);
    if (const auto* choice = std::get_if<ChoiceStep>(&step)) {
      walkSteps(*choice->then, branches, fn);
      if (branches == Branches::All && choice->otherwise) walkSteps(*choice->otherwise, branches, fn);
    }
    if (const auto* loop = std::get_if<LoopStep>(&step)) walkSteps(*loop->body, branches, fn);
  }
}

std::vector<const LaunchStep*> launchesOf(const Plan& plan, Branches branches) {
  std::vector<const LaunchStep*> found;
  walkSteps(plan, branches, [&](const Step& step) {
    if (const auto* launch = std::get_if<LaunchStep>(&step)) found.push_back(launch);
  });
  return found;
}

PlanPtr expandLaunches(const PlanPtr& plan, const std::function<std::vector<Step>(const LaunchStep&)>& fn,
                       Branches branches) {
  auto copy = std::make_shared<Plan>(*plan);
  copy->steps.clear();
  for (Step step : plan->steps) {
    if (const auto* launch = std::get_if<LaunchStep>(&step)) {
      for (Step& made : fn(*launch)) copy->steps.push_back(std::move(made));
      continue;
    }
    if (auto* choice = std::get_if<ChoiceStep>(&step)) {
      choice->then = expandLaunches(choice->then, fn, branches);
      if (branches == Branches::All && choice->otherwise)
        choice->otherwise = expandLaunches(choice->otherwise, fn, branches);
    }
    if (auto* loop = std::get_if<LoopStep>(&step)) loop->body = expandLaunches(loop->body, fn, branches);
    copy->steps.push_back(std::move(step));
  }
  return copy;
}

PlanPtr mapLaunches(const PlanPtr& plan, const std::function<Step(const LaunchStep&)>& fn,
                    Branches branches) {
  return expandLaunches(
      plan, [&](const LaunchStep& launch) { return std::vector<Step>{fn(launch)}; }, branches);
}

PlanPtr planOf(KernelPtr original, std::vector<Step> steps) {
  auto plan = std::make_shared<Plan>();
  plan->original = std::move(original);
  plan->steps = std::move(steps);
  return plan;
}

bool isLaunchOf(const Plan& plan, const KernelPtr& kernel) {
  const auto* launch = onlyStep<LaunchStep>(plan);
  return launch && launch->kernel == kernel;
}

}  // namespace hone::ir
