// Before: a thread for each piece of work. After: each thread does the pieces of several threads, in
// lockstep, and loads once what they share.
#pragma once

#include "passes/recipe/Pass.h"

namespace hone::passes {

// Which threads become one: those of neighbouring blocks, neighbours in a block, spread over a block, groups
// of neighbours spread over it.
enum class MergedThreads : uint8_t { Blocks, Adjacent, Strided, Groups };

struct MergeThreadsOptions {
  std::optional<int64_t> x = {}, y = {}, z = {};  // threads in one along an axis
  std::optional<MergedThreads> how = {};
  std::optional<int64_t> run = {};  // neighbours in a group
};

const PassOf<MergeThreadsOptions>& mergeThreadsPass();

LaunchResult mergeThreads(const ir::LaunchStep& launch, const MergeThreadsOptions& options,
                          PassContext& context);

}  // namespace hone::passes
