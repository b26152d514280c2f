// Collects, for one launch, which arrays a pass needs to lie apart, and the test on the host that makes sure
// of it.
#pragma once

#include <set>

#include "analysis/Aliasing.h"
#include "ir/Plan.h"
#include "passes/recipe/Context.h"
#include "passes/recipe/Refusal.h"

namespace hone::passes {

class AliasGuard {
 public:
  // `model` is that of the launch's kernel and outlives the guard.
  AliasGuard(const ir::LaunchStep& launch, const affine::KernelModel& model, const PassContext& context);

  // No byte that is written through one of them is touched through the other: proved, promised, or made part
  // of the condition. Refuses where nothing can be done.
  Obstacle requireApart(affine::ArrayId first, affine::ArrayId second);
  // What the array holds stays as it is while the kernel runs.
  Obstacle requireUnchanged(affine::ArrayId array);

  // `c + n <= a || a + n <= c` for each pair that needs it, over the original's parameters and launch; null:
  // nothing is left to be tested.
  const ir::ExprPtr& condition() const { return tests; }
  // The arrays that are tested, for remarks: "`c` and `a`, `c` and `b`"; empty when none.
  const std::string& tested() const { return pairs; }

 private:
  Refusal mayAlias(affine::ArrayId first, affine::ArrayId second, const std::string& why) const;
  Obstacle test(const analysis::Aliasing& pair);
  bool require(const ir::ExprPtr& condition);

  const ir::LaunchStep& launch;
  const affine::KernelModel& model;
  analysis::LaunchBytes ownBytes;
  analysis::LaunchBytes& bytes;  // what other guards of the kernel worked out, where its facts are kept
  analysis::KnownApart known;
  std::set<std::pair<affine::ArrayId, affine::ArrayId>> done;
  std::vector<ir::ExprPtr> parts;  // of the condition, each once
  ir::ExprPtr tests;
  std::string pairs;
};

}  // namespace hone::passes
