#include "passes/reduce/SplitReduction.h"

#include <fmt/core.h>

#include <algorithm>

#include "ir/Build.h"
#include "ir/Compare.h"
#include "passes/host/PlanEdit.h"
#include "passes/reduce/ReductionSplitter.h"
#include "passes/reduce/RescaledSums.h"

namespace hone::passes {

using namespace ir;

namespace {

constexpr unsigned kMostKept = 64;

// Where several loops stand one after the other.
std::vector<int64_t> keepsToTry(const LaunchStep& launch, PassContext& context) {
  const auto block = fixedBlock(launch).value_or(context.block);
  unsigned outermost = 0;
  for (const affine::Loop& loop : context.facts.of(launch.kernel, block).model().loops)
    outermost += loop.parent.isNone();
  return outermost > 1 ? std::vector<int64_t>{2, 8, 32} : std::vector<int64_t>{};
}

// Where loops of a row sum up, and one of them powers.
std::vector<int64_t> fusesToTry(const LaunchStep& launch, PassContext& context) {
  return loopsHavePowers(launch.kernel->body) && !keepsToTry(launch, context).empty()
             ? std::vector<int64_t>{1}
             : std::vector<int64_t>{};
}

bool holds(const std::vector<ExprPtr>& conditions, const ExprPtr& one) {
  return std::ranges::any_of(conditions, [&](const ExprPtr& e) { return equal(e, one); });
}

// Elements that are kept by groups need rows that are whole groups, and not too many: threads take single
// elements of others and keep none, however long the row is.
Result<Split> withRowsOfAnyLength(const LaunchStep& launch, const KernelPtr& original,
                                  const SplitOptions& options, LaunchConditions& conditions,
                                  PassContext& context) {
  Result<Split> groups = ReductionSplitter(launch, options, context).run();
  if (!groups || !options.keep || options.each == 1) return groups;
  SplitOptions bySingle = options;
  bySingle.each = 1;
  bySingle.keep = 0;
  Result<Split> single = ReductionSplitter(launch, bySingle, context).run();
  if (!single) return groups;
  const std::vector<ExprPtr> ofGroups = conjuncts(groups->condition), ofSingle = conjuncts(single->condition);
  ExprPtr both, isWhole;
  for (const ExprPtr& one : ofGroups) {
    ExprPtr& to = holds(ofSingle, one) ? both : isWhole;
    to = andAlso(to, one);
  }
  for (const ExprPtr& one : ofSingle)
    if (!holds(ofGroups, one)) both = andAlso(both, one);
  if (!isWhole) return groups;
  groups->steps = {ChoiceStep{isWhole, planOf(original, groups->steps), planOf(original, single->steps)}};
  groups->condition = both;
  conditions.needOnBothSides();
  groups->remarks.push_back(
      {RemarkKind::Note, launch.kernel->loc, launch.kernel->name,
       fmt::format(
           "longer rows, and those that are no multiple of {} elements, are walked element by element",
           options.each)});
  return groups;
}

}  // namespace

std::vector<std::string> loopsToSplit(const LaunchStep& launch, PassContext& context) {
  const auto block = fixedBlock(launch).value_or(context.block);
  const affine::KernelModel& model = context.facts.of(launch.kernel, block).model();
  std::vector<std::string> all;
  for (const affine::LoopId l : model.loops.ids())
    if (model.loops[l].parent.isNone() && loopWithPlaces(model, l)) all.push_back(model.loops[l].handle);
  return all;
}

PassResult splitReduction(const PlanPtr& plan, const SplitReductionOptions& given, PassContext& context) {
  SplitOptions options;
  if (!given.loops.empty()) options.loop = given.loops.front();
  const SplitOver over = given.over.value_or(SplitOver::Warp);
  options.over = over;
  const bool hasShuffles = plan->original->language == Language::Cuda && context.target.hasShuffles();
  options.hasShuffles = hasShuffles;
  if (options.over == SplitOver::Warp && !hasShuffles) options.over = SplitOver::Block;
  const int64_t ways = given.ways.value_or(over == SplitOver::Warp    ? 32
                                           : over == SplitOver::Block ? 128
                                                                      : 16);
  if (over == SplitOver::Warp && ways != 32) return Refusal{fmt::format("a warp has 32 lanes, not {}", ways)};
  if (over == SplitOver::Block &&
      (ways & (ways - 1) || ways > static_cast<int64_t>(context.target.threadsPerBlock)))
    return Refusal{fmt::format("{} threads cannot halve their sums: a power of two up to {} can", ways,
                               context.target.threadsPerBlock)};
  if (over == SplitOver::Grid && ways > 4096)
    return Refusal{fmt::format("{} blocks for one sum are too many", ways)};
  options.each = static_cast<unsigned>(given.each.value_or(1));
  if (options.each > 16) return Refusal{fmt::format("{} iterations side by side are too many", options.each)};
  options.parts = options.over == SplitOver::Grid ? static_cast<unsigned>(ways) : 1;
  options.rows = static_cast<unsigned>(given.rows.value_or(options.over == SplitOver::Warp ? 4 : 1));
  if (options.over == SplitOver::Grid && (options.rows & (options.rows - 1) || options.rows > 128))
    return Refusal{fmt::format("{} sums do not share a block of 256 threads evenly", options.rows)};
  options.wide = static_cast<unsigned>(given.wide.value_or(1));
  if (options.wide > 1 && over == SplitOver::Warp) return Refusal{"wide is for over=block and over=grid"};
  if (options.wide > 8) return Refusal{fmt::format("{} sums of a thread are too many", options.wide)};
  if (options.rows % options.wide)
    return Refusal{
        fmt::format("{} sums of a block are no multiple of the {} of a thread", options.rows, options.wide)};
  options.keep = static_cast<unsigned>(given.keep.value_or(0));
  if (options.keep * options.each > kMostKept)
    return Refusal{fmt::format("{} elements of a row are too many for a thread's registers",
                               options.keep * options.each)};
  options.fuse = given.fuse.value_or(false);
  if (options.fuse && options.keep)
    return Refusal{"elements that are kept are read once already; leave out fuse or keep"};
  options.threads =
      options.over == SplitOver::Grid ? 256 * options.wide / options.rows : static_cast<unsigned>(ways);
  if (options.rows / options.wide > context.target.threadsPerBlock / options.threads)
    return Refusal{fmt::format("{} sums of {} threads each{} do not fit in a block", options.rows,
                               options.threads,
                               options.wide > 1 ? fmt::format(", {} of them in one,", options.wide) : "")};

  PassResult result;
  RefusedLaunches refused;
  LaunchConditions conditions(plan->original);
  bool isApplied = false;
  const PlanPtr changed = expandLaunches(plan, [&](const LaunchStep& launch) -> std::vector<Step> {
    Result<Split> split = withRowsOfAnyLength(launch, plan->original, options, conditions, context);
    if (!split) {
      refused.add({}, split.refusal(), *launch.kernel);
      return {launch};
    }
    const Split& one = *split;
    isApplied = true;
    result.remarks.insert(result.remarks.end(), one.remarks.begin(), one.remarks.end());
    return conditions.choose(one.condition, one.steps, {launch});
  });
  if (!isApplied) {
    std::move(refused).refuseIn(result);
    return result;
  }
  result.plan = conditions.atStartOf(changed);
  return result;
}

const PassOf<SplitReductionOptions>& splitReductionPass() {
  static const PassOf<SplitReductionOptions> pass =
      PassOf<SplitReductionOptions>(
          "split-reduction",
          "The iterations of a long sum, or of all loops over a row, are shared by the lanes of a warp, the "
          "threads of a block or several blocks, which put their partial sums together.",
          splitReduction)
          .names(&SplitReductionOptions::loops, "<loop>", ParameterKind::Loops,
                 "a loop by its handle (L1); none: all loops over a row, or the first outermost one that "
                 "sums up",
                 valuesFrom(loopsToSplit))
          .word(&SplitReductionOptions::over, "over", {"warp", "block", "grid"},
                "warp (default), block or grid", values({"warp", "block", "grid"}))
          .number(&SplitReductionOptions::ways, "ways",
                  "threads of a block (128) or blocks of the grid (16) that share the loop", {}, 2)
          .number(&SplitReductionOptions::rows, "rows",
                  "sums of a block: warps (4), or with over=block and over=grid threads that stay side by "
                  "side along x (1)",
                  values({1, 2, 4, 8}))
          .number(
              &SplitReductionOptions::each, "each",
              "iterations that a thread does side by side, whose loads vectorize makes one access (default "
              "1)",
              values({1, 2, 4}))
          .number(&SplitReductionOptions::wide, "wide",
                  "neighbouring ones of the rows that a thread does, whose loads vectorize makes one access "
                  "(default 1)",
                  values({1, 2}))
          .number(&SplitReductionOptions::keep, "keep",
                  "of a row: as many iterations a thread, or so many times each, keep what they touched in "
                  "registers for the row's other loops; longer rows are left to the original",
                  valuesFrom(keepsToTry))
          .flag(
              &SplitReductionOptions::fuse, "fuse",
              "of a row: the loop that finds the greatest value and the one that sums up powers counted from "
              "it (softmax) become one",
              valuesFrom(fusesToTry))
          .with({.sharesSums = true});
  return pass;
}

}  // namespace hone::passes
