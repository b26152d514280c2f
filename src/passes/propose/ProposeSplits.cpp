// Sums that several threads share, also behind grid-wide barriers that are lowered first.
#include <algorithm>

#include "passes/edit/Cooperation.h"
#include "passes/host/Candidate.h"
#include "passes/launch/LaunchBounds.h"
#include "passes/propose/JointProposals.h"
#include "passes/reduce/SplitReduction.h"
#include "passes/reduce/Untree.h"
#include "passes/registers/PromoteElements.h"
#include "passes/sequence/LowerGridSync.h"
#include "passes/vector/VectorizeAccesses.h"
#include "target/CoalescingRules.h"

namespace hone::passes {

namespace {

constexpr unsigned warpLanes = 32;

PassCall split(SplitOver over, const SplitReductionOptions& options = {}) {
  SplitReductionOptions all = options;
  all.over = over;
  return splitReductionPass()(all);
}

// Neighbours that read side by side stay neighbours; several blocks where few threads leave most of the
// machine idle.
std::vector<PassCall> sideBySide(const target::Target& target) {
  const bool isLarge = target.threadsPerBlock >= 1024;
  return {split(SplitOver::Block, {.ways = isLarge ? 32 : 16, .rows = 32}),
          split(SplitOver::Block, {.ways = isLarge ? 128 : 64, .rows = 8}),
          split(SplitOver::Grid, {.ways = 16, .rows = 32})};
}

std::vector<Recipe> overBarriers(const Candidate& candidate) {
  std::vector<Recipe> out = {{{gridSyncPass()()}}, {{gridSyncPass()(), promotePass()()}}};
  // Sums over all threads as one, for as many blocks as the machine holds and for twice as many.
  const target::Target& target = candidate.target();
  const unsigned held = target.multiprocessors * target.threadsPerMultiprocessor / 256;
  for (unsigned blocks : {held, 2 * held})
    for (unsigned each : {4u, 2u})
      if (blocks > 1 && blocks <= 4096)
        out.push_back({{gridSyncPass()({.how = GridSyncForm::Loop}),
                        split(SplitOver::Grid, {.ways = blocks, .each = each})}});
  for (const PassCall& one : sideBySide(target)) out.push_back({{gridSyncPass()(), one}});
  return out;
}

// Several loops that no other one holds.
bool walksRow(const Candidate& candidate) {
  unsigned outermost = 0;
  for (const affine::Loop& loop : candidate.facts().model().loops) outermost += loop.parent.isNone();
  return outermost > 1;
}

// Rows of up to 256, 1024, … elements, which stay in registers from loop to loop.
std::vector<Recipe> keptRows(const Candidate& candidate) {
  std::vector<Recipe> out;
  for (const int64_t keep : {8, 32}) out.push_back({{split(SplitOver::Warp, {.keep = keep})}});
  for (const int64_t ways : {128, 256, 512})
    if (ways <= candidate.target().threadsPerBlock)
      for (const int64_t keep : {8, 16})
        out.push_back({{split(SplitOver::Block, {.ways = ways, .keep = keep})}});
  return out;
}

// Rows of up to 1024, 2048, … elements, of which each thread takes neighbours in one access.
std::vector<Recipe> wideRows(const Candidate& candidate) {
  const PassCall vectorize = vectorizePass()();
  const int64_t each = mostNeighbours(candidate);
  std::vector<Recipe> out = {{{split(SplitOver::Warp, {.each = each}), vectorize}}};
  if (!walksRow(candidate)) return out;
  out.push_back({{split(SplitOver::Warp, {.each = each, .keep = 32 / each}), vectorize}});
  for (const int64_t ways : {128, 256, 512})
    if (ways <= candidate.target().threadsPerBlock)
      out.push_back({{split(SplitOver::Block, {.ways = ways, .each = each, .keep = 16 / each}), vectorize}});
  return out;
}

// Long sums by few threads: more threads for each.
std::vector<Recipe> splits(const Candidate& candidate) {
  if (!candidate.hasLoops()) return {};
  const PassCall promote = promotePass()(), vectorize = vectorizePass()();
  std::vector<Recipe> out;
  for (SplitOver over : {SplitOver::Warp, SplitOver::Block, SplitOver::Grid}) out.push_back({{split(over)}});
  for (SplitOver over : {SplitOver::Warp, SplitOver::Block}) out.push_back({{promote, split(over)}});
  // Long rows, of which few fill the machine.
  if (walksRow(candidate) && candidate.target().threadsPerBlock >= 512)
    for (const int64_t ways : {256, 512}) out.push_back({{split(SplitOver::Block, {.ways = ways})}});
  if (walksRow(candidate))
    for (const Recipe& one : keptRows(candidate)) out.push_back(one);
  const bool isLine = candidate.usedAxisCount() == 1 && !target::worksByHalfWarps(candidate.target());
  // Rows in small blocks, of whose threads each takes neighbours that one access may load.
  if (isLine) out.push_back({{split(SplitOver::Block, {.ways = 128, .each = 4}), vectorize}});
  if (isLine)
    for (const Recipe& one : wideRows(candidate)) out.push_back(one);
  const std::vector<PassCall> aside = sideBySide(candidate.target());
  for (const PassCall& one : aside) out.push_back({{one}});
  out.push_back({{promote, aside.front()}});
  // Columns side by side: four of them for a thread, in one access, and as many more threads for each.
  if (isLine && !candidate.touchesApart()) {
    const int64_t ways = candidate.target().threadsPerBlock >= 1024 ? 128 : 64;
    const PassCall columns = split(SplitOver::Block, {.ways = ways, .rows = 32, .wide = 4});
    out.push_back({{columns, vectorize}});
    out.push_back({{promote, columns, vectorize}});
  }
  return out;
}

// Sums that threads of a block make together, shared anew: side by side with their neighbours where lanes
// read far apart, by warps where rows may be too short for blocks.
std::vector<Recipe> splitsOfTrees(const Candidate& candidate) {
  if (candidate.has(untreePass()) || candidate.has(splitReductionPass()) || candidate.hasGridBarriers() ||
      !candidate.hasLoops() ||
      std::none_of(candidate.launches.begin(), candidate.launches.end(),
                   [](const ir::LaunchStep* launch) { return doThreadsMeet(launch->kernel->body); }))
    return {};
  const PassCall first = untreePass()();
  // Which it refuses is said once.
  if (untree(*candidate.launches.front(), {}, candidate.context).refusal) return {{{first}}};
  if (!candidate.touchesApart()) return {{{first, split(SplitOver::Warp)}}};
  std::vector<Recipe> out;
  for (const PassCall& one : sideBySide(candidate.target())) out.push_back({{first, one}});
  const int64_t ways = candidate.target().threadsPerBlock >= 1024 ? 128 : 64;
  out.push_back({{first, split(SplitOver::Block, {.ways = ways, .rows = 32, .wide = 4}), vectorizePass()()}});
  return out;
}

// Ways to share a sum: lanes of a warp, threads of a block with neighbours kept side by side, blocks of
// the grid.
std::vector<Recipe> allSplits(const target::Target& target) {
  std::vector<Recipe> out;
  for (unsigned rows : {1u, 2u, 8u, 16u}) out.push_back({{split(SplitOver::Warp, {.rows = rows})}});
  for (unsigned ways : {8u, 16u, 32u, 64u, 128u, 256u, 512u})
    for (unsigned rows : {1u, 2u, 4u, 8u, 16u, 32u, 64u})
      if (ways * rows >= 2 * warpLanes && ways * rows <= target.threadsPerBlock)
        out.push_back({{split(SplitOver::Block, {.ways = ways, .rows = rows})}});
  // Neighbours that a thread takes in one access.
  for (unsigned ways : {32u, 64u, 128u, 256u})
    for (unsigned rows : {16u, 32u, 64u})
      for (unsigned wide : {2u, 4u})
        if (ways * rows / wide >= 2 * warpLanes && ways * rows / wide <= target.threadsPerBlock)
          out.push_back(
              {{split(SplitOver::Block, {.ways = ways, .rows = rows, .wide = wide}), vectorizePass()()}});
  for (unsigned ways : {4u, 8u, 16u, 32u, 64u})
    for (unsigned rows : {1u, 8u, 32u})
      out.push_back({{split(SplitOver::Grid, {.ways = ways, .rows = rows})}});
  return out;
}

std::vector<Recipe> furtherSplits(const Candidate& candidate) {
  if (candidate.hasGridBarriers() || !candidate.hasLoops()) return {};
  return allSplits(candidate.target());
}

std::vector<Recipe> furtherOverBarriers(const Candidate& candidate) {
  if (!candidate.hasGridBarriers()) return {};
  // The block that does the last steps may be a smaller one.
  std::vector<Recipe> out;
  for (const PassCall& first :
       {gridSyncPass()(), gridSyncPass()({.last = 64}), gridSyncPass()({.last = 256})}) {
    out.push_back({{first}});
    for (const Recipe& one : allSplits(candidate.target())) {
      out.push_back({{first}});
      out.back().calls.insert(out.back().calls.end(), one.calls.begin(), one.calls.end());
    }
  }
  return out;
}

bool isOverGrid(const PassCall& call) {
  return call.pass == &splitReductionPass() && splitReductionPass().of(call).over == SplitOver::Grid;
}

// Threads that share a sum, which need few registers besides those that loads under way take. Those of a
// whole grid are as many as the machine holds already.
std::vector<Recipe> boundsForLoads(const Candidate& candidate) {
  constexpr unsigned fewRegisters = 48;
  const std::vector<PassCall>& calls = candidate.recipe.calls;
  if (!candidate.has(splitReductionPass()) || std::any_of(calls.begin(), calls.end(), isOverGrid) ||
      candidate.estimate.mostRegisters > fewRegisters)
    return {};
  return {{{launchBoundsPass()()}}};
}

}  // namespace

std::vector<Proposer> launchBoundsProposers() {
  return {{.level = Level::Finish, .place = 20, .propose = boundsForLoads, .isUnseen = true}};
}

std::vector<Proposer> gridSyncProposers() {
  return {{Level::Prepare, 10, overBarriers, ProposedTo::Searches, CandidateState::GridBarriers},
          {Level::Prepare, 10, furtherOverBarriers, ProposedTo::Spaces}};
}

std::vector<Proposer> splitReductionProposers() {
  return {{Level::Prepare, 75, splitsOfTrees},
          {Level::Prepare, 80, splits},
          {Level::Prepare, 80, furtherSplits, ProposedTo::Spaces}};
}

}  // namespace hone::passes
