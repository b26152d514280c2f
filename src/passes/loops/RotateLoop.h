// Before: every block begins a sum at the same iteration. After: block b begins `width * b` iterations
// further on and wraps round at the end, so that neighbouring blocks read from different memory partitions.
#pragma once

#include "passes/recipe/Registry.h"

namespace hone::passes {

LaunchResult rotateLoop(const ir::LaunchStep& launch, const PassCall& call, PassContext& context);

// Handles of outermost loops whose iterations may be done in any order.
std::vector<std::string> loopsToRotate(const ir::LaunchStep& launch, PassContext& context);

}  // namespace hone::passes
