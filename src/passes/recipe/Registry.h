// The passes that a recipe can name. To add one: a pair of files with one function, and one line in
// Registry.cpp.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <vector>

#include "ir/Plan.h"
#include "passes/recipe/Context.h"
#include "passes/recipe/PassResult.h"
#include "passes/recipe/Recipe.h"

namespace hone::passes {

struct PassParameter {
  std::string name;  // positional ones are shown as <name>
  std::string description;
  // Values worth a try on a kernel, for search: "1", "2", "4"; empty: not searched.
  std::function<std::vector<std::string>(const ir::LaunchStep&, PassContext&)> values = {};
};

// One of the two functions is set. `onLaunch` is applied to every launch of the fast branch of the plan (not
// to the original in the other branch of a choice): the pass applies when it applies to at least one of them.
struct Pass {
  std::string name;
  std::string description;  // one sentence on before and after
  std::vector<PassParameter> parameters;
  std::function<PassResult(const ir::PlanPtr&, const PassCall&, PassContext&)> onPlan = {};
  std::function<LaunchResult(const ir::LaunchStep&, const PassCall&, PassContext&)> onLaunch = {};
};

std::span<const Pass> allPasses();
const Pass* findPass(std::string_view name);

// Throws hone::Error for a pass that does not exist, naming the nearest, and for parameters that it does not
// have.
void checkRecipe(const Recipe& recipe);

// Called with the plan after each pass that applied.
using AfterPass = std::function<void(const PassCall&, const ir::Plan&)>;

// Applies the passes in order and verifies the plan after each. A pass that refuses ends it: there is no plan
// then, and the refusal says where and by which pass.
PassResult applyRecipe(const ir::PlanPtr& plan, const Recipe& recipe, PassContext& context,
                       const AfterPass& after = {});
// The same for one pass.
PassResult applyPass(const ir::PlanPtr& plan, const PassCall& call, PassContext& context);

}  // namespace hone::passes
