// What a kernel asks itself about where memory lies: accesses behind `a + n <= b || b + m <= a` that stay
// within the pieces that were asked about.
#pragma once

#include "affine/KernelModel.h"

namespace hone::passes {

class ToldApart {
 public:
  // Of a statement that stands behind such conditions, or does not. `model` outlives this.
  ToldApart(const affine::KernelModel& model, const ir::StmtPtr& at);

  // Whether two accesses of the statement never touch the same byte, whichever of its iterations make them.
  // Adds what that relies on, as far as it does not hold anyway.
  bool areApart(const affine::Access& a, const affine::Access& b, std::set<unsigned>& requirements) const;

 private:
  const affine::KernelModel& model;
  std::vector<const affine::BytesApart*> known;

  bool isWithin(const affine::Access& access, const affine::BytesApart::Of& bytes) const;
};

}  // namespace hone::passes
