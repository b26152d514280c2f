// Before: one kernel for all values of a parameter. After: a kernel of its own for launches in which the
// parameter has a given value, the number in its place; the others run what ran before. Later passes work on
// both.
#pragma once

#include "passes/recipe/Pass.h"

namespace hone::passes {

struct SpecializeOptions {
  std::vector<std::pair<std::string, int64_t>> numbers = {};  // of parameters, by their names
};

const PassOf<SpecializeOptions>& specializePass();

PassResult specialize(const ir::PlanPtr& plan, const SpecializeOptions& options, PassContext& context);

}  // namespace hone::passes
