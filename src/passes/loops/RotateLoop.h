// Before: every block begins a sum at the same iteration. After: block b begins `width * b` iterations
// further on and wraps round at the end, so that neighbouring blocks read from different memory partitions.
#pragma once

#include "passes/recipe/Pass.h"

namespace hone::passes {

enum class Axis : uint8_t { X, Y, Z };

struct RotateLoopOptions {
  std::vector<std::string> loops = {};  // one at most; none: the first outermost one that will do
  std::optional<int64_t> width = {};    // iterations between neighbouring blocks
  std::optional<Axis> axis = {};        // which neighbours
};

const PassOf<RotateLoopOptions>& rotateLoopPass();

LaunchResult rotateLoop(const ir::LaunchStep& launch, const RotateLoopOptions& options, PassContext& context);

// Handles of outermost loops whose iterations may be done in any order.
std::vector<std::string> loopsToRotate(const ir::LaunchStep& launch, PassContext& context);

}  // namespace hone::passes
