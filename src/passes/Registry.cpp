#include "passes/recipe/Registry.h"

#include <fmt/core.h>

#include <algorithm>

#include "ir/Error.h"
#include "ir/Nearest.h"
#include "passes/calls/BoundArguments.h"
#include "passes/calls/InlineFunctions.h"
#include "passes/guards/SplitBorder.h"
#include "passes/launch/LaunchBounds.h"
#include "passes/launch/RemapBlocks.h"
#include "passes/launch/ShapeBlock.h"
#include "passes/launch/Specialize.h"
#include "passes/launch/SwapAxes.h"
#include "passes/loops/MovePointers.h"
#include "passes/loops/RotateLoop.h"
#include "passes/loops/UnrollLoop.h"
#include "passes/merge/MergeBlocks.h"
#include "passes/merge/MergeThreads.h"
#include "passes/reduce/SplitReduction.h"
#include "passes/registers/ForwardStores.h"
#include "passes/registers/PromoteElements.h"
#include "passes/sequence/DropTemporaries.h"
#include "passes/sequence/FuseLaunches.h"
#include "passes/sequence/LowerGridSync.h"
#include "passes/sequence/UnrollHostLoop.h"
#include "passes/shared/CoalesceStores.h"
#include "passes/shared/PrefetchTiles.h"
#include "passes/shared/StageArrays.h"
#include "passes/vector/VectorizeAccesses.h"

namespace hone::passes {

namespace {

using Values = std::function<std::vector<std::string>(const ir::LaunchStep&, PassContext&)>;

Values values(std::vector<std::string> all) {
  return [all = std::move(all)](const ir::LaunchStep&, PassContext&) { return all; };
}

// Parameters that take a word without a name, or a number for any name.
bool isForNames(const std::string& parameter) { return parameter.ends_with("=<number>"); }
bool isForWords(const std::string& parameter) { return parameter.starts_with('<') && !isForNames(parameter); }

}  // namespace

std::span<const Pass> allPasses() {
  static const std::vector<Pass> passes = {
      {.name = "inline",
       .description = "Calls of device functions that touch memory, coordinates or barriers are replaced by "
                      "their bodies.",
       .parameters = {{"all", "all=1 inlines every call of a device function"}},
       .onLaunch = inlineFunctions},
      {.name = "grid-sync",
       .description = "A kernel with grid-wide barriers becomes several launches, or a cooperative one.",
       .parameters = {{"how",
                       "launches (default), cooperative, or loop: what all threads put together in halving "
                       "steps is one sum, for split-reduction to share out"},
                      {"last",
                       "threads of the block that does the last steps, in which no more have work; 0: none; "
                       "without it as many as a block may have",
                       values({"0", "64"})}},
       .onPlan = lowerGridSync},
      {.name = "unroll-host-loop",
       .description = "A launch in a loop of the host becomes the launches of several iterations, where so "
                      "many are due.",
       .parameters =
           {{"count",
             "iterations in one call (default 3), odd where arrays are exchanged from iteration to iteration",
             [](const ir::LaunchStep& launch, PassContext&) -> std::vector<std::string> {
               if (!launch.kernel->iteration) return {};
               return {"3", "5"};
             }}},
       .onPlan = unrollHostLoop},
      {.name = "fuse-launches",
       .description = "Launches that follow one another become one, whose threads keep in registers what the "
                      "launches handed on.",
       .parameters = {{"count", "launches that become one at most (default: all that follow one another)",
                       values({"2", "3", "4", "5"})}},
       .onPlan = fuseLaunches},
      {.name = "specialize",
       .description = "Launches in which a parameter has a given value run a kernel of their own, with the "
                      "number in its "
                      "place.",
       .parameters = {{"<parameter>=<number>",
                       "whole numbers that launches are told apart by; without any: what the host's loop "
                       "begins with"}},
       .onPlan = specialize},
      {.name = "block",
       .description =
           "A kernel that works under any block shape gets one of its own, which later passes rely on.",
       .parameters = {{"x", "threads of a block along x (default 1)",
                       values({"16", "32", "64", "128", "256"})},
                      {"y", "threads of a block along y (default 1)",
                       values({"1", "2", "4", "8", "16", "32"})},
                      {"z", "threads of a block along z (default 1)", values({"1", "2"})}},
       .onLaunch = shapeBlock},
      {.name = "stage",
       .description =
           "What threads of a block read again and again, or far apart, is loaded into shared memory by the "
           "block together.",
       .parameters =
           {{"<array or access>", "a, b#2: what is staged (default: whatever pays)"},
            {"depth", "iterations of a loop for one tile (default 16)", values({"8", "16", "32"})},
            {"loop", "L1.2: the loop that tiles follow (default: the outermost that will do)"},
            {"wide", "elements of a row that a thread loads, which vectorize makes one access (default 1)",
             values({"4"})},
            {"pad", "auto, 0, 1 or swizzle: against bank conflicts (default auto)"},
            {"layout",
             "rows or columns: how tiles lie in shared memory (default: so that what a thread reads "
             "side by side lies side by side)",
             values({"rows", "columns"})}},
       .onLaunch = stageArrays},
      {.name = "swap-axes",
       .description =
           "Two axes change places in the kernel, the grid and the block, where neighbouring threads then "
           "touch neighbouring elements.",
       .parameters = {{"axes", "xy, xz or yz; without it the pair that gains most",
                       [](const ir::LaunchStep& launch, PassContext&) { return axesToSwap(launch); }}},
       .onLaunch = swapAxes},
      {.name = "coalesce-stores",
       .description = "Where each thread writes a run of neighbouring elements, the block collects them in "
                      "shared memory "
                      "and writes them side by side.",
       .parameters =
           {{"<arrays>", "arrays to do it for; without any, all that can be"},
            {"wide", "elements that a thread writes at a time, which vectorize makes one access (default 1)",
             values({"1", "4"})}},
       .onLaunch = coalesceStores},
      {.name = "remap-blocks",
       .description =
           "Blocks run in another order: along diagonals against partition camping, or in groups that share "
           "what is in the L2.",
       .parameters = {{"how",
                       "diagonal, columns (groups of rows, walked column by column) or rows; without it what "
                       "the accesses ask for",
                       [](const ir::LaunchStep&, PassContext& context) -> std::vector<std::string> {
                         if (context.target.partitions) return {"diagonal"};
                         return {"columns", "rows"};
                       }},
                      {"group", "rows or columns of a group, 8 without it",
                       [](const ir::LaunchStep&, PassContext& context) -> std::vector<std::string> {
                         if (context.target.partitions) return {};
                         return {"4", "8", "16"};
                       }}},
       .onLaunch = remapBlocks},
      {.name = "forward-stores",
       .description =
           "What a loop stores in one iteration and reads back in later ones is kept in registers, all its "
           "iterations unrolled.",
       .parameters =
           {{"<arrays>", "what to keep; without any: the first that can be"},
            {"iterations",
             "of the loop, tested before the launch (default: as many as it has where that is a "
             "number, else 32)",
             iterationsToForward},
            {"loads",
             "ahead (default): what each iteration reads of other elements is loaded before the first; "
             "late: in its iteration, which takes fewer registers",
             values({"ahead", "late"})},
            {"order",
             "pull (default): an iteration sums up what earlier ones stored; push: it adds what it stores to "
             "the sums of all later ones, in the same order",
             ordersToForward},
            {"loop", "only this loop"}},
       .onLaunch = forwardStores},
      {.name = "promote",
       .description =
           "An element of memory that a loop reads or writes in every iteration lives in a register "
           "meanwhile, loaded before the loop and stored after it.",
       .parameters = {{"<access>", "arrays or accesses (c, c#2) to promote; none: all that can be"},
                      {"loop", "only during this loop (L1, L1.2)"}},
       .onLaunch = promoteElements},
      {.name = "merge-blocks",
       .description =
           "Several blocks become one, which fills once the shared arrays that they have in common.",
       .parameters = {{"x", "blocks in one along x (default 1)", values({"1", "2", "4", "8", "16"})},
                      {"y", "blocks in one along y (default 1)", values({"1", "2", "4"})},
                      {"z", "blocks in one along z (default 1)", values({"1", "2"})}},
       .onLaunch = mergeBlocks},
      {.name = "merge-threads",
       .description =
           "Each thread does the work of several threads, in lockstep, and loads once what they share.",
       .parameters =
           {{"x", "threads in one along x (default 1)", values({"1", "2", "4", "8"})},
            {"y", "threads in one along y (default 1)", values({"1", "2", "4", "8", "16"})},
            {"z", "threads in one along z (default 1)", values({"1", "2"})},
            {"how",
             "which: those of neighbouring blocks (blocks, the default), neighbours in a block (adjacent), "
             "spread over a block (strided), or groups of neighbours spread over it (groups)",
             values({"blocks", "adjacent", "strided", "groups"})},
            {"run", "neighbours in a group, with how=groups (default 4)"}},
       .onLaunch = mergeThreads},
      {.name = "unroll",
       .description =
           "A loop does several iterations between two tests of its end, and a second loop does the rest; "
           "or all of a known number of iterations.",
       .parameters = {{"<loop>", "loops by their handles (L1.2); none: innermost loops that count",
                       [](const ir::LaunchStep& launch, PassContext&) { return loopsToUnroll(launch); }},
                      {"by", "iterations, 4 without it; full: all of them", values({"2", "4", "8", "full"})}},
       .onLaunch = unrollLoop},
      {.name = "split-border",
       .description =
           "Threads away from the border run a form of the code without the tests that matter at the border.",
       .parameters = {},
       .onLaunch = splitBorder},
      {.name = "rotate-loop",
       .description =
           "Each block begins a sum at an iteration of its own and wraps round, so that neighbouring blocks "
           "read from different memory partitions.",
       .parameters =
           {{"<loop>",
             "a loop by its handle (L1); none: the first outermost one whose iterations may be reordered",
             loopsToRotate},
            {"width", "iterations between neighbouring blocks; without it those that cover a partition"},
            {"axis",
             "x, y or z: which neighbours; without it the first along which the loop's loads differ"}},
       .onLaunch = rotateLoop},
      {.name = "drop-temporaries",
       .description = "Stores to global arrays that nobody reads go, with what was computed for them alone.",
       .parameters = {{"<arrays>", "arrays to drop; without any, all that can go"}},
       .onPlan = dropTemporaries},
      {.name = "prefetch",
       .description = "Where a loop fills a tile of shared memory and waits, the next tile is on its way "
                      "while the block computes.",
       .parameters = {{"to",
                       "registers (default), shared (a second buffer), both (registers while the block "
                       "computes, then a "
                       "second buffer) or async (asynchronous copies, sm_80 on)",
                       [](const ir::LaunchStep& launch, PassContext& context) -> std::vector<std::string> {
                         if (launch.kernel->language == ir::Language::Cuda && context.target.hasAsyncCopies())
                           return {"registers", "shared", "both", "async"};
                         return {"registers", "shared", "both"};
                       }},
                      {"stages",
                       "tiles that are loaded or computed with at a time, 2 to 4 with to=async (default 2)"}},
       .onLaunch = prefetchTiles},
      {.name = "bound-arguments",
       .description =
           "Where the argument of a sine, cosine or tangent is known to be small, compilers are told so and "
           "leave out what huge ones need.",
       .parameters = {},
       .onLaunch = boundArguments},
      {.name = "vectorize",
       .description = "Neighbouring elements that a thread touches come in one 64- or 128-bit access.",
       .parameters = {{"<arrays>", "arrays to do it for; without any, all", arraysToWiden},
                      {"width", "elements of an access at most, 2 or 4 (default 4)", values({"2", "4"})},
                      {"threads",
                       "first merge so many neighbouring threads along x into one (merge-threads)"}},
       .onPlan = vectorizeAccesses},
      {.name = "move-pointers",
       .description =
           "Where a loop works out in each iteration from which elements it loads, pointers move along "
           "with its iterations.",
       .parameters = {{"<arrays>",
                       "arrays to do it for; without any, all that are accessed several elements "
                       "at a time"},
                      {"how",
                       "pointers (default), or offsets: integers as wide as the kernel's own, which take "
                       "fewer registers",
                       values({"pointers", "offsets"})}},
       .onLaunch = movePointers},
      {.name = "split-reduction",
       .description = "The iterations of a long sum are shared by the lanes of a warp, the threads of a "
                      "block or several "
                      "blocks, which put their partial sums together.",
       .parameters =
           {{"<loop>", "a loop by its handle (L1); none: the first outermost one that sums up", loopsToSplit},
            {"over", "warp (default), block or grid", values({"warp", "block", "grid"})},
            {"ways", "threads of a block (128) or blocks of the grid (16) that share the loop"},
            {"rows",
             "sums of a block: warps (4), or with over=block and over=grid threads that stay side by "
             "side along x (1)",
             values({"1", "2", "4", "8"})},
            {"each",
             "iterations that a thread does side by side, whose loads vectorize makes one access (default 1)",
             values({"1", "2", "4"})},
            {"wide",
             "neighbouring ones of the rows that a thread does, whose loads vectorize makes one access "
             "(default 1)",
             values({"1", "2"})}},
       .onPlan = splitReduction},
      {.name = "launch-bounds",
       .description = "Tells the compiler for how many threads of a multiprocessor to keep registers "
                      "(__launch_bounds__), where it would keep them for more and load less at a time.",
       .parameters = {{"threads", "threads of a multiprocessor (default 1024)",
                       values({"256", "512", "1024", "2048"})}},
       .onLaunch = setLaunchBounds},
  };
  return passes;
}

const Pass* findPass(std::string_view name) {
  for (const Pass& pass : allPasses())
    if (pass.name == name) return &pass;
  return nullptr;
}

void checkRecipe(const Recipe& recipe) {
  std::vector<std::string> names;
  names.reserve(allPasses().size());
  for (const Pass& pass : allPasses()) names.push_back(pass.name);
  for (const PassCall& call : recipe.calls) {
    const Pass* pass = findPass(call.name);
    if (!pass)
      throw Error(atColumn(recipe.text, call.column,
                           fmt::format("there is no pass '{}'{}", call.name, didYouMean(call.name, names))) +
                  "\n`hone passes` lists the passes there are");
    std::vector<std::string> known;
    known.reserve(pass->parameters.size());
    for (const PassParameter& parameter : pass->parameters) known.push_back(parameter.name);
    for (const Argument& argument : call.arguments) {
      bool fits =
          argument.name.empty()
              ? std::any_of(known.begin(), known.end(), [](const auto& name) { return isForWords(name); })
              : std::any_of(known.begin(), known.end(),
                            [&](const auto& name) { return name == argument.name || isForNames(name); });
      if (fits) continue;
      std::string what = argument.name.empty() ? fmt::format("'{}' takes no '{}'", pass->name, argument.value)
                                               : fmt::format("'{}' has no parameter '{}'{}", pass->name,
                                                             argument.name, didYouMean(argument.name, known));
      throw Error(atColumn(recipe.text, call.column, what));
    }
  }
}

}  // namespace hone::passes
