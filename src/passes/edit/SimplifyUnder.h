// Conditions of a plan, shortened by those that are tested before them.
#pragma once

#include "ir/Expr.h"

namespace hone::passes {

// `condition` where all of `known` hold: comparisons that follow from them are left out, choices that they
// decide are made. What is recognised: x <= T makes x <= T rounded up to a multiple true, T <= N bounds T
// rounded up and divided; x is at most x rounded up to whole blocks. Null when nothing is left.
ir::ExprPtr simplifiedUnder(const std::vector<ir::ExprPtr>& known, const ir::ExprPtr& condition);

}  // namespace hone::passes
