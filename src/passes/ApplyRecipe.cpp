#include <fmt/core.h>

#include <map>
#include <set>

#include "affine/Poly.h"
#include "ir/Build.h"
#include "ir/Compare.h"
#include "ir/InlineCalls.h"
#include "ir/PlanWalk.h"
#include "ir/SafeTests.h"
#include "ir/Verify.h"
#include "ir/Walk.h"
#include "passes/edit/Coordinates.h"
#include "passes/edit/LoopLocalCounters.h"
#include "passes/host/PlanEdit.h"
#include "passes/recipe/Pass.h"

namespace hone::passes {

namespace {

// A pass over launches: applied to each; what it refuses for one launch is a note where it does another.
PassResult applyToLaunches(const ir::PlanPtr& plan, const Pass& pass, const PassCall& call,
                           PassContext& context) {
  PassResult all;
  LaunchConditions conditions(plan->original);
  size_t applied = 0;
  RefusedLaunches refused;
  ir::PlanPtr mapped = expandLaunches(plan, [&](const ir::LaunchStep& launch) -> std::vector<ir::Step> {
    LaunchResult one = pass.onLaunch(launch, call, context);
    if (!one.launch) {
      refused.add(std::move(one.remarks), *one.refusal, *launch.kernel);
      return {launch};
    }
    all.remarks.insert(all.remarks.end(), one.remarks.begin(), one.remarks.end());
    ++applied;
    return conditions.choose(one.condition, {*one.launch}, {launch});
  });
  if (!applied) {
    std::move(refused).refuseIn(all);
    return all;
  }
  std::move(refused).noteIn(all.remarks);
  all.plan = conditions.atStartOf(mapped);
  return all;
}

ir::PlanPtr withCoordTypes(const ir::PlanPtr& plan) {
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
    launch.kernel = context.facts.readied(launch.kernel, withLoopLocalCounters);
    return launch;
  });
}

// An access to a value that holds bit-fields, in a body or in the functions that it calls; null: none.
const ir::Expr* bitFieldAccess(const ir::StmtPtr& body, std::set<const ir::Function*>& seen) {
  const ir::Expr* found = nullptr;
  ir::walkExprs(body, [&](const ir::Expr& e) {
    if (found) return;
    if (ir::heldBitField(*e.type) || ir::bitField(e)) found = &e;
    if (const auto* call = e.as<ir::Call>();
        call && call->function && call->function->body && seen.insert(call->function.get()).second)
      found = found ? found : bitFieldAccess(call->function->body, seen);
  });
  return found;
}

// A call of a function that has no text in the IR and does more than compute a float, in a body or below it;
// null: none.
const ir::Expr* runOnlyCall(const ir::StmtPtr& body, std::set<const ir::Function*>& seen) {
  const ir::Expr* found = nullptr;
  ir::walkExprs(body, [&](const ir::Expr& e) {
    const auto* call = e.as<ir::Call>();
    if (found || !call || !call->function || !seen.insert(call->function.get()).second) return;
    if (call->function->isRunOnly && ir::concernsAddresses(*call->function))
      found = &e;
    else if (call->function->body && runOnlyCall(call->function->body, seen))
      found = &e;
  });
  return found;
}

Obstacle runOnlyInTheWay(const ir::Plan& plan) {
  for (const ir::LaunchStep* launch : ir::launchesOf(plan, ir::Branches::Fast))
    if (Obstacle no = obstacleToAllPasses(*launch->kernel)) return no;
  return std::nullopt;
}

Obstacle bitFieldsInTheWay(const ir::Plan& plan) {
  for (const ir::LaunchStep* launch : ir::launchesOf(plan, ir::Branches::Fast)) {
    std::set<const ir::Function*> seen;
    const ir::Expr* access = bitFieldAccess(launch->kernel->body, seen);
    if (!access) continue;
    const ir::Field* field = ir::bitField(*access);
    if (!field) field = ir::heldBitField(*access->type);
    return Refusal{fmt::format("bit-field '{}' shares its memory with others", field->name), access->loc};
  }
  return std::nullopt;
}

}  // namespace

Obstacle obstacleToAllPasses(const ir::Kernel& kernel) {
  std::set<const ir::Function*> seen;
  const ir::Expr* call = runOnlyCall(kernel.body, seen);
  if (!call) return std::nullopt;
  return Refusal{fmt::format("'{}' has inline assembly or closures in it or below it, which passes cannot "
                             "print, and memory or subscripts hang on it",
                             call->as<ir::Call>()->function->name),
                 call->loc};
}

PassResult applyPass(const ir::PlanPtr& given, const PassCall& call, PassContext& context) {
  checkNumbers(call);
  const Pass& pass = *call.pass;
  const ir::PlanPtr plan = readied(given, context);
  PassResult one;
  try {
    Obstacle inTheWay = runOnlyInTheWay(*plan);
    if (!inTheWay && !pass.traits.keepsAccesses) inTheWay = bitFieldsInTheWay(*plan);
    one = inTheWay        ? PassResult(*inTheWay)
          : pass.onLaunch ? applyToLaunches(plan, pass, call, context)
                          : pass.onPlan(plan, call, context);
  } catch (const affine::TooLarge&) {
    one = Refusal{"numbers in its conditions or subscripts outgrow 64 bits"};
  }
  for (Remark& remark : one.remarks)
    if (remark.pass.empty()) remark.pass = call.pass->name;
  if (one.plan) {
    one.plan = ir::withSafeTests(withCoordTypes(one.plan));
    const std::vector<std::string> broken = ir::verify(*one.plan);
    if (broken.empty()) return one;
    one.plan = nullptr;
    one.refusal =
        Refusal{fmt::format("internal: pass '{}' made a kernel that is not well formed ({}); please report",
                            call.pass->name, broken.front())};
  }
  if (!one.refusal)
    one.refusal =
        Refusal{fmt::format("internal: pass '{}' refused without a reason; please report", call.pass->name)};
  if (!one.refusal->place.valid()) one.refusal->place = plan->original->loc;
  if (one.refusedBy.empty()) one.refusedBy = call.pass->name;
  return one;
}

PassResult applyRecipe(const ir::PlanPtr& plan, const Recipe& recipe, PassContext& context,
                       const AfterPass& after) {
  PassResult all{plan, {}};
  for (const PassCall& call : recipe.calls) {
    PassResult one = applyPass(all.plan, call, context);
    one.remarks.insert(one.remarks.begin(), all.remarks.begin(), all.remarks.end());
    all = std::move(one);
    if (all.refusal) break;
    if (after) after(call, *all.plan);
  }
  return all;
}

bool changesOrder(const ir::PlanPtr& original, const Recipe& recipe, const ir::Plan& plan,
                  const PassContext& context) {
  if (!context.reassociate) return false;
  PassContext exact = context;
  exact.reassociate = false;
  const PassResult made = applyRecipe(original, recipe, exact);
  return made.refusal || !made.plan || ir::hash(*made.plan) != ir::hash(plan);
}

PassResult applyWholeRecipe(const ir::PlanPtr& plan, const Recipe& recipe, PassContext& context,
                            const AfterPass& after) {
  constexpr unsigned mostAlongZ = 64;
  PassResult made = applyRecipe(plan, recipe, context, after);
  if (!made.plan || made.refusal || recipe.calls.empty()) return made;
  for (const ir::LaunchStep* launch : ir::launchesOf(*made.plan)) {
    const auto block = fixedBlock(*launch);
    if (!block) continue;
    const uint64_t threads = uint64_t((*block)[0]) * (*block)[1] * (*block)[2];
    if (threads <= context.target.threadsPerBlock && (*block)[2] <= mostAlongZ) continue;
    made.plan = nullptr;
    made.refusal =
        Refusal{fmt::format("blocks of {} x {} x {} threads: {} has at most {} in a block, {} along z",
                            (*block)[0], (*block)[1], (*block)[2], context.target.name,
                            context.target.threadsPerBlock, mostAlongZ),
                plan->original->loc};
    made.refusedBy = recipe.calls.back().pass->name;
    break;
  }
  return made;
}

}  // namespace hone::passes
