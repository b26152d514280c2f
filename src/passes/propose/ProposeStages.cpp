// Tiles in shared memory, with the loads that are under way meanwhile and the accesses that become wide at
// once.
#include <algorithm>

#include "passes/host/Candidate.h"
#include "passes/loops/MovePointers.h"
#include "passes/loops/UnrollLoop.h"
#include "passes/merge/MergeThreads.h"
#include "passes/propose/JointProposals.h"
#include "passes/shared/PrefetchTiles.h"
#include "passes/shared/StageArrays.h"
#include "passes/vector/VectorizeAccesses.h"
#include "target/CoalescingRules.h"

namespace hone::passes {

namespace {

PassCall tiles(int64_t depth, std::optional<int64_t> wide = {}) {
  return stagePass()({.depth = depth, .wide = wide});
}

bool mergesGroups(const PassCall& call) {
  return call.pass == &mergeThreadsPass() && mergeThreadsPass().of(call).how == MergedThreads::Groups;
}

std::vector<Recipe> stages(const Candidate& candidate) {
  // The depth is that of a loop's tile.
  if (!candidate.anyHasLoops()) return {{{stagePass()()}}};
  if (target::worksByHalfWarps(candidate.target())) return {{{tiles(16)}}};
  // Iterations that were kept are unrolled; the filling of their tile is not.
  if (candidate.has(&PassTraits::hasSerialIterations))
    return {{{stagePass()(), unrollPass()({.by = allIterations})}}, {{stagePass()()}}};
  const PassCall registers = prefetchPass()({.to = PrefetchTo::Registers});
  const PassCall both = prefetchPass()({.to = PrefetchTo::Both});
  const PassCall vectorize = vectorizePass()();
  // A thread that computes a tile of results takes its part of the loads in wide accesses too, and has them
  // under way. Where it has several groups of them, tiles without that have lost at every size measured.
  const std::vector<PassCall>& calls = candidate.recipe.calls;
  if (std::any_of(calls.begin(), calls.end(), mergesGroups))
    return {{{tiles(16, 4), both, vectorize}},     {{tiles(16, 4), both, vectorize, movePointersPass()()}},
            {{tiles(8, 4), registers, vectorize}}, {{tiles(32, 4), registers, vectorize}},
            {{tiles(32, 4), vectorize}},           {{tiles(16)}}};
  if (candidate.has(mergeThreadsPass()))
    return {{{tiles(16)}}, {{tiles(32)}}, {{tiles(8, 4), registers}}, {{tiles(16, 4), both}}};
  return {{{tiles(16)}}, {{tiles(32)}}};
}

std::vector<Recipe> moreStages(const Candidate& candidate) {
  if (!candidate.anyHasLoops())
    return {{{stagePass()({.pad = TilePad::None})}}, {{stagePass()({.pad = TilePad::Swizzle})}}};
  return {{{tiles(8)}}, {{tiles(64)}}};
}

}  // namespace

std::vector<Proposer> stageProposers() {
  return {{Level::Stage, 10, stages}, {Level::Stage, 10, moreStages, ProposedTo::Spaces}};
}

}  // namespace hone::passes
