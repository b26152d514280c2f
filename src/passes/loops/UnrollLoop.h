// Before: a loop tests its end in every iteration. After: it does `by` iterations between two tests, and a
// second loop does what is left; or all of a known number of iterations at once.
#pragma once

#include <limits>

#include "passes/recipe/Pass.h"

namespace hone::passes {

inline constexpr int64_t allIterations = std::numeric_limits<int64_t>::min();  // no number that anybody gives

struct UnrollOptions {
  std::vector<std::string> loops = {};  // by their handles; empty: innermost ones that count
  std::optional<int64_t> by = {};       // iterations between two tests, or allIterations
};

const PassOf<UnrollOptions>& unrollPass();

LaunchResult unrollLoop(const ir::LaunchStep& launch, const UnrollOptions& options, PassContext& context);

// Handles of the loops that unroll works on when none is named: innermost ones that count.
std::vector<std::string> loopsToUnroll(const ir::LaunchStep& launch);
// Whether one of them is not unrolled by every compiler of its own accord, as loops of a few iterations,
// their number known, are.
bool gainsByUnrolling(const ir::LaunchStep& launch);

}  // namespace hone::passes
