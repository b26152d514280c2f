// A variant with further passes appended to its recipe.
#pragma once

#include "tune/Variant.h"

namespace hone::tune {

// A pass that was tried and refused.
struct Refused {
  const passes::Pass* pass;
  passes::Refusal refusal;
};

// Nothing where a pass refuses, which `refused` is told, or changes nothing. The new variant has no estimate.
std::optional<Variant> extended(const Variant& from, const passes::Recipe& proposal,
                                passes::PassContext& context,
                                const std::function<void(const Refused&)>& refused = {});

}  // namespace hone::tune
