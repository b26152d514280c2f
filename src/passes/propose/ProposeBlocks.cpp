// Shapes of a block, with what later passes make of them at once.
#include "affine/DigitSums.h"
#include "passes/guards/SplitBorder.h"
#include "passes/host/Candidate.h"
#include "passes/launch/ShapeBlock.h"
#include "passes/loops/UnrollLoop.h"
#include "passes/merge/MergeThreads.h"
#include "passes/propose/JointProposals.h"
#include "passes/shared/StageArrays.h"
#include "passes/vector/VectorizeAccesses.h"
#include "target/CoalescingRules.h"

namespace hone::passes {

namespace {

constexpr unsigned warpThreads = 32;

PassCall shape(int64_t x, std::optional<int64_t> y = {}, std::optional<int64_t> z = {}) {
  return blockPass()({.x = x, .y = y, .z = z});
}

PassCall adjacent(std::optional<int64_t> x, std::optional<int64_t> y) {
  return mergeThreadsPass()({.x = x, .y = y, .how = MergedThreads::Adjacent});
}

// Tiles of all iterations of an outermost loop where these are few, else of an even part of them.
PassCall stageOfIterations(const affine::KernelModel& model) {
  constexpr int64_t few = 32;
  for (const affine::Loop& loop : model.loops) {
    const auto iterations = loop.parent.isNone() ? affine::iterationsOf(loop) : std::nullopt;
    for (int64_t depth = few; iterations && depth > 1; --depth)
      if (*iterations % depth == 0) return stagePass()({.depth = depth});
  }
  return stagePass()();
}

void append(Recipe& recipe, const std::vector<PassCall>& more) {
  recipe.calls.insert(recipe.calls.end(), more.begin(), more.end());
}

// Stencils: a thread computes neighbours and keeps what they have in common, which compilers see once tests
// of the border are out of the way.
void proposeStencils(const Candidate& candidate, std::vector<Recipe>& out) {
  std::vector<PassCall> rest;
  if (candidate.hasLoops()) rest.push_back(unrollPass()({.by = allIterations}));
  rest.push_back(splitBorderPass()());
  out.push_back({{shape(128, 4), adjacent({}, 4)}});
  append(out.back(), rest);
  // Every second element at a time is slower than the model says, unless pairs come in one access.
  out.push_back({{shape(64, 16), adjacent(2, 2)}});
  append(out.back(), rest);
  out.back().calls.push_back(vectorizePass()());
  // With loops over many elements, tiles of them, whose reads compilers share between the iterations and
  // widen.
  if (candidate.hasLoops() && candidate.sharesAlong(0))
    out.push_back({{shape(128, 16), adjacent(4, 4), stageOfIterations(candidate.facts().model()),
                    unrollPass()({.by = allIterations}), splitBorderPass()(), vectorizePass()()}});
}

// Sums of products of what rows and columns of threads share: a tile of them for each thread, in registers,
// side by side.
void proposeProducts(const Candidate& candidate, std::vector<Recipe>& out) {
  if (!candidate.hasLoops() || !candidate.sharesAlong(0) || !candidate.sharesAlong(1)) return;
  for (const auto& [columns, rows, x, y] :
       {std::array{128, 128, 8, 8}, std::array{128, 64, 4, 8}, std::array{64, 64, 4, 4}})
    out.push_back({{shape(columns, rows),
                    mergeThreadsPass()(
                        {.x = x, .y = y, .how = y > 4 ? MergedThreads::Groups : MergedThreads::Adjacent})}});
}

std::vector<Recipe> shapesOfImages(const Candidate& candidate, bool isShort) {
  std::vector<Recipe> out = {{{shape(16, 16)}}, {{shape(32, 8)}}, {{shape(64, 4)}}, {{shape(32, 32)}}};
  if (isShort) {
    for (int64_t threads = 4; threads <= mostNeighbours(candidate); threads *= 2)
      out.push_back({{shape(32 * threads, 8), vectorizePass()({.threads = threads})}});
    // Tiles larger than a block has threads, in which rows and columns are whole lines of the memory.
    if (candidate.touchesApart()) {
      const auto strided = [](int64_t y) {
        return mergeThreadsPass()({.y = y, .how = MergedThreads::Strided});
      };
      out.push_back({{shape(64, 64), stagePass()(), strided(8)}});
      out.push_back({{shape(64, 64), stagePass()(), vectorizePass()({.threads = 4}), strided(4)}});
    }
  }
  proposeProducts(candidate, out);
  if (candidate.sharesAlong(1, false, true)) proposeStencils(candidate, out);
  return out;
}

std::vector<Recipe> shapes(const Candidate& candidate) {
  if (!candidate.isBlockFree()) return {};
  const unsigned axes = candidate.axes();
  if (target::worksByHalfWarps(candidate.target())) {
    if (axes == 1) return {{{shape(16)}}, {{shape(128)}}, {{shape(256)}}};
    return {{{shape(16)}}, {{shape(16, 16)}}};
  }
  // Threads that do little do four times as much, in blocks that are not small then either.
  const bool isShort = !candidate.hasLoops() && candidate.facts().model().accesses.size() <= 8;
  if (axes == 2) return shapesOfImages(candidate, isShort);
  if (axes == 3) {
    std::vector<Recipe> out = {{{shape(32, 4, 2)}}, {{shape(32, 8)}}, {{shape(8, 8, 4)}}};
    proposeProducts(candidate, out);
    return out;
  }
  // Threads that have much to do one after the other: small blocks spread them over the machine.
  if (candidate.has(&PassTraits::hasSerialIterations)) return {{{shape(32)}}, {{shape(64)}}, {{shape(128)}}};
  std::vector<Recipe> out = {{{shape(128)}}, {{shape(256)}}, {{shape(32)}}};
  if (isShort)
    for (int64_t threads = 4; threads <= mostNeighbours(candidate); threads *= 2)
      out.push_back({{shape(256 * threads), vectorizePass()({.threads = threads})}});
  return out;
}

// Whole warps, in all shapes that a block may have.
std::vector<Recipe> allShapes(const Candidate& candidate) {
  if (!candidate.isBlockFree()) return {};
  const unsigned most = candidate.target().threadsPerBlock;
  const unsigned axes = candidate.axes();
  std::vector<Recipe> out;
  if (axes == 1) {
    for (unsigned x = warpThreads; x <= most; x += warpThreads) out.push_back({{shape(x)}});
    return out;
  }
  for (unsigned x : {8u, 16u, 32u, 64u, 128u, 256u, 512u})
    for (unsigned y : {1u, 2u, 4u, 8u, 16u, 32u})
      for (unsigned z : {1u, 2u, 4u}) {
        if (z > 1 && axes < 3) continue;
        if (x * y * z < 2 * warpThreads || x * y * z > most) continue;
        out.push_back({{shape(x, y, z > 1 ? std::optional<int64_t>(z) : std::nullopt)}});
      }
  if (axes > 2 || !candidate.hasLoops() || !candidate.sharesAlong(0) || !candidate.sharesAlong(1)) return out;
  // Tiles of results in registers.
  for (unsigned columns : {32u, 64u, 128u})
    for (unsigned rows : {32u, 64u, 128u})
      for (unsigned x : {2u, 4u, 8u})
        for (unsigned y : {2u, 4u, 8u}) {
          const unsigned threads = columns / x * rows / y;
          if (threads < 2 * warpThreads || threads > 512 || columns * rows < 2048) continue;
          out.push_back({{shape(columns, rows), adjacent(x, y)}});
        }
  return out;
}

}  // namespace

std::vector<Proposer> blockProposers() {
  return {{Level::Shape, 10, shapes}, {Level::Shape, 10, allShapes, ProposedTo::Spaces}};
}

}  // namespace hone::passes
