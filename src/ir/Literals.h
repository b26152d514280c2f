// Literals that rules look for.
#pragma once

#include "ir/Expr.h"

namespace hone::ir {

// The integer 0, as a number or a named one.
inline bool isZeroLiteral(const ExprPtr& e) {
  const auto* literal = as<IntLiteral>(e);
  return literal && literal->value == 0;
}

}  // namespace hone::ir
