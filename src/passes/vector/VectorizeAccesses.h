// Before: a thread touches neighbouring elements one by one, in straight lines or in loops of few iterations.
// After: 64- and 128-bit accesses through the vector types of the language, where the launch's pointers and
// sizes are aligned; where they are not, the plan as it was before.
#pragma once

#include "passes/recipe/Pass.h"

namespace hone::passes {

struct VectorizeOptions {
  std::vector<std::string> arrays = {};  // empty: all
  std::optional<int64_t> width = {};     // elements of an access at most
  std::optional<int64_t> threads = {};   // neighbours along x that are merged into one before
};

const PassOf<VectorizeOptions>& vectorizePass();

PassResult vectorizeAccesses(const ir::PlanPtr& plan, const VectorizeOptions& options, PassContext& context);

// How many elements 16 bytes hold of the smallest that the candidate touches in global memory; 4 at least.
int64_t mostNeighbours(const Candidate& candidate);

// Arrays of global memory with neighbouring elements that a thread touches one by one, and none of which it
// touches together with others.
std::vector<std::string> arraysToWiden(const ir::LaunchStep& launch, PassContext& context);

}  // namespace hone::passes
