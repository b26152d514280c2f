#include <fmt/core.h>

#include "ir/Verify.h"
#include "passes/Registry.h"

namespace hone::passes {

PassResult applyRecipe(const ir::PlanPtr& plan, const Recipe& recipe) {
  PassResult all{plan, {}};
  for (const PassCall& call : recipe.calls) {
    PassResult one = findPass(call.name)->apply(all.plan, call);
    all.plan = one.plan;
    all.remarks.insert(all.remarks.end(), one.remarks.begin(), one.remarks.end());
    if (!all.plan) break;
    std::vector<std::string> broken = ir::verify(*all.plan);
    if (broken.empty()) continue;
    all.plan = nullptr;
    all.remarks.push_back(
        {RemarkKind::LeftAlone, plan->original->loc, plan->original->name,
         fmt::format("internal: pass '{}' made a kernel that is not well formed ({}); please report",
                     call.name, broken.front())});
    break;
  }
  return all;
}

}  // namespace hone::passes
