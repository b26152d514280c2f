// Before: one thread does all iterations of a long sum. After: the lanes of a warp, the threads of a block,
// or several blocks share them and put their partial sums together; those of a warp or block share all loops
// over a row.
#pragma once

#include "passes/recipe/Pass.h"
#include "passes/reduce/ReductionSplitter.h"

namespace hone::passes {

struct SplitReductionOptions {
  std::vector<std::string> loops = {};  // the first counts; none: the first outermost one that sums up
  std::optional<SplitOver> over = {};
  std::optional<int64_t> ways = {};  // threads of a block or blocks of the grid that share the loop
  std::optional<int64_t> rows = {};  // sums of a block
  std::optional<int64_t> each = {};  // iterations that a thread does side by side
  std::optional<int64_t> wide = {};  // neighbouring ones of the rows that a thread does
  std::optional<int64_t> keep = {};  // iterations of a row's loops whose elements a thread keeps, over each
  std::optional<bool> fuse = {};  // loops of a row of which the second only goes on with the first's greatest
};

const PassOf<SplitReductionOptions>& splitReductionPass();

PassResult splitReduction(const ir::PlanPtr& plan, const SplitReductionOptions& options,
                          PassContext& context);

// Handles of loops that can be split.
std::vector<std::string> loopsToSplit(const ir::LaunchStep& launch, PassContext& context);

}  // namespace hone::passes
