// A loop whose iterations may be done at once by threads of their own: none touches what another one stores,
// and what stands around the loop does nothing that others notice.
#pragma once

#include "passes/host/AliasGuard.h"
#include "passes/recipe/Pass.h"

namespace hone::passes {

class IndependentIterations {
 public:
  // `model` is that of the launch's kernel, every statement of which is a node of its own, and outlives this.
  IndependentIterations(const ir::LaunchStep& launch, const affine::KernelModel& model,
                        const PassContext& context, affine::LoopId loop);

  // Refuses where they must be done in order. `relyOn`: further requirements of the model.
  Obstacle decide(const std::set<unsigned>& relyOn);
  // What must hold before the launch; null: nothing.
  const ir::ExprPtr& condition() const { return tests; }

 private:
  const ir::LaunchStep& launch;
  const affine::KernelModel& model;
  affine::LoopId index;
  const affine::Loop& loop;
  AliasGuard apart;
  std::set<unsigned> needed;  // requirements of the model
  ir::ExprPtr tests;

  bool isOwn(const affine::Access& a) const;
  bool isInner(affine::LoopId other) const;
  Obstacle meets(affine::AccessId store, affine::AccessId other);
  // By the distance between neighbouring iterations, which is tested before the launch where it is no number.
  bool liesApart(const affine::Access& a, const affine::Access& b);
  // The least and the greatest address behind that of the iteration, over loops inside it.
  struct Bounds {
    affine::Poly low, high;
  };
  std::optional<Bounds> withinIteration(const affine::Access& a) const;
};

// What stands around a loop, from the body down to it: declarations, assignments and ifs.
Obstacle obstacleAround(const ir::StmtPtr& body, const ir::StmtPtr& loop);

}  // namespace hone::passes
