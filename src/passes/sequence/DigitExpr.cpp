#include "passes/sequence/DigitExpr.h"

#include <algorithm>

#include "ir/Build.h"
#include "passes/sequence/LaunchValues.h"
#include "passes/sequence/MemberLoops.h"

namespace hone::passes {

using namespace ir;
using affine::Monomial;
using affine::Poly;

namespace {

// What an expression is written with: products of digits and counts by the names they have in the kernel.
// In the order in which terms are written: sums up to each of them stay within what the value and its digits
// are.
enum Written : affine::AtomId {
  kGroup,
  kLowDigit,
  kHighDigit,
  kDivisor,
  kGroups,
  kSize,
  kHighDigits,
  kMember
};

}  // namespace

Poly DigitExpr::named(const Poly& p) const {
  Poly out;
  for (const auto& [monomial, factor] : p.terms()) {
    Monomial left = monomial;
    auto take = [&](affine::AtomId id) {
      const auto at = std::find(left.begin(), left.end(), id);
      if (at == left.end()) return false;
      left.erase(at);
      return true;
    };
    const auto has = [&](affine::AtomId id) { return std::find(left.begin(), left.end(), id) != left.end(); };
    Poly term(factor);
    // low + p * high is the group's number, p * Q that of all groups.
    while (has(kHigh) && (!divisor || has(kLowCount))) {
      take(kHigh), take(kLowCount);
      term = term * (divisor ? Poly::atom(kGroup) - Poly::atom(kLowDigit) : Poly::atom(kGroup));
    }
    while (has(kHighCount) && (!divisor || has(kLowCount))) {
      take(kHighCount), take(kLowCount);
      term = term * Poly::atom(kGroups);
    }
    while (take(kLow)) term = term * Poly::atom(kLowDigit);
    while (take(kLowCount)) term = term * Poly::atom(kDivisor);
    while (take(kHigh)) term = term * Poly::atom(kHighDigit);
    while (take(kHighCount)) term = term * Poly::atom(kHighDigits);
    for (affine::AtomId member : left) term = term * Poly::atom(kMember + member - MemberDigits::atom(0));
    out += term;
  }
  if (!size) return out;
  Poly whole;
  for (const auto& [monomial, factor] : out.terms()) {
    const bool isWhole = monomial == Monomial{kGroups} && factor % count == 0;
    whole.add(isWhole ? Monomial{kSize} : monomial, isWhole ? factor / count : factor);
  }
  return whole;
}

ExprPtr DigitExpr::of(const Poly& p) const {
  auto written = [&](affine::AtomId id) -> ExprPtr {
    switch (id) {
      case kGroup: return convert(group, type);
      case kGroups: return convert(groups, type);
      case kSize: return convert(size, type);
      case kDivisor: return convert(divisor, type);
      case kLowDigit: return convert(low, type);
      case kHighDigit: return convert(over(group, convert(divisor, group->type)), type);
      case kHighDigits: return convert(over(groups, convert(divisor, groups->type)), type);
      default: return convert(members[id - kMember], type);
    }
  };
  const Poly terms = named(p);
  ExprPtr sum;
  std::vector<ExprPtr> later;  // what is taken away before anything is there
  for (const auto& [monomial, factor] : terms.terms()) {
    if (monomial.empty()) continue;
    const int64_t often = factor < 0 ? -factor : factor;
    const auto firstMember = std::lower_bound(monomial.begin(), monomial.end(), affine::AtomId(kMember));
    ExprPtr term, counted;
    for (auto id = monomial.begin(); id != firstMember; ++id)
      term = term ? times(term, written(*id)) : written(*id);
    // Numbers that are known once loops are unrolled come first.
    if (often != 1) counted = intLit(often, type);
    for (auto id = firstMember; id != monomial.end(); ++id)
      counted = counted ? binary(BinaryOp::Mul, counted, written(*id)) : written(*id);
    if (counted) term = term ? binary(BinaryOp::Mul, counted, term) : counted;
    if (!sum && factor < 0)
      later.push_back(term);
    else
      sum = !sum ? term : factor < 0 ? minus(sum, term) : plus(sum, term);
  }
  for (const ExprPtr& term : later) sum = sum ? minus(sum, term) : unary(UnaryOp::Neg, term);
  const int64_t rest = terms.constantPart();
  if (!sum) return intLit(rest, type);
  return rest < 0 ? minus(sum, intLit(-rest, type)) : plus(sum, intLit(rest, type));
}

}  // namespace hone::passes
