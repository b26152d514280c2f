// Blocks whose threads are pieces of work of their own, before several threads share each of them.
#pragma once

#include "passes/recipe/Pass.h"

namespace hone::passes {

inline constexpr const char* rowsComment = "pieces of work of a block, each that of one thread before";

// The launch with blocks of `rows` old threads along x and one along the other axes.
LaunchResult withRows(const ir::LaunchStep& launch, unsigned rows, PassContext& context);

// Old threads of a block lie along the axis given, or the block is one of them.
void moveRows(ir::Kernel& kernel, unsigned rows, unsigned axis);

}  // namespace hone::passes
