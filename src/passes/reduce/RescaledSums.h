// Sums of powers whose exponents are counted from one value, `sum += exp(x - most)`: where that value
// changes, what was summed up so far has to be multiplied with one factor, whatever was summed up.
#pragma once

#include <optional>

#include "ir/Substitute.h"

namespace hone::passes {

// A change of the value that exponents are counted from.
struct Rise {
  ir::VarPtr of, from, to;  // the variable, and what stands for the values that it has before and behind
};

// What a term has to be multiplied with: exp(from - to), where the term is a product with exp(value - of), or
// with another such power. Null where it is none.
ir::ExprPtr factorOf(const ir::ExprPtr& term, const ir::ExprPtr& value, const Rise& rise);

// Whether loops below work out such powers.
bool loopsHavePowers(const ir::StmtPtr& body);

// The number that an expression is, as the thread works it out; nothing where it has to be worked out.
std::optional<double> floatingValue(const ir::ExprPtr& e);

// Variables that a loop's body declares and leaves as they are, as what they are declared as.
class BodyConstants {
 public:
  explicit BodyConstants(const ir::StmtList& body);
  ir::ExprPtr within(const ir::ExprPtr& e) const { return ir::substituted(e, values); }
  bool knows(const ir::Variable* var) const;

 private:
  ir::Substitution values;
};

}  // namespace hone::passes
