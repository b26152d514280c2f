#include "passes/vector/OriginalApart.h"

#include <algorithm>

#include "ir/Build.h"
#include "ir/PlanWalk.h"
#include "passes/launch/FixBlock.h"

namespace hone::passes {

using namespace ir;

struct OriginalApart::Original {
  FixedLaunch fixed;
  const affine::KernelModel& model;
  AliasGuard guard;

  Original(FixedLaunch of, PassContext& context)
      : fixed(std::move(of)),
        model(context.facts.of(fixed.launch.kernel, fixed.block).model()),
        guard(fixed.launch, model, context) {}
};

OriginalApart::OriginalApart(const LaunchStep& step, const affine::KernelModel& kernelModel,
                             const Plan& ofPlan, PassContext& passContext)
    : launch(step),
      model(kernelModel),
      plan(ofPlan),
      context(passContext),
      own(step, kernelModel, passContext) {}

affine::ArrayId OriginalApart::inOriginal(affine::ArrayId array) const {
  const VarPtr& var = model.arrays[array].var;
  const auto& params = launch.kernel->params;
  const auto at = std::find(params.begin(), params.end(), var);
  if (!var || at == params.end() || model.arrays[array].name != var->name) return affine::ArrayId::none();
  const auto* handed = as<VarRef>(launch.args[static_cast<size_t>(at - params.begin())]);
  if (!handed) return affine::ArrayId::none();
  for (const affine::ArrayId a : original->model.arrays.ids()) {
    const affine::Array& one = original->model.arrays[a];
    if (one.var == handed->var && one.name == one.var->name) return a;
  }
  return affine::ArrayId::none();
}

Obstacle OriginalApart::requireApart(affine::ArrayId first, affine::ArrayId second) {
  const Obstacle no = own.requireApart(first, second);
  // A plan of several iterations of the host's loop touches what the original's launches touch together.
  if (!no || plan.iterations > 1) return no;
  if (!original) {
    const PlanPtr asWritten = originalPlan(plan.original);
    original = std::make_shared<Original>(withBlockWhereItMatters(*onlyStep<LaunchStep>(*asWritten), context),
                                          context);
  }
  const affine::ArrayId a = inOriginal(first), b = inOriginal(second);
  if (a.isNone() || b.isNone() || original->guard.requireApart(a, b)) return no;
  return std::nullopt;
}

ExprPtr OriginalApart::condition() const {
  ExprPtr all = own.condition();
  if (!original || !original->guard.condition()) return all;
  return andAlso(andAlso(all, original->fixed.condition), original->guard.condition());
}

}  // namespace hone::passes
