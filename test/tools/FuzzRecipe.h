// Random recipes: passes with parameters, drawn one after another for what the kernel has become. A pass that
// refuses is left out.
#pragma once

#include <random>

#include "passes/recipe/Pass.h"

namespace hone::test {

struct PassTally {
  unsigned applied = 0, refused = 0;
  std::map<std::string, unsigned> reasons;
  double seconds = 0, slowest = 0;
  std::string slowestAt;
};
using Tally = std::map<std::string, PassTally>;

struct DrawnRecipe {
  std::vector<passes::PassCall> calls;  // those that applied
  ir::PlanPtr plan;
  std::string broken;  // a pass threw, or made what is not well formed
  std::string text() const;
};

// The calls tried so far, those that refused too, for a crash in the last of them.
inline std::string tried;
// The pass, and what a tally says of it.
passes::PassResult applyCounted(const ir::PlanPtr& plan, const passes::PassCall& call,
                                passes::PassContext& context, Tally& tally, std::string& broken);

// What kernels are run with: values by the names of parameters.
using Sizes = std::vector<std::map<std::string, int64_t>>;

// `first` (may be empty) is tried before the others, after a few that prepare for it.
DrawnRecipe drawRecipe(std::mt19937_64& engine, const ir::PlanPtr& plan, passes::PassContext& context,
                       const std::string& first, const Sizes& sizes, Tally& tally);

// The calls in order, those that refuse left out.
DrawnRecipe applyCalls(const ir::PlanPtr& plan, const std::vector<passes::PassCall>& calls,
                       passes::PassContext& context, Tally& tally);

}  // namespace hone::test
