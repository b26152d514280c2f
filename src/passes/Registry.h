// The passes that a recipe can name. To add one: a pair of files with one function, and one line in Registry.cpp.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <vector>

#include "ir/Plan.h"
#include "passes/Recipe.h"
#include "passes/Remark.h"

namespace hone::passes {

// A pass applies wholly or not at all.
struct PassResult {
  ir::PlanPtr plan;             // null: refused, the last remark says why
  std::vector<Remark> remarks;  // what was done, each with its reason
};

struct PassParameter {
  std::string name;  // positional ones are shown as <name>
  std::string description;
};

struct Pass {
  std::string name;
  std::string description;  // one sentence on before and after
  std::vector<PassParameter> parameters;
  bool keepsGeometry = true;  // the result runs under the original launch
  std::function<PassResult(const ir::PlanPtr&, const PassCall&)> apply;
};

std::span<const Pass> allPasses();
const Pass* findPass(std::string_view name);

// Throws hone::Error for a pass that does not exist, naming the nearest, and for parameters that it does not have.
void checkRecipe(const Recipe& recipe);

// Applies the passes in order and verifies the plan after each. A pass that refuses ends it: `plan` is null then.
PassResult applyRecipe(const ir::PlanPtr& plan, const Recipe& recipe);

}  // namespace hone::passes
