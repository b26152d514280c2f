// A launch whose block is made of numbers, so that facts can be asked about it.
#pragma once

#include "passes/recipe/Pass.h"

namespace hone::passes {

struct FixedLaunch {
  ir::LaunchStep launch;          // block in numbers, and no blockDim in its kernel
  std::array<unsigned, 3> block;  // the same numbers
  ir::ExprPtr
      condition;  // that the original launch has this block and no offset; null where it was fixed already
};

// As it is where its block is numbers already; else with the block that the context says the original launch
// has. Kernels are brought into the form that passes work on: calls inlined that touch memory, early returns
// turned into ifs, OpenCL's global ids taken apart.
FixedLaunch withFixedBlock(const ir::LaunchStep& launch, const PassContext& context);

// The same, but with its block as it is where threads are known by their global ids alone and the block's
// shape is of no concern: the model is that of the context's block then. Every statement of the kernel is a
// node of its own.
FixedLaunch withBlockWhereItMatters(const ir::LaunchStep& launch, const PassContext& context);

// Calls inlined that touch memory or coordinates, early returns turned into ifs where that nests no deeper
// than a person would.
ir::KernelPtr structured(const ir::KernelPtr& kernel);

// What keeps a kernel with its calls inlined from being the one that its model is of: a call that cannot be.
Obstacle obstacleToModel(const ir::Kernel& kernel);

// blockDim replaced by the named numbers of a block, global ids by blockIdx * number + threadIdx. The
// constants are added to the kernel. Returns what of the launch that takes for granted: that ids begin at 0
// (null: nothing), unless the offset is to be kept in the ids.
[[nodiscard]] ir::ExprPtr setBlock(ir::Kernel& kernel, const std::array<unsigned, 3>& block,
                                   bool keepsOffset = false);

}  // namespace hone::passes
