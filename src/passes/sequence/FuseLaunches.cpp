#include "passes/sequence/FuseLaunches.h"

#include <fmt/core.h>

#include <algorithm>
#include <functional>
#include <utility>

#include "ir/Build.h"
#include "ir/Compare.h"
#include "ir/HostIteration.h"
#include "ir/Walk.h"
#include "passes/host/PlanEdit.h"
#include "passes/sequence/FuseConditions.h"
#include "passes/sequence/FusedKernel.h"

namespace hone::passes {

using namespace ir;

namespace {

constexpr size_t kMostThreads = 64;  // of a step, for one thread
constexpr size_t kMostValues = 256;  // that a step hands on: a thread has no more registers

struct Joined {
  LaunchStep launch;
  std::vector<ExprPtr> conditions;
  size_t threads = 0;  // of the steps that have most, in one
};

class LaunchFuser {
 public:
  LaunchFuser(const PlanPtr& ofPlan, size_t atMost, const PassContext& ofPass)
      : needed(ofPlan->original), plan(ofPlan), count(atMost), context(ofPass) {}

  // The plan with launches joined wherever they follow one another.
  PlanPtr joined(const PlanPtr& part) {
    auto copy = std::make_shared<Plan>(*part);
    copy->steps.clear();
    if (part->iterations) iterations = part->iterations;
    for (size_t i = 0; i < part->steps.size();) {
      Step step = part->steps[i];
      std::vector<const LaunchStep*> run;
      while (i + run.size() < part->steps.size() && run.size() < count)
        if (const auto* launch = std::get_if<LaunchStep>(&part->steps[i + run.size()]))
          run.push_back(launch);
        else
          break;
      if (run.size() > 1) {
        i += run.size();
        add(run, copy->steps);
        continue;
      }
      if (auto* choice = std::get_if<ChoiceStep>(&step)) choice->then = joined(choice->then);
      if (auto* loop = std::get_if<LoopStep>(&step)) {
        const bool wasIn = std::exchange(inLoop, true);
        loop->body = joined(loop->body);
        inLoop = wasIn;
      }
      copy->steps.push_back(std::move(step));
      ++i;
    }
    return copy;
  }

  LaunchConditions needed;
  std::vector<Remark> done;
  RefusedLaunches refused;

 private:
  void add(const std::vector<const LaunchStep*>& run, std::vector<Step>& out) {
    const Kernel& original = *plan->original;
    Result<Joined> one = join(run);
    if (!one) {
      refused.add({}, one.refusal(), original);
      for (const LaunchStep* launch : run) out.emplace_back(*launch);
      return;
    }
    ExprPtr condition;
    for (const ExprPtr& part : one->conditions) condition = andAlso(condition, part);
    std::vector<Step> before;
    for (const LaunchStep* launch : run) before.emplace_back(*launch);
    for (Step& step : needed.choose(condition, {std::move(one->launch)}, std::move(before)))
      out.push_back(std::move(step));
    done.push_back(
        {RemarkKind::Done, original.loc, original.name,
         fmt::format(
             "{} launches in one: a thread does the work of {} of a launch and keeps in registers what the "
             "launches handed on",
             run.size(), one->threads == 1 ? "one thread" : fmt::format("{} threads", one->threads))});
  }

  Result<Joined> join(const std::vector<const LaunchStep*>& run) {
    std::vector<LaunchCode> steps;
    for (const LaunchStep* launch : run) {
      Result<LaunchCode> code = launchCode(*launch);
      if (!code) return code.refusal();
      steps.push_back(*std::move(code));
    }
    return byGroups<Joined>(steps, [&](const LaunchGroups& groups) { return joinedBy(run, steps, groups); });
  }

  // What `use` makes of the first groups that will do; where none will, what the first of them fell short of.
  template <class T>
  static Result<T> byGroups(const std::vector<LaunchCode>& steps,
                            const std::function<Result<T>(const LaunchGroups&)>& use) {
    const Result<LaunchSizes> known = sizesOf(steps);
    if (!known) return known.refusal();
    LaunchSizes sizes = *known;
    const std::vector<int64_t> counts = countsToTry(steps, 4 * int64_t(kMostThreads));
    Obstacle first;
    for (int64_t share : {1, 2, 4, 8, 16, 32}) {
      if (share > 1 && !(sizes.divisor && sharesDivisor(steps, sizes))) break;
      sizes.share = share;
      for (int64_t factor : counts) {
        sizes.count = factor;
        const auto groups = groupsOf(steps, sizes, kMostThreads);
        if (!groups) continue;
        Result<T> made = use(*groups);
        if (made) return made;
        if (!first) first = made.refusal();
      }
    }
    if (first) return *first;
    return Refusal{
        fmt::format(
            "the threads that hand values to each other make no groups of at most {} threads of a step",
            kMostThreads),
        steps[0].kernel->loc};
  }

  Result<Joined> joinedBy(const std::vector<const LaunchStep*>& run, const std::vector<LaunchCode>& steps,
                          const LaunchGroups& groups) {
    std::vector<ExprPtr> overwritten;  // what that asks for
    const Result<LaunchFlow> flow = flowOf(steps, groups, [&](const VarPtr& array, bool isLoaded) {
      if (isDead(array, isLoaded, run)) return true;
      const auto conditions = overwrittenNext(array, run, steps);
      if (conditions) overwritten.insert(overwritten.end(), conditions->begin(), conditions->end());
      return conditions.has_value();
    });
    if (!flow) return flow.refusal();
    for (size_t s = 0; s < steps.size(); ++s) {
      const auto handed = std::count_if(flow->values.begin(), flow->values.end(),
                                        [&](const LaunchValue& v) { return v.step == s && v.isLoaded; });
      if (size_t(handed) > kMostValues)
        return Refusal{fmt::format("a thread would keep {} values", handed), steps[s].kernel->loc};
    }
    auto conditions = fuseConditions(*plan, run, steps, groups, *flow, context);
    if (!conditions) return conditions.refusal();
    Joined out;
    out.conditions = *std::move(conditions);
    ExprPtr more;
    for (const ExprPtr& one : overwritten)
      if (std::none_of(out.conditions.begin(), out.conditions.end(),
                       [&](const ExprPtr& known) { return equal(known, one); }))
        more = andAlso(more, one);
    // Only where there is a next iteration.
    if (more) out.conditions.push_back(orElse(negated(iterationsDue(*plan->original, iterations + 1)), more));
    const std::string suffix = done.empty() ? "" : std::to_string(done.size() + 1);
    FusedKernel made =
        fusedKernel(*plan, steps, groups, *flow, fmt::format("{}_joined{}", plan->original->name, suffix));
    out.launch = *run[0];
    out.launch.kernel = made.kernel;
    out.launch.args = made.args;
    out.launch.grid[0] = ceilDiv(convert(groups.sizes.groupsOnHost(), uint32()), out.launch.block[0]);
    out.launch.mayOvershoot = {true, false, false};
    for (const auto& members : groups.threads) out.threads = std::max(out.threads, members.size());
    return out;
  }

  // Nobody looks at what the array holds after the launches of the run.
  bool isDead(const VarPtr& array, bool isLoaded, const std::vector<const LaunchStep*>& run) const {
    if (isLoaded && inLoop) return false;  // the next iteration begins with it
    const auto& params = plan->original->params;
    const bool isParam = std::find(params.begin(), params.end(), array) != params.end();
    if (isParam && (!context.outputs || context.outputs->contains(array->name))) return false;
    for (const LaunchStep* launch : launchesOf(*plan)) {
      if (std::find(run.begin(), run.end(), launch) != run.end()) continue;
      for (const ExprPtr& arg : launch->args)
        if (rootVariable(arg) == array) return false;
    }
    return true;
  }

  // The run is all iterations of the loop around the launch, the host never looks at the array
  // (HostIteration::unreadByHost), and the launch that follows them, if there is one, writes over all that
  // the run would have left in it: the conditions for that; nothing: it is not so. Should the launches that
  // follow be joined too, their first writes are overwritten by a later one of them on the same elements, or
  // they could not be.
  std::optional<std::vector<ExprPtr>> overwrittenNext(const VarPtr& array,
                                                      const std::vector<const LaunchStep*>& run,
                                                      const std::vector<LaunchCode>& steps) const {
    const Kernel& original = *plan->original;
    if (inLoop || iterations < 2 || run.size() != iterations || launchesOf(*plan).size() != iterations)
      return std::nullopt;
    const auto& unread = original.iteration->unreadByHost;
    if (std::find(unread.begin(), unread.end(), array) == unread.end()) return std::nullopt;
    const PlanPtr once = originalPlan(plan->original);
    LaunchStep next = std::get<LaunchStep>(once->steps.front());
    const Substitution values = afterIterations(original, iterations);
    for (size_t p = 0; p < next.args.size(); ++p) next.args[p] = values[p].second;
    std::vector<const LaunchStep*> launches = run;
    launches.push_back(&next);
    std::vector<LaunchCode> all = steps;
    Result<LaunchCode> code = launchCode(next);
    if (!code) return std::nullopt;
    all.push_back(*std::move(code));
    using Conditions = std::vector<ExprPtr>;
    const auto made = byGroups<Conditions>(all, [&](const LaunchGroups& groups) -> Result<Conditions> {
      const Result<LaunchFlow> flow = flowOver(all, groups, array);
      if (!flow) return flow.refusal();
      return fuseConditions(*plan, launches, all, groups, *flow, context);
    });
    return made ? std::optional(*made) : std::nullopt;
  }

  const PlanPtr& plan;
  size_t count;
  const PassContext& context;
  bool inLoop = false;
  unsigned iterations = 1;  // of the loop around the launch that the part at hand does
};

}  // namespace

PassResult fuseLaunches(const PlanPtr& plan, const FuseLaunchesOptions& options, PassContext& context) {
  const auto count = options.count.value_or(INT64_MAX);
  LaunchFuser joiner(plan, static_cast<size_t>(count), context);
  const PlanPtr made = joiner.joined(plan);
  PassResult result;
  if (joiner.done.empty()) {
    if (joiner.refused.empty()) return Refusal{"no launch follows another one"};
    std::move(joiner.refused).refuseIn(result);
    return result;
  }
  result.plan = joiner.needed.atStartOf(made);
  result.remarks = std::move(joiner.done);
  std::move(joiner.refused).noteIn(result.remarks);
  return result;
}

const PassOf<FuseLaunchesOptions>& fuseLaunchesPass() {
  static const PassOf<FuseLaunchesOptions> pass =
      PassOf<FuseLaunchesOptions>("fuse-launches",
                                  "Launches that follow one another become one, whose threads keep in "
                                  "registers what the launches handed on.",
                                  fuseLaunches)
          .number(&FuseLaunchesOptions::count, "count",
                  "launches that become one at most (default: all that follow one another)",
                  values({2, 3, 4, 5}), 2);
  return pass;
}

}  // namespace hone::passes
