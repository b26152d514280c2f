#include "passes/merge/MergeBlocks.h"

#include "passes/host/Candidate.h"
#include "passes/launch/ShapeBlock.h"
#include "target/CoalescingRules.h"

namespace hone::passes {

namespace {

PassCall along(unsigned axis, unsigned count) {
  return axis == 0 ? mergeBlocksPass()({.x = count}) : mergeBlocksPass()({.y = count});
}

// More threads in a block share what it loaded; or the block is too small to hide latencies.
std::vector<Recipe> proposeBlocks(const Candidate& candidate) {
  // A larger block from the start is the same thing, and shorter to read.
  if (!target::worksByHalfWarps(candidate.target()) && candidate.has(blockPass())) return {};
  // Iterations that wait for each other are no faster in larger blocks, and fewer of these leave more of the
  // machine idle.
  if (candidate.has(&PassTraits::hasSerialIterations) || !candidate.has(&PassTraits::addsTiles)) return {};
  const unsigned threads = candidate.threads();
  const uint8_t used = candidate.usedAxes();
  std::array<bool, 2> isAlong{};
  for (unsigned axis = 0; axis < 2; ++axis)
    isAlong[axis] = used >> axis & 1 && candidate.sharesAlong(axis, true);
  // A block of too few threads grows even where nothing is shared.
  if (!isAlong[0] && !isAlong[1] && threads < 128) isAlong = {(used & 1) != 0, (used & 1) == 0};
  std::vector<Recipe> out;
  for (unsigned axis = 0; axis < 2; ++axis)
    for (unsigned n : {2u, 4u, 8u, 16u, 32u})
      if (isAlong[axis] && threads * n >= 128 && threads * n <= candidate.target().threadsPerBlock)
        out.push_back({{along(axis, n)}});
  return out;
}

// A block that has tiles grows, whatever its neighbours share.
std::vector<Recipe> proposeAllBlocks(const Candidate& candidate) {
  if (candidate.has(blockPass()) || !candidate.has(&PassTraits::addsTiles)) return {};
  std::vector<Recipe> out;
  for (unsigned axis = 0; axis < 2; ++axis)
    for (unsigned n : {2u, 4u, 8u, 16u, 32u})
      if (const unsigned threads = candidate.threads() * n;
          candidate.usedAxes() >> axis & 1 && threads >= 128 && threads <= candidate.target().threadsPerBlock)
        out.push_back({{along(axis, n)}});
  return out;
}

}  // namespace

const PassOf<MergeBlocksOptions>& mergeBlocksPass() {
  static const PassOf<MergeBlocksOptions> pass =
      PassOf<MergeBlocksOptions>(
          "merge-blocks",
          "Several blocks become one, which fills once the shared arrays that they have in common.",
          mergeBlocks)
          .number(&MergeBlocksOptions::x, "x", "blocks in one along x (default 1)", values({1, 2, 4, 8, 16}))
          .number(&MergeBlocksOptions::y, "y", "blocks in one along y (default 1)", values({1, 2, 4}))
          .number(&MergeBlocksOptions::z, "z", "blocks in one along z (default 1)", values({1, 2}))
          .proposes({Level::MergeBlocks, 10, proposeBlocks})
          .proposes({Level::MergeBlocks, 10, proposeAllBlocks, ProposedTo::Spaces});
  return pass;
}

}  // namespace hone::passes
