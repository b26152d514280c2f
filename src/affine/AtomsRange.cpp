// What polynomials lie between, by interval arithmetic. Where 64 bits are not enough there is no bound.
#include <algorithm>
#include <bit>

#include "affine/Atoms.h"

namespace hone::affine {
namespace {

constexpr int64_t noLow = INT64_MIN, noHigh = INT64_MAX;

Range operator+(const Range& a, const Range& b) {
  Range out;
  if (a.low == noLow || b.low == noLow || __builtin_add_overflow(a.low, b.low, &out.low)) out.low = noLow;
  if (a.high == noHigh || b.high == noHigh || __builtin_add_overflow(a.high, b.high, &out.high))
    out.high = noHigh;
  return out;
}

// A product of ends, where an end may be infinite: the extremes of 128 bits stand for infinity.
using Wide = __int128;
constexpr Wide infinite = static_cast<Wide>(1) << 126;
Wide widened(int64_t v, bool isHigh) {
  if (!isHigh && v == noLow) return -infinite;
  if (isHigh && v == noHigh) return infinite;
  return v;
}
Wide product(Wide a, Wide b) {
  if (a == 0 || b == 0) return 0;
  if (a == infinite || a == -infinite || b == infinite || b == -infinite)
    return (a < 0) == (b < 0) ? infinite : -infinite;
  return a * b;
}
Range narrowed(Wide low, Wide high) {
  Range out;
  if (low > INT64_MIN && low < INT64_MAX) out.low = static_cast<int64_t>(low);
  if (high > INT64_MIN && high < INT64_MAX) out.high = static_cast<int64_t>(high);
  return out;
}

Range operator*(const Range& a, const Range& b) {
  const Wide al = widened(a.low, false), ah = widened(a.high, true);
  const Wide bl = widened(b.low, false), bh = widened(b.high, true);
  const Wide corners[] = {product(al, bl), product(al, bh), product(ah, bl), product(ah, bh)};
  return narrowed(*std::ranges::min_element(corners), *std::ranges::max_element(corners));
}

Range meet(const Range& a, const Range& b) { return {std::max(a.low, b.low), std::min(a.high, b.high)}; }
Range hull(const Range& a, const Range& b) { return {std::min(a.low, b.low), std::max(a.high, b.high)}; }

// floor(a / b), b > 0
Range quotient(const Range& a, Range b) {
  b.low = std::max<int64_t>(b.low, 1);
  if (b.high < b.low) return {};
  Range out;
  if (a.low != noLow) out.low = a.low >= 0 ? (b.high == noHigh ? 0 : a.low / b.high) : floorDiv(a.low, b.low);
  if (a.high != noHigh)
    out.high = a.high >= 0 ? a.high / b.low : (b.high == noHigh ? -1 : floorDiv(a.high, b.high));
  return out;
}

Range bitsRange(ir::BinaryOp op, const Range& a, const Range& b) {
  using enum ir::BinaryOp;
  const bool plus = a.low >= 0 && b.low >= 0;
  switch (op) {
    case BitAnd:
      if (plus) return {0, std::min(a.high, b.high)};
      if (a.low >= 0) return {0, a.high};
      if (b.low >= 0) return {0, b.high};
      return {};
    case BitOr:
    case BitXor: {
      if (!plus) return {};
      const int64_t most = std::max(a.high, b.high);
      const auto bits = std::bit_width(static_cast<uint64_t>(most));
      return {op == BitOr ? std::max(a.low, b.low) : 0, bits >= 62 ? noHigh : (int64_t{1} << bits) - 1};
    }
    case Shl:
      if (b.low < 0 || b.high > 61) return a.low >= 0 ? Range{0, noHigh} : Range{};
      return a * Range{int64_t{1} << b.low, int64_t{1} << b.high};
    case Shr:
      if (b.low < 0 || b.high > 61) return a.low >= 0 ? Range{0, a.high} : Range{};
      return quotient(a, {int64_t{1} << b.low, int64_t{1} << b.high});
    default: return {};
  }
}

}  // namespace

std::optional<Atoms::ModPart> Atoms::splitMod(const Poly& p) const {
  for (const auto& [monomial, factor] : p.terms())
    for (const AtomId id : monomial) {
      const Atom& a = table[id];
      if (a.kind != AtomKind::Div) continue;
      const Poly perQuotient = p.coefficient(id);
      // p = -k*d*q + …: k by the first term of d, then checked on the whole.
      Poly k;
      if (const std::optional<int64_t> d = a.divisor.constant()) {
        if (!perQuotient.isDivisible(*d)) continue;
        k = -perQuotient.dividedExactly(*d);
      } else {
        const auto& [lead, leadFactor] = *a.divisor.terms().rbegin();
        bool divides = true;
        for (const auto& [other, f] : perQuotient.terms()) {
          if (!std::ranges::includes(other, lead)) continue;
          divides &= f % leadFactor == 0;
          Monomial rest;
          std::ranges::set_difference(other, lead, std::back_inserter(rest));
          k.add(rest, f / leadFactor);
        }
        if (!divides || k.isZero()) continue;
        k = -k;
      }
      if (k.mentions(id)) continue;
      // The remainder must stand in p as it is, not be made up by adding to both sides.
      bool stands = true;
      const Poly whole = k * a.value;
      for (const auto& [term, f] : whole.terms()) {
        if (term.empty()) continue;
        const auto in = p.terms().find(term);
        stands &= in != p.terms().end() && (f > 0 ? in->second >= f : in->second <= f);
      }
      if (!stands) continue;
      Poly rest = p - k * (a.value - a.divisor * Poly::atom(id));
      if (rest.mentions(id) || rest.terms().size() >= p.terms().size()) continue;
      return ModPart{id, std::move(k), std::move(rest)};
    }
  return std::nullopt;
}

// p where cond holds: v >= 0 bounds p from below by p - v, from above by p + v.
Range Atoms::rangeUnder(const Poly& p, const CondPtr& cond) const {
  Range out = range(p);
  const auto refine = [&](const CondPtr& c) {
    if (c->kind == CondKind::AtLeast0) {
      out.low = std::max(out.low, range(p - c->value).low);
      out.high = std::min(out.high, range(p + c->value).high);
    } else if (c->kind == CondKind::Zero) {
      out = meet(out, meet(range(p - c->value), range(p + c->value)));
    }
  };
  refine(cond);
  if (cond->kind == CondKind::And)
    for (const CondPtr& part : cond->parts) refine(part);
  return out;
}

Range Atoms::rangeOf(AtomId id) const {
  const Atom& a = table[id];
  switch (a.kind) {
    case AtomKind::Block:
    case AtomKind::Loop:
    case AtomKind::Symbol:
    case AtomKind::Opaque: return {a.low, a.high};
    case AtomKind::Thread: return {0, int64_t{blockShape[a.axis]} - 1};
    case AtomKind::Div:
    case AtomKind::Choice:
    case AtomKind::Bits: break;
  }
  if (ranges.size() <= id) ranges.resize(table.size());
  if (ranges[id]) return *ranges[id];
  Range out;
  try {
    if (a.kind == AtomKind::Div) {
      out = quotient(range(a.value), range(a.divisor));
    } else if (a.kind == AtomKind::Bits) {
      out = bitsRange(a.op, range(a.value), range(a.divisor));
    } else {
      const Range yes = rangeUnder(a.yes, a.cond), no = rangeUnder(a.no, negation(a.cond));
      // An arm that cannot be taken adds nothing.
      out = yes.low > yes.high ? no : no.low > no.high ? yes : hull(yes, no);
    }
  } catch (const TooLarge&) {
    out = {};
  }
  out = meet(out, {a.low, a.high});
  if (out.low > out.high) out = {};
  ranges[id] = out;
  return out;
}

Range Atoms::range(const Poly& p) const {
  Range out{0, 0};
  for (const auto& [monomial, factor] : p.terms()) {
    Range term{factor, factor};
    for (size_t i = 0; i < monomial.size(); ++i) {
      Range power = rangeOf(monomial[i]);
      if (i + 1 < monomial.size() && monomial[i + 1] == monomial[i]) {  // a square is not negative
        power = meet(power * power, {0, noHigh});
        ++i;
      }
      term = term * power;
    }
    out = out + term;
  }
  try {
    if (const std::optional<ModPart> part = splitMod(p)) {
      const Range divisor = range(table[part->quotient].divisor);
      const Range remainder{0, divisor.high == noHigh ? noHigh : std::max<int64_t>(divisor.high - 1, 0)};
      out = meet(out, range(part->factor) * remainder + range(part->rest));
    }
  } catch (const TooLarge&) {}
  return out;
}

std::optional<bool> Atoms::decided(const CondPtr& c) const {
  switch (c->kind) {
    case CondKind::True: return true;
    case CondKind::False: return false;
    case CondKind::AtLeast0: {
      const Range r = range(c->value);
      if (r.low >= 0) return true;
      if (r.high < 0) return false;
      return std::nullopt;
    }
    case CondKind::Zero: {
      const Range r = range(c->value);
      if (r.low == 0 && r.high == 0) return true;
      if (r.low > 0 || r.high < 0) return false;
      return std::nullopt;
    }
    case CondKind::And:
    case CondKind::Or: {
      const bool absorbing = c->kind == CondKind::Or;
      bool allKnown = true;
      for (const CondPtr& part : c->parts) {
        const std::optional<bool> known = decided(part);
        if (known && *known == absorbing) return absorbing;
        allKnown &= known.has_value();
      }
      return allKnown ? std::optional(!absorbing) : std::nullopt;
    }
    case CondKind::Unknown: return std::nullopt;
  }
  return std::nullopt;
}

}  // namespace hone::affine
