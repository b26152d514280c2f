// Before: a loop loads a tile into shared memory, waits for it, and computes with it. After: the next tile is
// on its way while the block computes with this one, in registers, in a second buffer of shared memory, or by
// asynchronous copies.
#pragma once

#include "passes/recipe/Pass.h"

namespace hone::passes {

enum class PrefetchTo : uint8_t { Registers, Shared, Both, Async };

struct PrefetchOptions {
  std::optional<PrefetchTo> to = {};
  std::optional<int64_t> stages = {};  // tiles that are loaded or computed with at a time
};

const PassOf<PrefetchOptions>& prefetchPass();

LaunchResult prefetchTiles(const ir::LaunchStep& launch, const PrefetchOptions& options,
                           PassContext& context);

// Whether the launch may copy from global to shared memory while threads go on.
bool hasAsyncCopies(const ir::LaunchStep& launch, const target::Target& target);

}  // namespace hone::passes
