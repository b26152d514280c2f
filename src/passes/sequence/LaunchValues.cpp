#include "passes/sequence/LaunchValues.h"

#include <fmt/core.h>

#include <algorithm>
#include <set>

#include "affine/Delinearize.h"
#include "ir/Build.h"
#include "ir/Compare.h"
#include "passes/edit/Coordinates.h"

namespace hone::passes {

using namespace ir;
using affine::Monomial;
using affine::Poly;

namespace {

// With value + 1 for p and Q, which makes both 0 at least.
Poly shifted(const Poly& p) {
  Poly out;
  for (const auto& [monomial, factor] : p.terms()) {
    Poly term(factor);
    for (affine::AtomId id : monomial)
      term = term * (id == kLowCount || id == kHighCount ? Poly::atom(id) + 1 : Poly::atom(id));
    out += term;
  }
  return out;
}

bool hasNegative(const Poly& p) {
  return std::any_of(p.terms().begin(), p.terms().end(), [](const auto& term) { return term.second < 0; });
}

// With the value of each digit that makes it least, or greatest.
std::optional<Poly> extreme(Poly p, bool isLeast) {
  for (const auto& [digit, count] : {std::pair(kLow, kLowCount), std::pair(kHigh, kHighCount)}) {
    if (!p.mentions(digit)) continue;
    const Poly factor = p.coefficient(digit);
    if (factor.mentions(kLow) || factor.mentions(kHigh)) return std::nullopt;
    const bool rises = !hasNegative(shifted(factor));
    if (!rises && hasNegative(shifted(-factor))) return std::nullopt;
    p = p.without(digit);
    if (rises != isLeast) p += factor * (Poly::atom(count) - 1);
  }
  return p;
}

// p / by where that is a number.
std::optional<int64_t> timesIn(const Poly& p, const Poly& by) {
  if (by.isZero()) return std::nullopt;
  const affine::Quotient q = affine::divide(p, by);
  return q.rest.isZero() ? q.quotient.constant() : std::nullopt;
}

// How often `by` is in p, where that is a number; what is left goes back into p.
std::optional<int64_t> takeOut(Poly& p, const Poly& by) {
  const affine::Quotient q = affine::divide(p, by);
  const auto times = q.quotient.constant();
  if (times) p = q.rest;
  return times;
}

bool isLiteral(const ExprPtr& e) { return e->type->isInteger() && constantValue(e).has_value(); }

}  // namespace

Poly LaunchSizes::groups() const {
  return (divisor ? Poly::atom(kLowCount) : Poly(1)) * Poly::atom(kHighCount);
}

ExprPtr LaunchSizes::groupsOnHost() const { return over(size, intLit(count, size->type)); }

ExprPtr LaunchSizes::lowCount() const {
  return divisor ? over(divisor, intLit(share, divisor->type)) : nullptr;
}

bool isAtLeast0(const Poly& p) {
  const auto least = extreme(p, true);
  return least && !hasNegative(shifted(*least));
}

std::optional<Poly> greatest(const Poly& p) { return extreme(p, false); }

LaunchValues::LaunchValues(const LaunchSizes& sizes) : known(sizes) {
  divisor = Poly::atom(kLowCount) * sizes.share;
  size = sizes.groups() * sizes.count;
}

// An integer of C without a sign, or narrower than what was computed, must hold the value as it is.
Result<Poly> LaunchValues::fitting(const Poly& value, const Type& type) {
  if (value.constant()) return value;
  if (!type.isSigned && !isAtLeast0(value)) return Refusal{"unsigned numbers may wrap"};
  const auto most = greatest(value);
  if (!most) return Refusal{"how large numbers get is not known"};
  if (type.bits < 64) limits.push_back({*most, (int64_t{1} << (type.bits - (type.isSigned ? 1 : 0))) - 1});
  return value;
}

Result<Poly> LaunchValues::divided(const Poly& value, const Poly& by, bool rest) {
  if (!isAtLeast0(by - 1)) return Refusal{"a divisor may be 0"};
  if (!isAtLeast0(value)) return Refusal{"what is divided may be negative"};
  const affine::Quotient q = affine::divide(value, by);
  if (!isAtLeast0(q.rest) || !isAtLeast0(by - 1 - q.rest))
    return Refusal{"a division does not follow the digits"};
  return rest ? q.rest : q.quotient;
}

Result<Poly> LaunchValues::of(const ExprPtr& e) {
  if (!e->type->is(TypeKind::Int)) return Refusal{"it is no integer"};
  if (isLiteral(e)) return Poly(*constantValue(e));
  if (known.size && equal(e, known.size)) return size;
  if (known.divisor && equal(e, known.divisor)) return divisor;
  if (const auto* c = as<Coord>(e)) {
    if (c->axis == 0 && (c->kind == CoordKind::ThreadIdx || c->kind == CoordKind::GlobalId)) return thread;
    return Refusal{"it depends on the launch"};
  }
  if (const auto* cast = as<Cast>(e)) {
    const auto value = of(cast->operand);
    if (!value) return value;
    const Type &from = *cast->operand->type, &to = *e->type;
    const bool holdsAll = to.bits > from.bits && (to.isSigned || !from.isSigned);
    return holdsAll || sameType(from, to) ? value : fitting(*value, to);
  }
  if (const auto* u = as<Unary>(e); u && u->op == UnaryOp::Neg) {
    const auto value = of(u->operand);
    return value ? fitting(-*value, *e->type) : value;
  }
  if (const auto* b = as<Binary>(e)) return binary(e, *b);
  if (const auto* var = as<VarRef>(e)) return Refusal{fmt::format("{} is not understood", var->var->name)};
  return Refusal{"it is no sum, product or quotient"};
}

Result<Poly> LaunchValues::binary(const ExprPtr& e, const Binary& b) {
  if (b.op == BinaryOp::Mul &&
      (isCoordinate(b.lhs, CoordKind::BlockIdx, 0) || isCoordinate(b.rhs, CoordKind::BlockIdx, 0)))
    return Poly(0);  // as if there were one block
  const auto lhs = of(b.lhs);
  if (!lhs) return lhs;
  const auto rhs = of(b.rhs);
  if (!rhs) return rhs;
  // Signed arithmetic of the source does not overflow; that of the joined kernel computes the same numbers.
  auto computed = [&](const Poly& value) -> Result<Poly> {
    return e->type->isSigned ? value : fitting(value, *e->type);
  };
  const auto shift = rhs->constant();
  const bool shifts = shift && *shift >= 0 && *shift < 31;
  switch (b.op) {
    case BinaryOp::Add: return computed(*lhs + *rhs);
    case BinaryOp::Sub: return computed(*lhs - *rhs);
    case BinaryOp::Mul: return computed(*lhs * *rhs);
    case BinaryOp::Div: return divided(*lhs, *rhs, false);
    case BinaryOp::Rem: return divided(*lhs, *rhs, true);
    case BinaryOp::Shl:
      return shifts ? computed(*lhs * (int64_t{1} << *shift)) : Refusal{"a shift is not understood"};
    case BinaryOp::Shr:
      return shifts ? divided(*lhs, int64_t{1} << *shift, false) : Refusal{"a shift is not understood"};
    case BinaryOp::BitAnd: {
      // x & (p - 1) is x % p for powers of two.
      const auto number = constantValue(b.rhs);
      if (number && (*number < 0 || (*number & (*number + 1)) != 0))
        return Refusal{"bits are not understood"};
      if (!number) powersOfTwo.push_back(plus(b.rhs, intLit(1, b.rhs->type)));
      return divided(*lhs, *rhs + 1, true);
    }
    default: return Refusal{"it is no sum, product or quotient"};
  }
}

DigitFamily familyOf(const std::vector<Poly>& values, bool hasLow) {
  if (values.empty()) return {};
  const Poly perLow = values[0].coefficient(kLow), perHigh = values[0].coefficient(kHigh);
  // Places of a number in which a digit stands: from `weight` to below weight * count.
  struct Place {
    Poly weight, end;
  };
  const Place low{perLow, perLow * Poly::atom(kLowCount)}, high{perHigh, perHigh * Poly::atom(kHighCount)};
  std::vector<Place> places = {high};
  if (hasLow) places = timesIn(perHigh, low.end) ? std::vector{low, high} : std::vector{high, low};
  // Digits of c stand below, between and above these places.
  std::vector<int64_t> room;
  Poly below = 1;
  for (const Place& place : places) {
    const auto gap = place.weight.isZero() ? std::nullopt : timesIn(place.weight, below);
    if (!gap || *gap < 1) return {};
    room.push_back(*gap);
    below = place.end;
  }
  std::set<std::vector<int64_t>> seen;  // the top digit first
  for (const Poly& value : values) {
    Poly c = value.without(kLow).without(kHigh);
    if (value != Poly::atom(kLow) * perLow + Poly::atom(kHigh) * perHigh + c) return {};
    std::vector<int64_t> digits;
    for (size_t i = places.size() + 1; i-- > 0;) {
      const auto digit = i > 0 ? takeOut(c, places[i - 1].end) : c.constant();
      if (!digit || *digit < 0 || (i < room.size() && *digit >= room[i])) return {};
      digits.push_back(*digit);
    }
    if (!seen.insert(digits).second) return {};
  }
  DigitFamily family{true, {}, {}};
  const int64_t first = seen.begin()->front(), last = seen.rbegin()->front();
  int64_t all = last + 1 - first;
  for (int64_t one : room) all = affine::checkedMul(all, one);
  if (all == int64_t(values.size())) family.begin = below * first, family.end = below * (last + 1);
  return family;
}

}  // namespace hone::passes
