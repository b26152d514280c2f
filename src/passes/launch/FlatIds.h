// Flat ids that a kernel takes apart: which expressions are a digit of the thread's global id along x, as
// `i % C`, `i / C % T`, `i - i / C * C` or `i >> 6` are.
#pragma once

#include <map>
#include <set>

#include "ir/Plan.h"

namespace hone::passes {

// A product of numbers that the host knows before the launch, each of them taken to be 1 or more.
struct Extent {
  uint64_t number = 1;
  std::vector<ir::ExprPtr> factors = {};  // of the kernel, over its parameters alone

  bool isOne() const { return number == 1 && factors.empty(); }
};
bool operator==(const Extent& a, const Extent& b);
// Nothing where its number outgrows 31 bits.
std::optional<Extent> product(const Extent& a, const Extent& b);
// Nothing where the second does not divide the first, whatever the values of the factors are.
std::optional<Extent> quotient(const Extent& a, const Extent& b);
// In the kernel; `wanted` is the type of the number where there are no factors.
ir::ExprPtr written(const Extent& extent, const ir::TypePtr& wanted);

// id / over % below; without `below` all that is left of the id.
struct Digit {
  Extent over;
  std::optional<Extent> below;

  bool isId() const { return over.isOne() && !below; }
};

// Of a kernel with its calls inlined, whose ids along x are below 2^31.
class FlatIds {
 public:
  explicit FlatIds(const ir::LaunchStep& launch);

  std::optional<Digit> digitOf(const ir::ExprPtr& e) const;
  // What the host can work out before the launch.
  std::optional<Extent> extentOf(const ir::ExprPtr& e) const;
  // X of `id < X`, in the type of the comparison; null for any other condition.
  ir::ExprPtr boundIn(const ir::ExprPtr& condition) const;

 private:
  const ir::LaunchStep& launch;
  std::map<const ir::Variable*, ir::ExprPtr> values;  // of variables that keep what they are declared as
  std::set<const ir::Variable*> changing;
  // Of variables, each worked out once: where one is made of another several times, ways to the first double.
  mutable std::map<const ir::Variable*, std::optional<Digit>> digits;
  mutable std::map<const ir::Variable*, size_t> sizes;

  // How much `resolved` writes; more than is ever written where the host does not have it.
  size_t resolvedSize(const ir::ExprPtr& e) const;
  // Over the kernel's parameters, with what variables are declared as in their place.
  ir::ExprPtr resolved(const ir::ExprPtr& e) const;
  // The same where the host may work it out; else null.
  ir::ExprPtr hostValueOf(const ir::ExprPtr& e) const;
  bool isFlatId(const ir::ExprPtr& e) const;
  const ir::Coord* coordinate(const ir::ExprPtr& e) const;
  bool isFirstOfBlock(const ir::ExprPtr& e) const;
  std::optional<Digit> quotientDigit(const Digit& digit, const Extent& by) const;
  std::optional<Digit> remainderDigit(const Digit& digit, const Extent& by) const;
  std::optional<Digit> differenceDigit(const Digit& from, const ir::ExprPtr& less) const;
};

}  // namespace hone::passes
