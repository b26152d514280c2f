#include "tune/Proposals.h"

#include <fmt/core.h>

#include <bit>

#include "affine/DigitSums.h"
#include "ir/HostIteration.h"
#include "passes/host/PlanEdit.h"
#include "passes/loops/UnrollLoop.h"
#include "passes/recipe/ParseRecipe.h"
#include "passes/recipe/Registry.h"
#include "target/CoalescingRules.h"
#include "tune/VariantFacts.h"

namespace hone::tune {

using namespace ir;
using passes::PassContext;

namespace {

// Whether neighbouring threads touch elements of global memory that lie far apart.
bool touchesApart(analysis::Facts& facts) {
  const affine::KernelModel& model = facts.model();
  for (size_t i = 0; i < model.accesses.size(); ++i) {
    const int array = model.accesses[i].array;
    if (array < 0 || model.arrays[static_cast<size_t>(array)].space != Space::Global) continue;
    if (facts.coalescing(i).verdict == analysis::CoalescingVerdict::Strided) return true;
  }
  return false;
}

// Tiles of all iterations of an outermost loop where these are few, else of an even part of them.
std::string stageOfIterations(const affine::KernelModel& model) {
  constexpr int64_t few = 32;
  for (const affine::Loop& loop : model.loops) {
    const auto iterations = loop.parent < 0 ? affine::iterationsOf(loop) : std::nullopt;
    for (int64_t depth = few; iterations && depth > 1; --depth)
      if (*iterations % depth == 0) return fmt::format("stage(depth={})", depth);
  }
  return "stage";
}

// Whether the host launches it in a loop, with other arguments in every iteration. What a loop does over and
// over with the same ones is there to be measured.
bool changesFromIterationToIteration(const Kernel& kernel) {
  for (size_t p = 0; kernel.iteration && p < kernel.params.size(); ++p) {
    const auto* same = as<VarRef>(kernel.iteration->args[p]);
    if (!same || same->var != kernel.params[p]) return true;
  }
  return false;
}

// What a pass declares as worth a try for one of its parameters on a variant's first launch.
std::vector<std::string> valuesOf(const char* pass, std::string_view parameter, const Variant& variant,
                                  PassContext& context) {
  std::vector<std::string> out;
  const auto launches = passes::launchesOf(*variant.plan);
  for (const passes::PassParameter& one : passes::findPass(pass)->parameters)
    if (one.name == parameter && one.values && !launches.empty())
      for (const passes::ArgumentValue& value : one.values(*launches.front(), context))
        out.push_back(passes::str(value));
  return out;
}

// Arrays of which one call of vectorize left accesses as they were: those that happen once beside others in
// loops.
std::vector<std::string> furtherWidenings(const Variant& variant, PassContext& context) {
  std::vector<std::string> out;
  for (const std::string& array : valuesOf("vectorize", "<arrays>", variant, context))
    out.push_back(fmt::format("vectorize({})", array));
  return out;
}

std::vector<std::string> prepare(const Variant& variant, PassContext& context) {
  std::vector<std::string> out;
  std::array<unsigned, 3> block{};
  analysis::Facts* facts = factsOf(variant, context, block);
  if (!facts) return out;
  const Contents contents = contentsOf(*facts->kernel());
  // Neighbours that read side by side stay neighbours; several blocks where few threads leave most of the
  // machine idle.
  const unsigned most = context.target.threadsPerBlock;
  const std::vector<std::string> aside = {
      fmt::format("split-reduction(over=block, ways={}, rows=32)", most >= 1024 ? 32 : 16),
      fmt::format("split-reduction(over=block, ways={}, rows=8)", most >= 1024 ? 128 : 64),
      "split-reduction(over=grid, ways=16, rows=32)"};
  if (contents.gridBarriers) {
    out = {"grid-sync", "grid-sync promote"};
    // Sums over all threads as one, for as many blocks as the machine holds and for twice as many.
    const unsigned held = context.target.multiprocessors * context.target.threadsPerMultiprocessor / 256;
    for (unsigned blocks : {held, 2 * held})
      for (unsigned each : {4u, 2u})
        if (blocks > 1 && blocks <= 4096)
          out.push_back(
              fmt::format("grid-sync(how=loop) split-reduction(over=grid, ways={}, each={})", blocks, each));
    for (const std::string& split : aside) out.push_back("grid-sync " + split);
    return out;
  }
  // More iterations at once are fewer launches, but more registers, and may leave more iterations over:
  // estimates tell. Where arrays are exchanged, even numbers are refused.
  if (!context.byLaunch && changesFromIterationToIteration(*variant.plan->original))
    for (unsigned count : {3, 4, 5}) {
      out.push_back(fmt::format("unroll-host-loop(count={}) fuse-launches", count));
      // In the first iterations a thread may write runs of neighbours, each far from the next thread's.
      out.push_back(
          fmt::format("unroll-host-loop(count={}) fuse-launches specialize coalesce-stores(wide=4)", count));
    }
  if (contents.loops) out.push_back("promote");
  if (std::popcount(usedAxes(facts->model())) > 1) out.push_back("swap-axes");
  if (context.outputs) out.push_back("drop-temporaries");
  if (!contents.loops) return out;
  // Sums of products of what rows and columns of threads share, whole: on the way there what is made looks
  // slow, and other ways would be followed.
  if (!worksByHalfWarps(context.target) && axesOf(facts->model()) == 2 && sharesAlong(*facts, 0) &&
      sharesAlong(*facts, 1))
    for (const char* tile :
         {"block(x=128, y=64) merge-threads(x=4, y=8, how=groups) stage(depth=32, wide=4) "
          "prefetch(to=registers) "
          "vectorize",
          "block(x=128, y=64) merge-threads(x=4, y=8, how=groups) stage(depth=24, wide=4) "
          "prefetch(to=registers) "
          "vectorize move-pointers",
          "block(x=64, y=64) merge-threads(x=4, y=4, how=adjacent) stage(depth=32) vectorize",
          "block(x=32, y=32) merge-threads(x=2, y=2, how=adjacent) stage(depth=32) vectorize"})
      for (const char* first : {"", "promote "}) out.push_back(fmt::format("{}{}", first, tile));
  const std::vector<std::string> orders = valuesOf("forward-stores", "order", variant, context);
  const bool canPush = std::find(orders.begin(), orders.end(), "push") != orders.end();
  for (const std::string& iterations : valuesOf("forward-stores", "iterations", variant, context)) {
    out.push_back(fmt::format("forward-stores(iterations={})", iterations));
    if (canPush) out.push_back(fmt::format("forward-stores(iterations={}, order=push)", iterations));
  }
  // Long sums by few threads: more threads for each.
  for (const char* over : {"warp", "block", "grid"})
    out.push_back(fmt::format("split-reduction(over={})", over));
  for (const char* over : {"warp", "block"})
    out.push_back(fmt::format("promote split-reduction(over={})", over));
  // Rows in small blocks, of whose threads each takes neighbours that one access may load.
  if (std::popcount(usedAxes(facts->model())) == 1 && !worksByHalfWarps(context.target))
    out.emplace_back("split-reduction(over=block, ways=128, each=4) vectorize");
  out.insert(out.end(), aside.begin(), aside.end());
  out.push_back("promote " + aside.front());
  // Columns side by side: four of them for a thread, in one access, and as many more threads for each.
  if (std::popcount(usedAxes(facts->model())) == 1 && !worksByHalfWarps(context.target) &&
      !touchesApart(*facts))
    for (const char* first : {"", "promote "})
      out.push_back(fmt::format("{}split-reduction(over=block, ways={}, rows=32, wide=4) vectorize", first,
                                most >= 1024 ? 128 : 64));
  return out;
}

std::vector<std::string> shapes(const Variant& variant, PassContext& context) {
  std::array<unsigned, 3> block{};
  analysis::Facts* facts = factsOf(variant, context, block);
  if (!facts || !launchAssumption(*facts->kernel()).free) return {};
  const unsigned axes = axesOf(facts->model());
  if (worksByHalfWarps(context.target)) {
    if (axes == 1) return {"block(x=16)", "block(x=128)", "block(x=256)"};
    return {"block(x=16)", "block(x=16, y=16)"};
  }
  // Threads that do little do four times as much, in blocks that are not small then either.
  const bool isShort = !contentsOf(*facts->kernel()).loops && facts->model().accesses.size() <= 8;
  if (axes == 1) {
    // Threads whose iterations were kept have much to do one after the other: small blocks spread them over
    // the machine.
    if (hasRecipePass(variant, "forward-stores")) return {"block(x=32)", "block(x=64)", "block(x=128)"};
    std::vector<std::string> out = {"block(x=128)", "block(x=256)", "block(x=32)"};
    if (isShort) out.emplace_back("block(x=1024) vectorize(threads=4)");
    return out;
  }
  if (axes == 2) {
    std::vector<std::string> out = {"block(x=16, y=16)", "block(x=32, y=8)", "block(x=64, y=4)",
                                    "block(x=32, y=32)"};
    if (isShort) {
      out.emplace_back("block(x=128, y=8) vectorize(threads=4)");
      // Tiles larger than a block has threads, in which rows and columns are whole lines of the memory.
      if (touchesApart(*facts)) {
        out.emplace_back("block(x=64, y=64) stage merge-threads(y=8, how=strided)");
        out.emplace_back("block(x=64, y=64) stage vectorize(threads=4) merge-threads(y=4, how=strided)");
      }
    }
    // Sums of products of what rows and columns of threads share: a tile of them for each thread, in
    // registers, side by side.
    if (contentsOf(*facts->kernel()).loops && sharesAlong(*facts, 0) && sharesAlong(*facts, 1))
      for (const auto& [columns, rows, x, y] :
           {std::array{128, 128, 8, 8}, std::array{128, 64, 4, 8}, std::array{64, 64, 4, 4}})
        out.push_back(fmt::format("block(x={}, y={}) merge-threads(x={}, y={}, how={})", columns, rows, x, y,
                                  y > 4 ? "groups" : "adjacent"));
    // Stencils: a thread computes neighbours and keeps what they have in common, which compilers see once
    // tests of the border are out of the way.
    if (sharesAlong(*facts, 1, false, true)) {
      const char* rest = contentsOf(*facts->kernel()).loops ? "unroll(by=full) split-border" : "split-border";
      out.push_back(fmt::format("block(x=128, y=4) merge-threads(y=4, how=adjacent) {}", rest));
      // Every second element at a time is slower than the model says, unless pairs come in one access.
      out.push_back(
          fmt::format("block(x=64, y=16) merge-threads(x=2, y=2, how=adjacent) {} vectorize", rest));
      // With loops over many elements, tiles of them, whose reads compilers share between the iterations and
      // widen.
      if (contentsOf(*facts->kernel()).loops && sharesAlong(*facts, 0))
        out.push_back(
            fmt::format("block(x=128, y=16) merge-threads(x=4, y=4, how=adjacent) {} unroll(by=full) "
                        "split-border vectorize",
                        stageOfIterations(facts->model())));
    }
    return out;
  }
  return {"block(x=32, y=4, z=2)", "block(x=32, y=8)", "block(x=8, y=8, z=4)"};
}

std::vector<std::string> stages(const Variant& variant, PassContext& context) {
  const auto launches = passes::launchesOf(*variant.plan);
  const bool hasLoops = std::any_of(launches.begin(), launches.end(), [](const LaunchStep* launch) {
    return contentsOf(*launch->kernel).loops;
  });
  // The depth is that of a loop's tile.
  if (!hasLoops) return {"stage"};
  if (worksByHalfWarps(context.target)) return {"stage(depth=16)"};
  // Iterations that were kept are unrolled; the filling of their tile is not.
  if (hasRecipePass(variant, "forward-stores")) return {"stage unroll(by=full)", "stage"};
  // A thread that computes a tile of results takes its part of the loads in wide accesses too, and has them
  // under way. Where it has several groups of them, tiles without that have lost at every size measured.
  if (passes::str(variant.recipe).find("how=groups") != std::string::npos)
    return {"stage(depth=16, wide=4) prefetch(to=both) vectorize",
            "stage(depth=16, wide=4) prefetch(to=both) vectorize move-pointers",
            "stage(depth=8, wide=4) prefetch(to=registers) vectorize",
            "stage(depth=32, wide=4) prefetch(to=registers) vectorize",
            "stage(depth=32, wide=4) vectorize",
            "stage(depth=16)"};
  if (hasRecipePass(variant, "merge-threads"))
    return {"stage(depth=16)", "stage(depth=32)", "stage(depth=8, wide=4) prefetch(to=registers)",
            "stage(depth=16, wide=4) prefetch(to=both)"};
  return {"stage(depth=16)", "stage(depth=32)"};
}

// More threads in a block share what it loaded; or the block is too small to hide latencies.
std::vector<std::string> blockMerges(const Variant& variant, PassContext& context) {
  // A larger block from the start is the same thing, and shorter to read.
  if (!worksByHalfWarps(context.target) && hasRecipePass(variant, "block")) return {};
  // Iterations that wait for each other are no faster in larger blocks, and fewer of these leave more of the
  // machine idle.
  if (hasRecipePass(variant, "forward-stores")) return {};
  std::array<unsigned, 3> block{};
  analysis::Facts* facts = factsOf(variant, context, block);
  if (!facts || !hasRecipePass(variant, "stage")) return {};
  std::vector<std::string> out;
  const unsigned threads = threadsOf(block);
  const uint8_t used = usedAxes(facts->model());
  std::array<bool, 2> isAlong{};
  for (unsigned axis = 0; axis < 2; ++axis)
    isAlong[axis] = used >> axis & 1 && sharesAlong(*facts, axis, true);
  // A block of too few threads grows even where nothing is shared.
  if (!isAlong[0] && !isAlong[1] && threads < 128) isAlong = {(used & 1) != 0, (used & 1) == 0};
  for (unsigned axis = 0; axis < 2; ++axis) {
    if (!isAlong[axis]) continue;
    for (unsigned n : {2u, 4u, 8u, 16u, 32u}) {
      if (threads * n > context.target.threadsPerBlock || threads * n < 128) continue;
      out.push_back(fmt::format("merge-blocks({}={})", "xy"[axis], n));
    }
  }
  return out;
}

// What neighbours load in common is loaded once and kept in registers.
std::vector<std::string> threadMerges(const Variant& variant, PassContext& context) {
  std::array<unsigned, 3> block{};
  analysis::Facts* facts = factsOf(variant, context, block);
  if (!facts || hasRecipePass(variant, "merge-threads")) return {};
  const bool alongX = sharesAlong(*facts, 0), alongY = sharesAlong(*facts, 1);
  std::vector<std::string> out;
  if (worksByHalfWarps(context.target)) {
    if (alongY)
      for (unsigned n : {4u, 8u, 16u, 32u}) out.push_back(fmt::format("merge-threads(y={})", n));
    return out;
  }
  if (alongX && alongY)
    for (const char* both : {"x=2, y=2", "x=4, y=4", "x=8, y=4", "x=4, y=8", "x=8, y=8"})
      out.push_back(fmt::format("merge-threads({})", both));
  if (alongY)
    for (unsigned n : {2u, 4u, 8u}) out.push_back(fmt::format("merge-threads(y={})", n));
  if (alongX)
    for (unsigned n : {2u, 4u}) out.push_back(fmt::format("merge-threads(x={})", n));
  return out;
}

std::vector<std::string> widenings(const Variant& variant, PassContext& context) {
  // Half warps move 8 bytes a lane hardly faster than 4, and 16 bytes slower.
  if (worksByHalfWarps(context.target)) return {"vectorize"};
  std::vector<std::string> out = {"vectorize", "vectorize(width=2)", "vectorize(threads=4)",
                                  "vectorize(threads=2)"};
  // The same for tiles that merged threads read; else fewer tests alone. The pass refuses quickly where there
  // are none.
  out.emplace_back(hasRecipePass(variant, "merge-threads") ? "unroll(by=full) split-border vectorize"
                                                           : "split-border");
  return out;
}

std::vector<std::string> overlaps(const Variant& variant, PassContext& context) {
  std::vector<std::string> out;
  const auto launches = passes::launchesOf(*variant.plan);
  if (std::any_of(launches.begin(), launches.end(),
                  [](const LaunchStep* launch) { return passes::gainsByUnrolling(*launch); }))
    out = {"unroll(by=4)", "unroll(by=8)"};
  // Old GPUs have no registers to spare for it once threads are merged.
  const bool hasRoom = !worksByHalfWarps(context.target) || !hasRecipePass(variant, "merge-threads");
  if (hasRecipePass(variant, "vectorize"))
    for (std::string& one : furtherWidenings(variant, context)) out.push_back(std::move(one));
  if (hasRecipePass(variant, "stage") && !hasRecipePass(variant, "prefetch") && hasRoom)
    out.insert(out.begin(), {"prefetch(to=registers)", "prefetch(to=shared)"});
  return out;
}

// Whether blocks that run at the same time crowd on few partitions of the memory.
bool camps(const Variant& variant) {
  return std::any_of(
      variant.estimate.launches.begin(), variant.estimate.launches.end(),
      [](const LaunchEstimate& l) { return l.memory.partitionBusiest * 10 > l.memory.partitionEven * 12; });
}

std::vector<std::string> orders(const Variant& variant, PassContext& context) {
  if (context.target.partitions && !camps(variant)) return {};
  std::array<unsigned, 3> block{};
  analysis::Facts* facts = factsOf(variant, context, block);
  if (!facts) return {};
  std::vector<std::string> out;
  if (std::popcount(usedAxes(facts->model())) > 1)
    out.push_back(context.target.partitions ? "remap-blocks(how=diagonal)"
                                            : "remap-blocks(how=rows, group=8)");
  if (context.target.partitions && contentsOf(*facts->kernel()).loops) out.push_back("rotate-loop");
  return out;
}

}  // namespace

uint8_t usedAxes(const affine::KernelModel& model) {
  uint8_t all = 0;
  for (const affine::Access& access : model.accesses) {
    auto varies = model.atoms->variation(access.address);
    varies |= model.atoms->variation(access.guard);
    all |= varies.threadAxes | varies.blockAxes;
  }
  return all;
}

bool isForSizes(const passes::Recipe& proposal) {
  return std::any_of(proposal.calls.begin(), proposal.calls.end(),
                     [](const passes::PassCall& call) { return call.pass->traits.isForSizes; });
}

bool worksByHalfWarps(const target::Target& target) {
  const auto rule = target.coalescing;
  return rule == target::CoalescingRule::Strict16 || rule == target::CoalescingRule::Segments;
}

const char* str(Level level) {
  switch (level) {
    case Level::Prepare: return "preparing";
    case Level::Shape: return "block shapes";
    case Level::Stage: return "staging";
    case Level::MergeBlocks: return "merging blocks";
    case Level::MergeThreads: return "merging threads";
    case Level::Widen: return "wider accesses";
    case Level::Overlap: return "overlap";
    case Level::Order: return "block order";
  }
  return "";
}

static std::vector<std::string> proposedTexts(Level level, const Variant& variant, PassContext& context) {
  // What was split from its border has two forms, which other passes have little to gain from.
  if (hasRecipePass(variant, "split-border"))
    return level == Level::Widen ? std::vector<std::string>{"vectorize"} : std::vector<std::string>{};
  // Threads that were merged for wide accesses when the block was shaped: neither tiles nor further merging.
  const bool isWide = hasRecipePass(variant, "vectorize");
  if (isWide && level == Level::Widen) return furtherWidenings(variant, context);
  if (isWide && level >= Level::Stage && level < Level::Widen) return {};
  switch (level) {
    case Level::Prepare: return prepare(variant, context);
    case Level::Shape: return shapes(variant, context);
    case Level::Stage: return stages(variant, context);
    case Level::MergeBlocks: return blockMerges(variant, context);
    case Level::MergeThreads: return threadMerges(variant, context);
    case Level::Widen: return widenings(variant, context);
    case Level::Overlap: return overlaps(variant, context);
    case Level::Order: return orders(variant, context);
  }
  return {};
}

std::vector<passes::Recipe> proposals(Level level, const Variant& variant, PassContext& context) {
  std::vector<passes::Recipe> out;
  for (const std::string& text : proposedTexts(level, variant, context))
    out.push_back(passes::parseRecipe(text));
  return out;
}

}  // namespace hone::tune
