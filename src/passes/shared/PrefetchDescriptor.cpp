#include "passes/shared/PrefetchTiles.h"

#include "passes/host/Candidate.h"
#include "passes/merge/MergeThreads.h"
#include "target/CoalescingRules.h"

namespace hone::passes {

using namespace ir;

namespace {

std::vector<Recipe> proposePrefetch(const Candidate& candidate) {
  // Old GPUs have no registers to spare for it once threads are merged.
  const bool hasRoom = !target::worksByHalfWarps(candidate.target()) || !candidate.has(mergeThreadsPass());
  if (!candidate.has(&PassTraits::addsTiles) || candidate.has(prefetchPass()) || !hasRoom) return {};
  return {{{prefetchPass()({.to = PrefetchTo::Registers})}}, {{prefetchPass()({.to = PrefetchTo::Shared})}}};
}

std::vector<Recipe> proposeAsync(const Candidate& candidate) {
  const bool hasAsync = hasAsyncCopies(*candidate.launches.front(), candidate.target());
  if (!hasAsync || !candidate.has(&PassTraits::addsTiles) || candidate.has(prefetchPass())) return {};
  return {{{prefetchPass()({.to = PrefetchTo::Async})}},
          {{prefetchPass()({.to = PrefetchTo::Async, .stages = 3})}}};
}

}  // namespace

const PassOf<PrefetchOptions>& prefetchPass() {
  static const PassOf<PrefetchOptions> pass =
      PassOf<PrefetchOptions>("prefetch",
                              "Where a loop fills a tile of shared memory and waits, the next tile is on its "
                              "way while the block computes.",
                              prefetchTiles)
          .word(&PrefetchOptions::to, "to", {"registers", "shared", "both", "async"},
                "registers (default), shared (a second buffer), both (registers while the block computes, "
                "then a second buffer) or async (asynchronous copies, sm_80 on)",
                [](const LaunchStep& launch, PassContext& context) -> std::vector<ArgumentValue> {
                  if (hasAsyncCopies(launch, context.target)) return {"registers", "shared", "both", "async"};
                  return {"registers", "shared", "both"};
                })
          .number(&PrefetchOptions::stages, "stages",
                  "tiles that are loaded or computed with at a time, 2 to 4 with to=async (default 2)", {}, 2)
          .proposes({Level::Overlap, 10, proposePrefetch})
          .proposes({Level::Overlap, 20, proposeAsync, ProposedTo::Spaces});
  return pass;
}

}  // namespace hone::passes
