// Index arithmetic of steps that are to be joined, over the digits of a thread's number. Launches of one run
// have n threads or a fixed share of n, and may divide thread numbers by p. With n = count * p * Q the number
// of a group of threads is  low + p * high, 0 <= low < p, 0 <= high < Q, and all that the steps compute from
// thread numbers becomes a polynomial of low, high, p and Q: two elements are the same where their
// polynomials are.
#pragma once

#include <optional>

#include "affine/Poly.h"
#include "ir/Expr.h"
#include "passes/recipe/Refusal.h"

namespace hone::passes {

// The unknowns, in the order of the monomials.
enum Digit : affine::AtomId { kLow, kHigh, kLowCount, kHighCount };

// What stands for the sizes of a run of launches. Expressions are over the plan's variables.
struct LaunchSizes {
  ir::ExprPtr size;     // n
  ir::ExprPtr divisor;  // share * p; null: nothing is divided by a number that is known at the launch only
  int64_t share = 1;    // more than 1: steps divide by shares of the divisor too
  int64_t count = 1;    // n = count * p * Q

  affine::Poly groups() const;  // p * Q
  ir::ExprPtr groupsOnHost() const;
  ir::ExprPtr lowCount() const;  // p, over the plan's variables; null where there is no divisor
};

// A value of least 0 whatever the digits are, p and Q being 1 at least; false where that is not seen.
bool isAtLeast0(const affine::Poly& p);
// The same with the greatest values that low and high have in place of them; nothing where that depends on
// more than signs.
std::optional<affine::Poly> greatest(const affine::Poly& p);

// Works out integer expressions over coordinates of the thread and the sizes.
class LaunchValues {
 public:
  explicit LaunchValues(const LaunchSizes& sizes);

  affine::Poly thread;  // the number of the thread in its launch
  // Refuses where something in it is no polynomial.
  Result<affine::Poly> of(const ir::ExprPtr& e);

  // What must hold for the values to be right: numbers that are at most so much, and divisors that are powers
  // of two.
  struct Limit {
    affine::Poly value;
    int64_t most = 0;
  };
  std::vector<Limit> limits;
  std::vector<ir::ExprPtr> powersOfTwo;

 private:
  Result<affine::Poly> binary(const ir::ExprPtr& e, const ir::Binary& b);
  Result<affine::Poly> divided(const affine::Poly& value, const affine::Poly& by, bool rest);
  Result<affine::Poly> fitting(const affine::Poly& value, const ir::Type& type);

  LaunchSizes known;
  affine::Poly size, divisor;
};

// Values low * a + high * b + c with the same a and b and one c each.
struct DigitFamily {
  bool isInjective = false;  // each number comes up once at most
  std::optional<affine::Poly> begin,
      end;  // they are all the numbers from begin to end - 1; nothing: that is not known
};
DigitFamily familyOf(const std::vector<affine::Poly>& values, bool hasLow);

}  // namespace hone::passes
