#include "passes/sequence/UnrollHostLoop.h"

#include <fmt/core.h>

#include <algorithm>

#include "ir/Build.h"
#include "ir/HostIteration.h"
#include "passes/host/Candidate.h"
#include "passes/host/PlanEdit.h"
#include "passes/launch/Specialize.h"
#include "passes/sequence/FuseLaunches.h"
#include "passes/shared/CoalesceStores.h"

namespace hone::passes {

using namespace ir;

namespace {

// Whether an iteration hands over other arrays than the last one.
bool exchangesArrays(const Kernel& kernel) {
  for (size_t p = 0; p < kernel.params.size(); ++p) {
    const auto* same = as<VarRef>(kernel.iteration->args[p]);
    if (kernel.params[p]->type->isPointer() && !(same && same->var == kernel.params[p])) return true;
  }
  return false;
}

LaunchStep inIteration(LaunchStep launch, const Substitution& values) {
  auto now = [&](ExprPtr& e) {
    if (e) e = simplified(substituted(e, values));
  };
  for (unsigned axis = 0; axis < 3; ++axis) now(launch.grid[axis]), now(launch.block[axis]);
  now(launch.sharedBytes);
  for (ExprPtr& arg : launch.args) now(arg);
  return launch;
}

}  // namespace

PassResult unrollHostLoop(const PlanPtr& plan, const UnrollHostLoopOptions& options, PassContext& context) {
  const Kernel& original = *plan->original;
  // 1. Decide.
  const auto count = static_cast<unsigned>(options.count.value_or(3));
  if (!original.iteration)
    return Refusal{
        "no loop of the host is known that launches it once in every iteration and does nothing else that "
        "matters"};
  if (context.byLaunch)
    return Refusal{
        "what is tuned is measured and compared a launch at a time: hone opt takes several iterations"};
  const auto* launch = onlyStep<LaunchStep>(*plan);
  if (!launch || plan->iterations)
    return Refusal{"unroll-host-loop must come before passes that make choices or further launches"};
  if (count > 16) return Refusal{"more than 16 iterations in one call"};
  if (count % 2 == 0 && exchangesArrays(original))
    return Refusal{
        fmt::format("arrays are exchanged from iteration to iteration: after {} of them the result would lie "
                    "in the other one",
                    count)};

  // 2. Rewrite.
  auto several = std::make_shared<Plan>(*plan);
  several->iterations = count;
  several->steps.clear();
  for (unsigned i = 0; i < count; ++i)
    several->steps.emplace_back(inIteration(*launch, afterIterations(original, i)));
  PassResult result;
  result.plan = onlyWhere(several, iterationsDue(original, count));
  result.remarks.push_back({RemarkKind::Done, original.loc, original.name,
                            fmt::format("{} iterations of the loop around its launch in one call", count)});
  return result;
}

namespace {

// Whether the host launches it in a loop, with other arguments in every iteration. What a loop does over and
// over with the same ones is there to be measured.
bool changesFromIterationToIteration(const Kernel& kernel) {
  for (size_t p = 0; kernel.iteration && p < kernel.params.size(); ++p) {
    const auto* same = as<VarRef>(kernel.iteration->args[p]);
    if (!same || same->var != kernel.params[p]) return true;
  }
  return false;
}

// More iterations at once are fewer launches, but more registers, and may leave more iterations over:
// estimates tell. Where arrays are exchanged, even numbers are refused.
std::vector<Recipe> proposeSteps(const Candidate& candidate) {
  std::vector<Recipe> out;
  if (candidate.context.byLaunch || !changesFromIterationToIteration(*candidate.plan->original)) return out;
  for (const int64_t count : {3, 4, 5}) {
    const std::vector<PassCall> joined = {unrollHostLoopPass()({.count = count}), fuseLaunchesPass()()};
    out.push_back({joined});
    // In the first iterations a thread may write runs of neighbours, each far from the next thread's.
    out.push_back({joined});
    out.back().calls.push_back(specializePass()());
    out.back().calls.push_back(coalesceStoresPass()({.wide = 4}));
  }
  return out;
}

}  // namespace

const PassOf<UnrollHostLoopOptions>& unrollHostLoopPass() {
  static const PassOf<UnrollHostLoopOptions> pass =
      PassOf<UnrollHostLoopOptions>(
          "unroll-host-loop",
          "A launch in a loop of the host becomes the launches of several iterations, where so many are due.",
          unrollHostLoop)
          .number(
              &UnrollHostLoopOptions::count, "count",
              "iterations in one call (default 3), odd where arrays are exchanged from iteration to "
              "iteration",
              [](const LaunchStep& launch, PassContext&) -> std::vector<ArgumentValue> {
                if (!launch.kernel->iteration) return {};
                return {3, 5};
              },
              2)
          .proposes({Level::Prepare, 20, proposeSteps});
  return pass;
}

}  // namespace hone::passes
