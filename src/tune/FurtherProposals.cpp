#include <fmt/core.h>

#include <algorithm>
#include <bit>

#include "passes/host/PlanEdit.h"
#include "passes/loops/UnrollLoop.h"
#include "passes/recipe/ParseRecipe.h"
#include "tune/Proposals.h"
#include "tune/VariantFacts.h"

namespace hone::tune {

using passes::PassContext;

namespace {

using Recipes = std::vector<std::string>;

constexpr unsigned kWarp = 32;

// Ways to share a sum: lanes of a warp, threads of a block with neighbours kept side by side, blocks of the
// grid.
Recipes splits(const PassContext& context) {
  Recipes out;
  for (unsigned rows : {1u, 2u, 8u, 16u})
    out.push_back(fmt::format("split-reduction(over=warp, rows={})", rows));
  for (unsigned ways : {8u, 16u, 32u, 64u, 128u, 256u, 512u})
    for (unsigned rows : {1u, 2u, 4u, 8u, 16u, 32u, 64u})
      if (ways * rows >= 2 * kWarp && ways * rows <= context.target.threadsPerBlock)
        out.push_back(fmt::format("split-reduction(over=block, ways={}, rows={})", ways, rows));
  // Neighbours that a thread takes in one access.
  for (unsigned ways : {32u, 64u, 128u, 256u})
    for (unsigned rows : {16u, 32u, 64u})
      for (unsigned wide : {2u, 4u})
        if (ways * rows / wide >= 2 * kWarp && ways * rows / wide <= context.target.threadsPerBlock)
          out.push_back(fmt::format("split-reduction(over=block, ways={}, rows={}, wide={}) vectorize", ways,
                                    rows, wide));
  for (unsigned ways : {4u, 8u, 16u, 32u, 64u})
    for (unsigned rows : {1u, 8u, 32u})
      out.push_back(fmt::format("split-reduction(over=grid, ways={}, rows={})", ways, rows));
  return out;
}

Recipes furtherPreparations(const Variant& variant, PassContext& context) {
  std::array<unsigned, 3> block{};
  analysis::Facts* facts = factsOf(variant, context, block);
  if (!facts) return {};
  const Contents contents = contentsOf(*facts->kernel());
  if (!contents.gridBarriers) return contents.loops ? splits(context) : Recipes();
  // The block that does the last steps may be a smaller one.
  Recipes out;
  for (const char* first : {"grid-sync", "grid-sync(last=64)", "grid-sync(last=256)"}) {
    out.push_back(first);
    for (const std::string& split : splits(context)) out.push_back(fmt::format("{} {}", first, split));
  }
  return out;
}

// Whole warps, in all shapes that a block may have.
Recipes furtherShapes(const Variant& variant, PassContext& context) {
  std::array<unsigned, 3> block{};
  analysis::Facts* facts = factsOf(variant, context, block);
  if (!facts || !launchAssumption(*facts->kernel()).free) return {};
  const unsigned most = context.target.threadsPerBlock;
  const unsigned axes = axesOf(facts->model());
  Recipes out;
  if (axes == 1) {
    for (unsigned x = kWarp; x <= most; x += kWarp) out.push_back(fmt::format("block(x={})", x));
    return out;
  }
  for (unsigned x : {8u, 16u, 32u, 64u, 128u, 256u, 512u})
    for (unsigned y : {1u, 2u, 4u, 8u, 16u, 32u})
      for (unsigned z : {1u, 2u, 4u}) {
        if (z > 1 && axes < 3) continue;
        if (x * y * z < 2 * kWarp || x * y * z > most) continue;
        out.push_back(fmt::format("block(x={}, y={}{})", x, y, z > 1 ? fmt::format(", z={}", z) : ""));
      }
  if (axes > 2 || !contentsOf(*facts->kernel()).loops || !sharesAlong(*facts, 0) || !sharesAlong(*facts, 1))
    return out;
  // Tiles of results in registers.
  for (unsigned columns : {32u, 64u, 128u})
    for (unsigned rows : {32u, 64u, 128u})
      for (unsigned x : {2u, 4u, 8u})
        for (unsigned y : {2u, 4u, 8u}) {
          const unsigned threads = columns / x * rows / y;
          if (threads < 2 * kWarp || threads > 512 || columns * rows < 2048) continue;
          out.push_back(
              fmt::format("block(x={}, y={}) merge-threads(x={}, y={}, how=adjacent)", columns, rows, x, y));
        }
  return out;
}

Recipes furtherStages(const Variant& variant, PassContext&) {
  const auto launches = passes::launchesOf(*variant.plan);
  const bool hasLoops = std::any_of(launches.begin(), launches.end(), [](const ir::LaunchStep* launch) {
    return contentsOf(*launch->kernel).loops;
  });
  if (!hasLoops) return {"stage(pad=0)", "stage(pad=swizzle)"};
  return {"stage(depth=8)", "stage(depth=64)"};
}

// A block that has tiles grows, whatever its neighbours share.
Recipes furtherBlockMerges(const Variant& variant, PassContext& context) {
  std::array<unsigned, 3> block{};
  analysis::Facts* facts = factsOf(variant, context, block);
  if (!facts || hasRecipePass(variant, "block") || !hasRecipePass(variant, "stage")) return {};
  const uint8_t used = usedAxes(facts->model());
  Recipes out;
  for (unsigned axis = 0; axis < 2; ++axis)
    for (unsigned n : {2u, 4u, 8u, 16u, 32u})
      if (const unsigned threads = threadsOf(block) * n;
          used >> axis & 1 && threads >= 128 && threads <= context.target.threadsPerBlock)
        out.push_back(fmt::format("merge-blocks({}={})", "xy"[axis], n));
  return out;
}

// Merged threads need share nothing: fewer and longer ones have more loads under way.
Recipes furtherThreadMerges(const Variant& variant, PassContext& context) {
  std::array<unsigned, 3> block{};
  analysis::Facts* facts = factsOf(variant, context, block);
  if (!facts || hasRecipePass(variant, "merge-threads")) return {};
  const uint8_t used = usedAxes(facts->model());
  // A sum that was split has its own threads of a block, which stay.
  const bool isSplit = hasRecipePass(variant, "split-reduction");
  Recipes out;
  for (unsigned axis = 0; axis < 2; ++axis) {
    if (!(used >> axis & 1)) continue;
    for (unsigned n : {2u, 4u, 8u}) {
      out.push_back(fmt::format("merge-threads({}={})", "xy"[axis], n));
      for (const char* how : {"adjacent", "strided"})
        if (!isSplit && block[axis] % n == 0 && threadsOf(block) / n >= kWarp)
          out.push_back(fmt::format("merge-threads({}={}, how={})", "xy"[axis], n, how));
    }
  }
  if ((used & 3) == 3)
    for (const char* both :
         {"x=2, y=2", "x=2, y=4", "x=4, y=2", "x=4, y=4", "x=8, y=4", "x=4, y=8", "x=8, y=8"})
      out.push_back(fmt::format("merge-threads({})", both));
  return out;
}

Recipes furtherOverlaps(const Variant& variant, PassContext& context) {
  Recipes out;
  const auto launches = passes::launchesOf(*variant.plan);
  if (std::any_of(launches.begin(), launches.end(),
                  [](const ir::LaunchStep* launch) { return passes::gainsByUnrolling(*launch); }))
    out = {"unroll(by=2)", "unroll(by=16)"};
  const bool hasAsync =
      launches.front()->kernel->language == ir::Language::Cuda && context.target.hasAsyncCopies();
  if (hasAsync && hasRecipePass(variant, "stage") && !hasRecipePass(variant, "prefetch"))
    out.insert(out.end(), {"prefetch(to=async)", "prefetch(to=async, stages=3)"});
  return out;
}

Recipes furtherOrders(const Variant& variant, PassContext& context) {
  Recipes out;
  // Threads that share a sum have little else to keep in registers than what they load.
  const bool isCuda = variant.plan->original->language == ir::Language::Cuda;
  if (isCuda && hasRecipePass(variant, "split-reduction") && !hasRecipePass(variant, "launch-bounds"))
    out = {"launch-bounds", "launch-bounds(threads=512)"};
  std::array<unsigned, 3> block{};
  analysis::Facts* facts = factsOf(variant, context, block);
  if (facts && std::popcount(usedAxes(facts->model())) > 1)
    out.emplace_back("remap-blocks(how=columns, group=8)");
  return out;
}

Recipes further(Level level, const Variant& variant, PassContext& context) {
  switch (level) {
    case Level::Prepare: return furtherPreparations(variant, context);
    case Level::Shape: return furtherShapes(variant, context);
    case Level::Stage: return furtherStages(variant, context);
    case Level::MergeBlocks:
    case Level::MergeThreads: return {};
    case Level::Widen: return {"vectorize(threads=8)", "vectorize(threads=4, width=2)"};
    case Level::Overlap: return furtherOverlaps(variant, context);
    case Level::Order: return furtherOrders(variant, context);
  }
  return {};
}

}  // namespace

std::vector<passes::Recipe> allProposals(Level level, const Variant& variant, PassContext& context) {
  // Blocks of GPUs that work by half warps begin as one and grow by the source work's own rules.
  if (worksByHalfWarps(context.target)) return proposals(level, variant, context);
  // All merges are among the further ones: no need to ask what blocks share, which takes longest of all
  // questions.
  std::vector<passes::Recipe> out;
  const bool isMerge = level == Level::MergeBlocks || level == Level::MergeThreads;
  if (!isMerge) out = proposals(level, variant, context);
  for (const std::string& text : level == Level::MergeBlocks    ? furtherBlockMerges(variant, context)
                                 : level == Level::MergeThreads ? furtherThreadMerges(variant, context)
                                                                : further(level, variant, context))
    if (passes::Recipe one = passes::parseRecipe(text); std::find(out.begin(), out.end(), one) == out.end())
      out.push_back(std::move(one));
  return out;
}

}  // namespace hone::tune
