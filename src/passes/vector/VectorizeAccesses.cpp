#include "passes/vector/VectorizeAccesses.h"

#include <fmt/core.h>

#include <algorithm>

#include "ir/Build.h"
#include "ir/Compare.h"
#include "passes/edit/Coordinates.h"
#include "passes/edit/LoopEdit.h"
#include "passes/edit/Names.h"
#include "passes/edit/SimplifyUnder.h"
#include "passes/guards/SplitBorder.h"
#include "passes/host/AliasGuard.h"
#include "passes/host/Candidate.h"
#include "passes/host/PlanEdit.h"
#include "passes/launch/FixBlock.h"
#include "passes/loops/UnrollLoop.h"
#include "passes/merge/MergeThreads.h"
#include "passes/vector/BlockSteps.h"
#include "passes/vector/OriginalApart.h"
#include "passes/vector/VectorRewrite.h"
#include "passes/vector/WhyNotWide.h"
#include "target/CoalescingRules.h"

namespace hone::passes {

using namespace ir;

namespace {

constexpr unsigned mostWidth = 16;  // elements of an access

void conjuncts(const ExprPtr& cond, std::vector<ExprPtr>& out) {
  if (!cond) return;
  if (const auto* both = as<Binary>(cond); both && both->op == BinaryOp::LogicalAnd) {
    conjuncts(both->lhs, out);
    return conjuncts(both->rhs, out);
  }
  for (const ExprPtr& known : out)
    if (equal(known, cond)) return;
  out.push_back(cond);
}

// "2 elements of z loaded in one access", each array and width once.
std::string describe(const VectorFacts& facts, const VectorGroups& groups) {
  std::set<std::string> seen;
  std::string text;
  auto add = [&](affine::ArrayId array, unsigned lanes, bool isStore) {
    std::string one = fmt::format("{} elements of {} {} in one access", lanes, facts.model.arrays[array].name,
                                  isStore ? "stored" : "loaded");
    if (seen.insert(one).second) text += (text.empty() ? "" : ", ") + one;
  };
  for (const StraightGroup& group : groups.straight) add(group.array, group.lanes, group.isStore);
  for (const LoopGroup& group : groups.loops)
    for (const LoopPart& part : group.parts) {
      if (part.isLoaded) add(part.array, part.lanes, false);
      if (part.isStored) add(part.array, part.lanes, true);
    }
  return text;
}

// Whether an access is made again and again in a loop that is none of a few iterations.
bool isRepeated(const affine::KernelModel& model, affine::AccessId access) {
  const std::vector<affine::LoopId>& loops = model.accesses[access].loops;
  return std::any_of(loops.begin(), loops.end(), [&](affine::LoopId at) {
    const auto* loop = as<For>(model.loops[at].stmt);
    const auto count = loop ? counted(*loop) : std::nullopt;
    const auto first = count ? constantValue(count->begin) : std::nullopt,
               last = count ? constantValue(count->end) : std::nullopt,
               step = count ? constantValue(count->step) : std::nullopt;
    // for (e = tid; e < 512; e += 256) has no more iterations than from 0.
    return !last || !step || (!first && *step == 1) || (*last - first.value_or(0)) / *step > 16;
  });
}

// Where a loop has wide accesses, those that happen once are not worth a second form of the code for the
// edge.
void keepWhatMatters(const affine::KernelModel& model, VectorGroups& groups) {
  auto isOften = [&](const auto& group) {
    if constexpr (requires { group.members; })
      return isRepeated(model, group.members.front().first);
    else
      return isRepeated(model, group.parts.front().accesses.front());
  };
  if (std::none_of(groups.loops.begin(), groups.loops.end(), isOften) &&
      std::none_of(groups.straight.begin(), groups.straight.end(), isOften))
    return;
  std::erase_if(groups.loops, [&](const LoopGroup& g) { return !isOften(g) && (g.condition || g.allHold); });
  std::erase_if(groups.straight, [&](const StraightGroup& g) { return !isOften(g) && g.condition; });
}

bool touchesGlobal(const affine::KernelModel& model, const VectorGroups& groups) {
  auto isGlobal = [&](affine::ArrayId array) { return model.arrays[array].space == Space::Global; };
  for (const LoopGroup& group : groups.loops)
    if (std::any_of(group.parts.begin(), group.parts.end(),
                    [&](const LoopPart& p) { return isGlobal(p.array); }))
      return true;
  return std::any_of(groups.straight.begin(), groups.straight.end(),
                     [&](const StraightGroup& group) { return isGlobal(group.array); });
}

// Where every loop that needs aligned arrays keeps its scalar form for the edge, that form serves arrays that
// are not aligned as well: the kernel is told, and no second one is needed. A launch that is as before stays
// as it is.
bool canTestInside(const LaunchStep& launch, const VectorGroups& groups) {
  if (launch.kernel->language != Language::Cuda || !fixedBlock(launch) || !groups.straight.empty())
    return false;
  return std::all_of(groups.loops.begin(), groups.loops.end(),
                     [](const LoopGroup& group) { return !group.condition || group.allHold; });
}

VarPtr makeAlignedParameter(const Kernel& kernel, VectorGroups& groups) {
  Names names(kernel);
  VarPtr parameter = makeParameter(names, "aligned", int32());  // OpenCL has no bool here
  for (LoopGroup& group : groups.loops)
    if (group.condition) {
      ExprPtr all = convert(ref(parameter), boolType());
      for (const ExprPtr& part : ir::conjuncts(group.allHold)) all = andAlso(all, part);
      group.allHold = all;
      group.isTested = true;
    }
  return parameter;
}

LaunchResult vectorizeLaunch(const LaunchStep& launch, const Plan& plan, const VectorizeOptions& options,
                             PassContext& context) {
  const Kernel& old = *launch.kernel;
  const int64_t width = options.width.value_or(mostWidth);
  if (width != 2 && width != 4 && width != 8 && width != 16) return Refusal{"width is 2, 4, 8 or 16"};

  // 1. Decide: which accesses are neighbours, and what must hold for them to be one.
  const FixedLaunch fixed = withBlockWhereItMatters(launch, context);
  analysis::Facts& facts = context.facts.of(fixed.launch.kernel, fixed.block);
  const affine::KernelModel& model = facts.model();
  const VectorFacts vectors(fixed.launch, facts, context, unsigned(width), options.arrays);
  for (const std::string& name : options.arrays) {
    bool found = false;
    for (const affine::Array& array : model.arrays) found = found || array.name == name;
    if (!found) return Refusal{fmt::format("there is no array {}", name)};
  }
  VectorGroups groups = vectorGroups(vectors);
  if (groups.empty()) return groups.leftOut ? *groups.leftOut : whyNotWide(vectors);
  if (options.arrays.empty()) keepWhatMatters(model, groups);
  if (options.threads && !touchesGlobal(model, groups))
    return Refusal{"only shared memory would be accessed more widely: threads are not merged for that"};
  OriginalApart guard(fixed.launch, model, plan, context);
  for (const auto& [first, second] : groups.apart)
    if (Obstacle no = guard.requireApart(first, second)) return *no;
  const auto relied = vectors.tests(groups.requirements);
  if (!relied) return relied.refusal();
  std::vector<ExprPtr> needed;
  conjuncts(fixed.condition, needed);
  conjuncts(*relied, needed);
  conjuncts(guard.condition(), needed);
  std::vector<ExprPtr> alignment;
  for (const StraightGroup& group : groups.straight) conjuncts(group.condition, alignment);
  for (const LoopGroup& group : groups.loops) conjuncts(group.condition, alignment);
  const VarPtr isAligned = canTestInside(launch, groups) && !alignment.empty()
                               ? makeAlignedParameter(*fixed.launch.kernel, groups)
                               : nullptr;
  if (!isAligned)
    for (const ExprPtr& one : alignment) conjuncts(one, needed);

  // 2. Rewrite.
  LaunchResult result{fixed.launch, nullptr, {}};
  for (const ExprPtr& one : needed) result.condition = andAlso(result.condition, one);
  auto kernel = std::make_shared<Kernel>(*withWideAccesses(vectors, groups));
  if (isAligned) {
    ExprPtr all;
    for (const ExprPtr& one : alignment) all = andAlso(all, one);
    kernel->params.push_back(isAligned);
    result.launch->args.push_back(convert(all, int32()));
  }
  const std::string what = describe(vectors, groups);
  kernel->story.push_back(fmt::format("Wide accesses: {}.", what));
  result.launch->kernel = kernel;
  result.remarks.push_back({RemarkKind::Done, old.loc, old.name, what});
  return result;
}

// The plan with its strided loops by steps of blocks, where it has any.
PlanPtr byBlockSteps(const PlanPtr& plan, PassContext& context) {
  ExprPtr needed;
  PlanPtr mapped = mapLaunches(plan, [&](const LaunchStep& launch) -> Step {
    const std::optional<LaunchResult> made = withBlockSteps(launch, context);
    if (!made) return launch;
    needed = andAlso(needed, made->condition);
    return *made->launch;
  });
  return needed ? onlyWhere(mapped, needed) : mapped;
}

// Whether threads keep elements of rows by groups, as wide accesses take them.
bool keepsGroups(const Plan& plan) {
  const auto* launch = onlyStep<LaunchStep>(plan);
  if (!launch) return false;
  const auto has = [&](RoleKind kind) {
    return std::ranges::any_of(launch->kernel->constants,
                               [&](const NamedConstant& c) { return c.role.kind == kind; });
  };
  return has(RoleKind::EachCount) && has(RoleKind::IterationCount);
}

// Rows whose groups are not aligned go where those go that are no whole groups: a kernel less.
PlanPtr withoutUnalignedGroups(const PlanPtr& plan) {
  auto out = std::make_shared<Plan>(*plan);
  for (Step& step : out->steps) {
    const auto* choice = std::get_if<ChoiceStep>(&step);
    if (!choice) continue;
    ChoiceStep made = *choice;
    made.then = withoutUnalignedGroups(choice->then);
    const auto* inner = onlyStep<ChoiceStep>(*made.then);
    if (inner && keepsGroups(*inner->otherwise) && !isLaunchOf(*choice->otherwise, plan->original)) {
      const ExprPtr more = simplifiedUnder(conjuncts(choice->cond), inner->cond);
      made = ChoiceStep{andAlso(choice->cond, more), inner->then, choice->otherwise};
    }
    step = std::move(made);
  }
  return out;
}

// Whether the plan is one launch of the kernel as it was written, perhaps in blocks of another shape, of
// which its story says nothing.
bool isAsWritten(const Plan& plan) {
  const auto* choice = onlyStep<ChoiceStep>(plan);
  const auto* launch = onlyStep<LaunchStep>(choice ? *choice->then : plan);
  return launch && launch->kernel->story.empty();
}

}  // namespace

int64_t mostNeighbours(const Candidate& candidate) {
  const affine::KernelModel& model = candidate.facts().model();
  unsigned least = 4;
  for (const affine::Access& access : model.accesses)
    if (model.isGlobal(access) && !access.atomic && access.bytes) least = std::min(least, access.bytes);
  return 16 / least;
}

std::vector<std::string> arraysToWiden(const LaunchStep& launch, PassContext& context) {
  const FixedLaunch fixed = withBlockWhereItMatters(launch, context);
  const VectorFacts vectors(fixed.launch, context.facts.of(fixed.launch.kernel, fixed.block), context,
                            mostWidth, {});
  std::set<affine::ArrayId> arrays;
  const VectorGroups groups = vectorGroups(vectors);
  for (const StraightGroup& group : groups.straight) arrays.insert(group.array);
  for (const LoopGroup& group : groups.loops)
    for (const LoopPart& part : group.parts) arrays.insert(part.array);
  // Where some are wide already, those left are for edges and unaligned launches.
  for (const affine::Access& access : vectors.model.accesses)
    if (access.array.isSome() && access.bytes > vectors.bytesOf(access.array)) arrays.erase(access.array);
  std::vector<std::string> names;
  for (const affine::ArrayId array : arrays)
    if (vectors.model.arrays[array].space == Space::Global) names.push_back(vectors.model.arrays[array].name);
  return names;
}

PassResult vectorizeAccesses(const PlanPtr& given, const VectorizeOptions& options, PassContext& context) {
  PassResult all;
  PlanPtr plan = given;
  // Where nothing was done to the kernel before, arrays that overlap or are not aligned are left to the
  // original: a kernel more would not be worth it. Else each launch becomes a choice between the wide one and
  // itself.
  const bool fallsBack = isAsWritten(*given);
  if (options.threads) {
    if (fallsBack) plan = byBlockSteps(plan, context);
    PassResult merged =
        applyPass(plan, mergeThreadsPass()({.x = options.threads, .how = MergedThreads::Adjacent}), context);
    if (!merged.plan) return merged;
    plan = merged.plan;
    all.remarks = std::move(merged.remarks);
  }
  RefusedLaunches refused;
  bool applied = false;
  ExprPtr needed;
  PlanPtr mapped = mapLaunches(plan, [&](const LaunchStep& launch) -> Step {
    LaunchResult made = vectorizeLaunch(launch, *plan, options, context);
    if (!made.launch) {
      refused.add(std::move(made.remarks), *made.refusal, *launch.kernel);
      return launch;
    }
    applied = true;
    all.remarks.insert(all.remarks.end(), made.remarks.begin(), made.remarks.end());
    if (!made.condition) return *made.launch;
    if (fallsBack) {
      needed = andAlso(needed, made.condition);
      return *made.launch;
    }
    const ExprPtr more = simplifiedUnder(conjuncts(conditionOf(*plan)), made.condition);
    if (!more) return *made.launch;
    return ChoiceStep{more, planOf(plan->original, {*made.launch}), planOf(plan->original, {launch})};
  });
  if (!applied) {
    std::move(refused).refuseIn(all);
    return all;
  }
  std::move(refused).noteIn(all.remarks);
  mapped = withoutUnalignedGroups(mapped);
  all.plan = needed ? onlyWhere(mapped, needed) : mapped;
  return all;
}

namespace {

// Arrays of which one call of vectorize left accesses as they were: those that happen once beside others in
// loops.
std::vector<Recipe> proposeFurther(const Candidate& candidate) {
  std::vector<Recipe> out;
  for (const std::string& array : arraysToWiden(*candidate.launches.front(), candidate.context))
    out.push_back({{vectorizePass()({.arrays = {array}})}});
  return out;
}

std::vector<Recipe> proposeWider(const Candidate& candidate) {
  // Half warps move 8 bytes a lane hardly faster than 4, and 16 bytes slower.
  if (target::worksByHalfWarps(candidate.target())) return {{{vectorizePass()()}}};
  std::vector<Recipe> out = {{{vectorizePass()()}},
                             {{vectorizePass()({.width = 2})}},
                             {{vectorizePass()({.threads = 4})}},
                             {{vectorizePass()({.threads = 2})}}};
  // As many elements as 16 bytes hold, where these are small.
  for (int64_t threads = 8; threads <= mostNeighbours(candidate); threads *= 2)
    out.push_back({{vectorizePass()({.threads = threads})}});
  // The same for tiles that merged threads read; else fewer tests alone. The pass refuses quickly where there
  // are none.
  const bool hasLoops = !loopsToUnroll(*candidate.launches.front()).empty();
  if (candidate.has(mergeThreadsPass()) && hasLoops)
    out.push_back({{unrollPass()({.by = allIterations}), splitBorderPass()(), vectorizePass()()}});
  else if (!candidate.has(mergeThreadsPass()))
    out.push_back({{splitBorderPass()()}});
  return out;
}

std::vector<Recipe> proposeOneForm(const Candidate&) { return {{{vectorizePass()()}}}; }

std::vector<Recipe> proposeFurtherLate(const Candidate& candidate) {
  return candidate.has(vectorizePass()) ? proposeFurther(candidate) : std::vector<Recipe>();
}

std::vector<Recipe> proposeMoreThreads(const Candidate&) {
  // In this order, by which what was measured is stored.
  PassCall halves = vectorizePass()({.threads = 4});
  halves.arguments.push_back(vectorizePass()({.width = 2}).arguments.front());
  return {{{vectorizePass()({.threads = 8})}}, {{halves}}};
}

}  // namespace

const PassOf<VectorizeOptions>& vectorizePass() {
  static const PassOf<VectorizeOptions> pass =
      PassOf<VectorizeOptions>(
          "vectorize", "Neighbouring elements that a thread touches come in one 64- or 128-bit access.",
          vectorizeAccesses)
          .names(&VectorizeOptions::arrays, "<arrays>", ParameterKind::Arrays,
                 "arrays to do it for; without any, all", valuesFrom(arraysToWiden))
          .number(&VectorizeOptions::width, "width",
                  "elements of an access at most: 2, 4, 8 or 16 (default: as many as 16 bytes hold)",
                  values({2, 4}), 2)
          .number(&VectorizeOptions::threads, "threads",
                  "first merge so many neighbouring threads along x into one (merge-threads)",
                  values({2, 4, 8, 16}), 2)
          .with({.widensAccesses = true})
          .proposes({Level::Widen, 10, proposeWider})
          .proposes({Level::Widen, 10, proposeFurther, ProposedTo::Searches, CandidateState::Widened})
          .proposes({Level::Widen, 10, proposeOneForm, ProposedTo::Searches, CandidateState::TwoForms})
          .proposes({Level::Widen, 10, proposeMoreThreads, ProposedTo::Spaces})
          .proposes({Level::Overlap, 30, proposeFurtherLate});
  return pass;
}

}  // namespace hone::passes
