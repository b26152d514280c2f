// Iterations of a loop that add nothing: all they bring to sums is made of zeros.
#pragma once

#include <functional>

#include "ir/Walk.h"

namespace hone::passes {

// Whether an iteration of the loop with this body changes nothing where the loads that `isZero` names give 0,
// save that a sum of -0 may become +0. Every load of the body must be one of them; products of zeros and of
// literals are zeros too.
bool addsNothing(const ir::StmtPtr& body, const std::function<bool(const ir::ExprPtr& place)>& isZero);

}  // namespace hone::passes
