// Polynomials of a group's digits as expressions of a kernel or of the host.
#pragma once

#include "affine/Poly.h"
#include "ir/Expr.h"

namespace hone::passes {

// A polynomial of p and Q, of the digits where given, and of digits of a member's number (MemberLoops.h), as
// an expression of one integer type.
class DigitExpr {
 public:
  ir::TypePtr type;
  int64_t count = 1;                  // size = count * groups
  ir::ExprPtr size, groups, divisor;  // divisor null: 1
  ir::ExprPtr group, low;             // null: not to be used
  std::vector<ir::ExprPtr> members;   // digits of a member's number
  ir::ExprPtr of(const affine::Poly& p) const;

 private:
  affine::Poly named(const affine::Poly& p) const;
};

}  // namespace hone::passes
