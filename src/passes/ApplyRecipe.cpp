#include <fmt/core.h>

#include <map>

#include "affine/Poly.h"
#include "ir/Build.h"
#include "ir/Verify.h"
#include "passes/Coordinates.h"
#include "passes/OwnCounters.h"
#include "passes/PlanEdit.h"
#include "passes/Registry.h"

namespace hone::passes {

namespace {

PassResult refusePlan(std::string reason, const ir::Plan& plan) {
  return {nullptr, {{RemarkKind::LeftAlone, plan.original->loc, plan.original->name, std::move(reason)}}};
}

// A pass over launches: applied to each; what it refuses for one launch is a note where it does another.
PassResult applyToLaunches(const ir::PlanPtr& plan, const Pass& pass, const PassCall& call,
                           PassContext& context) {
  PassResult all;
  std::vector<ir::ExprPtr> needed;
  size_t applied = 0;
  std::vector<Remark> refusals;
  ir::PlanPtr mapped = mapLaunches(plan, [&](const ir::LaunchStep& launch) -> ir::Step {
    LaunchResult one = pass.onLaunch(launch, call, context);
    std::vector<Remark>& into = one.launch ? all.remarks : refusals;
    into.insert(into.end(), one.remarks.begin(), one.remarks.end());
    if (!one.launch) return launch;
    ++applied;
    if (!one.condition || ir::isTrue(one.condition)) return *one.launch;
    ir::ExprPtr late;
    for (const ir::ExprPtr& part : conjuncts(one.condition)) {
      if (isKnownAtStart(part, *plan->original))
        needed.push_back(part);
      else
        late = ir::andAlso(late, part);
    }
    if (!late) return *one.launch;
    // It depends on the round of a loop of launches: this launch alone stays as it was.
    auto branch = [&](const ir::LaunchStep& step) {
      auto made = std::make_shared<ir::Plan>();
      made->original = plan->original;
      made->steps = {step};
      return made;
    };
    return ir::ChoiceStep{late, branch(*one.launch), branch(launch)};
  });
  if (!applied) {
    if (refusals.empty())
      return refusePlan(fmt::format("internal: pass '{}' refused without a reason; please report", call.name),
                        *plan);
    all.remarks = std::move(refusals);
    return all;
  }
  for (Remark& remark : refusals) {
    remark.kind = RemarkKind::Note;
    all.remarks.push_back(std::move(remark));
  }
  for (const ir::ExprPtr& condition : needed) mapped = onlyWhere(mapped, condition);
  all.plan = mapped;
  return all;
}

ir::PlanPtr withCoordTypes(const ir::PlanPtr& plan) {
  if (plan->original->language != ir::Language::OpenCL) return plan;
  std::map<ir::KernelPtr, ir::KernelPtr> known;  // one kernel stays one
  return mapLaunches(plan, [&](ir::LaunchStep launch) -> ir::Step {
    ir::KernelPtr& kernel = known[launch.kernel];
    if (!kernel) kernel = passes::withCoordTypes(launch.kernel);
    launch.kernel = kernel;
    return launch;
  });
}

// With counters that are their loops' own, which passes ask for.
ir::PlanPtr readied(const ir::PlanPtr& plan, PassContext& context) {
  return mapLaunches(plan, [&](ir::LaunchStep launch) -> ir::Step {
    launch.kernel = context.facts.readied(launch.kernel, withOwnCounters);
    return launch;
  });
}

}  // namespace

PassResult applyPass(const ir::PlanPtr& given, const PassCall& call, PassContext& context) {
  const Pass& pass = *findPass(call.name);
  const ir::PlanPtr plan = readied(given, context);
  PassResult one;
  try {
    one = pass.onLaunch ? applyToLaunches(plan, pass, call, context) : pass.onPlan(plan, call, context);
  } catch (const affine::TooLarge&) {
    one.remarks.push_back({RemarkKind::LeftAlone, plan->original->loc, plan->original->name,
                           "numbers in its conditions or subscripts outgrow 64 bits"});
  }
  for (Remark& remark : one.remarks)
    if (remark.pass.empty()) remark.pass = call.name;
  if (!one.plan) return one;
  one.plan = withCoordTypes(one.plan);
  std::vector<std::string> broken = ir::verify(*one.plan);
  if (broken.empty()) return one;
  one.plan = nullptr;
  one.remarks.push_back(
      {RemarkKind::LeftAlone, plan->original->loc, plan->original->name,
       fmt::format("internal: pass '{}' made a kernel that is not well formed ({}); please report", call.name,
                   broken.front()),
       call.name});
  return one;
}

PassResult applyRecipe(const ir::PlanPtr& plan, const Recipe& recipe, PassContext& context,
                       const AfterPass& after) {
  PassResult all{plan, {}};
  for (const PassCall& call : recipe.calls) {
    PassResult one = applyPass(all.plan, call, context);
    all.plan = one.plan;
    all.remarks.insert(all.remarks.end(), one.remarks.begin(), one.remarks.end());
    if (!all.plan) break;
    if (after) after(call, *all.plan);
  }
  return all;
}

}  // namespace hone::passes
