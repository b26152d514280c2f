// What proposals ask about a variant.
#pragma once

#include "tune/Variant.h"

namespace hone::tune {

// Facts of the variant's first launch under the block it has, or that the original launch has; null where it
// launches nothing.
analysis::Facts* factsOf(const Variant& variant, passes::PassContext& context,
                         std::array<unsigned, 3>& block);

// 1 for lists, 2 for images.
unsigned axesOf(const affine::KernelModel& model);

unsigned threadsOf(const std::array<unsigned, 3>& block);

bool hasRecipePass(const Variant& variant, std::string_view name);

// Whether neighbouring blocks along an axis that the kernel uses read some array in common; `staged`: one
// that goes to shared memory; `partly`: each also reads elements of it that the other does not, as stencils
// do.
bool sharesAlong(analysis::Facts& facts, unsigned axis, bool staged = false, bool partly = false);

struct Contents {
  bool loops = false, gridBarriers = false;
};
Contents contentsOf(const ir::Kernel& kernel);

}  // namespace hone::tune
