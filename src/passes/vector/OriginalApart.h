// Arrays that must lie apart, told by what the original launch touches of them where the kernel that a pass
// is at says too little: whatever was made of the original touches no more than it does.
#pragma once

#include <memory>

#include "passes/host/AliasGuard.h"

namespace hone::passes {

class OriginalApart {
 public:
  // `plan`: the one that the launch belongs to. `launch`, `model` and `context` outlive this.
  OriginalApart(const ir::LaunchStep& launch, const affine::KernelModel& model, const ir::Plan& plan,
                PassContext& context);

  // As AliasGuard::requireApart.
  Obstacle requireApart(affine::ArrayId first, affine::ArrayId second);
  // What must hold before the launch; null: nothing.
  ir::ExprPtr condition() const;

 private:
  struct Original;
  const ir::LaunchStep& launch;
  const affine::KernelModel& model;
  const ir::Plan& plan;
  PassContext& context;
  AliasGuard own;
  std::shared_ptr<Original> original;  // once it was asked

  // The original's array that the kernel's is; none: it is none of them, or begins elsewhere.
  affine::ArrayId inOriginal(affine::ArrayId array) const;
};

}  // namespace hone::passes
