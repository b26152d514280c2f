// Blocks for whose threads a condition never holds: masks of triangles and bands leave out whole tiles.
#pragma once

#include "affine/KernelModel.h"

namespace hone::passes {

// Conditions over the block, symbols, and the counter of loop `kept` alone. Where one of them holds, `cond`
// holds for no thread of the block, in no iteration of the other loops. Comparisons of sums are answered
// exactly, for themselves: what two of them exclude together is not found.
std::vector<affine::CondPtr> idleWhere(const affine::KernelModel& model, const affine::CondPtr& cond,
                                       affine::LoopId kept = {});

// Whether one condition makes sure of another, as far as such conditions go.
bool impliesIdle(const affine::CondPtr& known, const affine::CondPtr& other);

// The conditions that make sure of one of `some` and of one of `others`: of sums that differ by a number the
// smaller one.
std::vector<affine::CondPtr> idleInBoth(const std::vector<affine::CondPtr>& some,
                                        const std::vector<affine::CondPtr>& others);

}  // namespace hone::passes
