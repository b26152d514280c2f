#include "passes/reduce/Retree.h"

#include <fmt/core.h>

#include <algorithm>

#include "ir/Build.h"
#include "passes/edit/Cooperation.h"
#include "passes/edit/LoopEdit.h"
#include "passes/host/Candidate.h"
#include "passes/launch/FixBlock.h"
#include "passes/reduce/SplitTails.h"
#include "passes/reduce/TreeRewriter.h"

namespace hone::passes {

using namespace ir;

namespace {

std::vector<Recipe> whereThreadsMeet(const Candidate& candidate) {
  if (candidate.has(retreePass()) || candidate.hasGridBarriers()) return {};
  const bool meet = std::any_of(candidate.launches.begin(), candidate.launches.end(),
                                [](const LaunchStep* launch) { return doThreadsMeet(launch->kernel->body); });
  if (!meet) return {};
  return {{{retreePass()()}}};
}

}  // namespace

LaunchResult retree(const LaunchStep& launch, const RetreeOptions&, PassContext& context) {
  if (launch.kernel->language != Language::Cuda || !context.target.hasShuffles())
    return Refusal{"there are no shuffles by which it could be done"};
  const FixedLaunch fixed = withFixedBlock(launch, context);
  const unsigned threads = fixed.block[0] * fixed.block[1] * fixed.block[2];
  if (threads % 32 || threads > mostTreeThreads)
    return Refusal{fmt::format("blocks of {} threads are no whole warps", threads)};
  if (!doThreadsMeet(fixed.launch.kernel->body)) return Refusal{"its threads put no values together"};
  const KernelPtr base =
      withDistinctStatements(withTailsSplit(withDistinctStatements(fixed.launch.kernel), fixed.block));
  const TreeKernel kernel(*base, fixed.block);
  Result<std::vector<BlockTree>> found =
      blockTrees(kernel, context.facts.of(base, fixed.block), context.reassociate);
  if (!found) return found.refusal();
  TreeRewriter rewriter(kernel, *std::move(found));
  if (const Obstacle no = rewriter.check()) return *no;

  auto changed = std::make_shared<Kernel>(*base);
  changed->body = rewriter.rewritten(*changed);
  changed->story.push_back("Values of a block's threads are put together by shuffles and one barrier.");
  LaunchResult result{fixed.launch, fixed.condition};
  result.launch->kernel = changed;
  for (const BlockTree& tree : rewriter.left())
    for (const TreeTotal& total : tree.totals)
      result.remarks.push_back(
          {RemarkKind::Done, tree.loc(), launch.kernel->name,
           fmt::format("the {} of {} threads is put together with one barrier instead of {}", str(total.how),
                       kernel.threads, tree.barriers)});
  return result;
}

const PassOf<RetreeOptions>& retreePass() {
  static const PassOf<RetreeOptions> pass =
      PassOf<RetreeOptions>(
          "retree",
          "Values that the threads of a block put together by hand, with a barrier after each step, are put "
          "together by shuffles in each warp and one step through shared memory.",
          retree)
          .proposes({.level = Level::Prepare, .place = 70, .propose = whereThreadsMeet});
  return pass;
}

}  // namespace hone::passes
