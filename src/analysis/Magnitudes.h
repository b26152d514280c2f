// How large numbers of a kernel can be, whatever it is launched with: bounds of floating-point values that
// are made of literals, of integers of small range, and of quotients of integers one of which bounds the
// other (i % p over 4 * p).
#pragma once

#include <algorithm>
#include <map>
#include <optional>

#include "affine/Poly.h"
#include "ir/Walk.h"

namespace hone::analysis {

class Magnitudes {
 public:
  explicit Magnitudes(const ir::Kernel& kernel);

  // A number that the value's magnitude does not pass, rounding included: the value is neither infinite nor
  // NaN then. Nothing: none is known. It holds wherever the value is computed without undefined behaviour
  // before (a remainder by zero, a signed sum that overflows).
  std::optional<double> most(const ir::ExprPtr& value);

  // Whether a variable keeps the value that it is declared with.
  bool isSettled(const ir::Variable& var) const { return inits.contains(&var); }

 private:
  // What an integer lies between.
  struct Span {
    double low = 0, high = 0;
    double most() const { return std::max(-low, high); }
  };
  // An unknown of integer polynomials.
  struct Unknown {
    Span span;
    bool isSame = false;               // has one value wherever it occurs
    std::optional<affine::Poly> over;  // it is a remainder, of a division by this
  };
  // A floating-point value as a product: factor * over / under, up to rounding.
  struct Product {
    double factor = 0;
    affine::Poly over{1}, under{1};
    bool isExact = true;  // false: no larger than that
    // Of the value while `under` is not 0.
    double most = 0;
  };

  void addCounter(const ir::Counted& c, bool countsInItsType);
  Span span(const ir::ExprPtr& e);
  Span spanOf(const ir::Binary& b);
  affine::Poly poly(const ir::ExprPtr& e);
  affine::Poly polyOf(const ir::ExprPtr& e);
  affine::Poly unknown(Unknown u);
  // What an element of an array may be that keeps what it is declared with; nothing for other expressions.
  std::vector<ir::ExprPtr> elementsOf(const ir::ExprPtr& e) const;
  std::optional<Product> product(const ir::ExprPtr& e);
  std::optional<Product> productOf(const ir::ExprPtr& e);
  std::optional<Product> callOf(const ir::Call& call);
  std::optional<double> most(const Product& p) const;
  std::optional<double> quotient(const affine::Poly& over, const affine::Poly& under) const;
  std::optional<double> quotientBySum(const affine::Poly& over, const affine::Poly& under) const;

  std::map<const ir::Variable*, ir::ExprPtr> inits;  // of variables that keep their value
  std::map<const ir::Variable*, Span> counters;      // of loops, in an iteration
  std::set<const ir::Variable*> steady;              // have one value wherever they can be named
  std::vector<Unknown> unknowns;
  std::map<const ir::Variable*, affine::Poly> polys;  // worked out already, and so on
  std::map<const ir::Variable*, std::optional<Product>> products;
  std::map<const ir::Variable*, Span> spans;
};

}  // namespace hone::analysis
