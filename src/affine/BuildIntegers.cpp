// Integer operators at the width of their types.
//
// Signed arithmetic must not overflow, so its polynomial is its value. Unsigned arithmetic may wrap: its
// value is known modulo 2^bits, and where the true value matters (a comparison, a quotient, a wider type)
// that it did not wrap becomes a requirement unless the ranges prove it.
#include <fmt/core.h>

#include <algorithm>
#include <bit>

#include "affine/Builder.h"

namespace hone::affine {

using ir::BinaryOp;
using ir::TypeKind;

namespace {

Range typeRange(const ir::Type& type) {
  if (type.is(TypeKind::Bool)) return {0, 1};
  if (!type.is(TypeKind::Int)) return {};
  if (type.bits >= 64) return type.isSigned ? Range{} : Range{0, INT64_MAX};
  if (type.isSigned) return {-(int64_t{1} << (type.bits - 1)), (int64_t{1} << (type.bits - 1)) - 1};
  return {0, (int64_t{1} << type.bits) - 1};
}

std::set<unsigned> joined(const std::set<unsigned>& a, const std::set<unsigned>& b) {
  std::set<unsigned> out = a;
  out.insert(b.begin(), b.end());
  return out;
}

// One unknown.
bool isPlain(const Poly& p) {
  return p.terms().size() == 1 && p.degree() == 1 && p.terms().begin()->second == 1;
}

bool isPowerOfTwo(int64_t v) { return v > 0 && std::has_single_bit(static_cast<uint64_t>(v)); }

}  // namespace

void Builder::require(Value& v, const Poly& value, int64_t low, int64_t high, const std::string& why,
                      const ir::SourceLoc& loc) {
  for (unsigned i = 0; i < model.requirements.size(); ++i) {
    const Requirement& r = model.requirements[i];
    if (r.value == value && r.low == low && r.high == high) {
      v.requirements.insert(i);
      return;
    }
  }
  v.requirements.insert(static_cast<unsigned>(model.requirements.size()));
  model.requirements.push_back({value, low, high, why, loc});
}

Poly Builder::settled(Value& v, const ir::Type& type, const ir::SourceLoc& loc) {
  const Range range = typeRange(type);
  if (v.modular && !atoms.range(v.poly).isWithin(range.low, range.high)) {
    // 64 bits wrap only past what memory can hold; below zero is the case that happens.
    require(v, v.poly, range.low, range.high,
            fmt::format("{}-bit {}arithmetic must not wrap", type.bits, type.isSigned ? "" : "unsigned "),
            loc);
  }
  v.modular = false;
  return v.poly;
}

void Builder::markModular(Value& v, const ir::Type& type) const {
  if (type.isSigned && !v.modular) return;
  const Range range = typeRange(type);
  v.modular = !atoms.range(v.poly).isWithin(range.low, range.high);
}

Poly Builder::linearThread() {
  Poly linear = atoms.thread(0);
  if (model.block[1] > 1) linear += atoms.thread(1) * Poly(model.block[0]);
  if (model.block[2] > 1) linear += atoms.thread(2) * Poly(int64_t{model.block[0]} * model.block[1]);
  return linear;
}

Value Builder::integerBinary(const ir::Expr& e, BinaryOp op, Value a, Value b, const ir::Type& rhsType) {
  const ir::Type& type = *e.type;
  Value out = numberValue({});
  switch (op) {
    case BinaryOp::Add: out.poly = a.poly + b.poly; break;
    case BinaryOp::Sub: out.poly = a.poly - b.poly; break;
    case BinaryOp::Mul: out.poly = a.poly * b.poly; break;
    case BinaryOp::Shl: {
      const auto amount = settled(b, rhsType, e.loc).constant();
      if (amount && *amount >= 0 && *amount < 62) {
        out.poly = a.poly * Poly(int64_t{1} << *amount);
        break;
      }
      // 1 << k of a number that is known when the launch is.
      out.poly = atoms.bits(op, settled(a, type, e.loc), b.poly);
      break;
    }
    case BinaryOp::Div:
    case BinaryOp::Rem:
    case BinaryOp::Shr: return dividing(op, std::move(a), std::move(b), type, e.loc);
    case BinaryOp::BitAnd:
    case BinaryOp::BitOr:
    case BinaryOp::BitXor: {
      settled(a, type, e.loc);
      settled(b, type, e.loc);
      out = bitwise(op, a, b);
      out.requirements = joined(a.requirements, b.requirements);
      return out;
    }
    default: return otherValue("operator", variationOf(a));
  }
  out.requirements = joined(a.requirements, b.requirements);
  out.modular = a.modular || b.modular || !type.isSigned;
  markModular(out, type);
  noteSum(out, type);
  return out;
}

bool Builder::isForEveryThread() const {
  return partial == 0 && nest.empty() && atoms.variation(guard) == Variation{};
}

void Builder::noteSum(const Value& v, const ir::Type& type) {
  if (type.isSigned && !v.modular && !v.poly.constant() && isForEveryThread() &&
      atoms.isLaunchUniform(v.poly) && std::find(certain.begin(), certain.end(), v.poly) == certain.end())
    certain.push_back(v.poly);
}

void Builder::noteSignedComparison(const CondPtr& cond, const Poly& left, const Poly& right,
                                   const ir::Type& type) {
  if (!recording || !type.isSigned || !type.is(TypeKind::Int)) return;
  const std::string why = "signed arithmetic must not overflow";
  SignedComparison made{cond, {}};
  for (const Poly* side : {&left, &right}) {
    const bool isCertain = std::find(certain.begin(), certain.end(), *side) != certain.end();
    if (isPlain(*side) || side->constant() || isCertain) continue;
    const Range range = typeRange(type);
    if (type.bits < 64) {
      if (!atoms.range(*side).isWithin(range.low, range.high))
        made.relyOn.push_back({*side, range.low, range.high, why, {}});
      continue;
    }
    // The sum itself cannot be tested; of parts this far from the end of the range it stays inside.
    constexpr int64_t some = int64_t{1} << 60;
    for (const AtomId id : side->atoms())
      if (!atoms.range(Poly::atom(id)).isWithin(-some, some))
        made.relyOn.push_back({Poly::atom(id), -some, some, why, {}});
  }
  model.signedComparisons.push_back(std::move(made));
}

Value Builder::dividing(BinaryOp op, Value a, Value b, const ir::Type& type, const ir::SourceLoc& loc) {
  const Poly value = settled(a, type, loc);
  const Poly by = settled(b, type, loc);
  Value out = numberValue({});
  out.requirements = joined(a.requirements, b.requirements);
  if (op == BinaryOp::Shr) {
    const auto amount = by.constant();
    out.poly = amount && *amount >= 0 && *amount < 62 ? atoms.div(value, int64_t{1} << *amount)
                                                      : atoms.bits(op, value, by);
    return out;
  }
  // One number for a whole warp: of the launch, or of the iteration.
  const auto isUniform = [&](const Poly& p) {
    bool isKnown = true;
    atoms.forEachAtom(p, [&](AtomId id) {
      isKnown &= atoms[id].kind != AtomKind::Opaque && atoms[id].kind != AtomKind::Thread &&
                 atoms[id].kind != AtomKind::Block;
    });
    return isKnown;
  };
  Poly divisor = by;
  Poly quotient;
  const Range divisorRange = atoms.range(divisor);
  if (divisor.isZero()) return otherValue("division by zero", {});
  if (divisorRange.low < 1) {
    if (!isUniform(divisor))
      return opaqueOf(type, "quotient", "division by a value that varies", variationOf(a));
    require(out, divisor, 1, INT64_MAX, "a divisor must be positive", loc);
  } else if (!divisor.constant() && !isUniform(divisor)) {
    Variation varies = variationOf(a);
    varies |= variationOf(b);
    return opaqueOf(type, "quotient", "division by a value that varies", varies);
  }
  const Range range = atoms.range(value);
  if (range.low >= 0) {
    quotient = atoms.div(value, divisor);
  } else if (range.high <= 0) {
    quotient = -atoms.div(-value, divisor);
  } else {
    // C rounds towards zero.
    quotient = atoms.choice(atLeast0(value), atoms.div(value, divisor), -atoms.div(-value, divisor));
  }
  out.poly = op == BinaryOp::Div ? quotient : value - quotient * divisor;
  return out;
}

// Both settled.
Value Builder::bitwise(BinaryOp op, const Value& a, const Value& b) {
  const auto left = a.poly.constant(), right = b.poly.constant();
  if (left && right) {
    switch (op) {
      case BinaryOp::BitAnd: return numberValue(*left & *right);
      case BinaryOp::BitOr: return numberValue(*left | *right);
      default: return numberValue(*left ^ *right);
    }
  }
  const Poly& value = right ? a.poly : b.poly;
  const auto mask = right ? right : left;
  if (op == BinaryOp::BitAnd && mask) {
    if (*mask == 0) return numberValue(0);
    if (*mask == -1) return numberValue(value);
    if (isPowerOfTwo(*mask + 1)) return numberValue(atoms.mod(value, *mask + 1));
    if (isPowerOfTwo(-*mask)) return numberValue(value - atoms.mod(value, -*mask));
    // One run of ones.
    const unsigned low = static_cast<unsigned>(std::countr_zero(static_cast<uint64_t>(*mask)));
    if (*mask > 0 && isPowerOfTwo((*mask >> low) + 1))
      return numberValue(atoms.mod(value, *mask + (int64_t{1} << low)) - atoms.mod(value, int64_t{1} << low));
  }
  if (op == BinaryOp::BitXor && mask && isPowerOfTwo(*mask)) {
    // Adds the bit where it is off, takes it where it is on.
    const Poly on = atoms.mod(atoms.div(value, *mask), 2);
    return numberValue(value + Poly(*mask) - on * Poly(2 * *mask));
  }
  if (op == BinaryOp::BitXor && mask && *mask == -1) return numberValue(Poly(-1) - value);
  if (op != BinaryOp::BitAnd) {
    // Bits that cannot meet are added.
    for (bool swap : {false, true}) {
      const Poly& high = swap ? b.poly : a.poly;
      const Poly& low = swap ? a.poly : b.poly;
      const Range range = atoms.range(low);
      const int64_t step = high.content();
      if (range.low < 0 || range.high == INT64_MAX || step == 0) continue;
      const int64_t lowest = step & -step;
      if (range.high < lowest) return numberValue(high + low);
    }
  }
  return numberValue(atoms.bits(op, a.poly, b.poly));
}

Value Builder::comparison(BinaryOp op, Value a, Value b, const ir::Type& operands) {
  const bool isOrder = op != BinaryOp::Eq && op != BinaryOp::Ne;
  if (op == BinaryOp::Gt || op == BinaryOp::Ge) {
    std::swap(a, b);
    op = op == BinaryOp::Gt ? BinaryOp::Lt : BinaryOp::Le;
  }
  Value out = truthValue(always());
  // (unsigned)i < n also keeps negative i out.
  const bool isUnsigned = !operands.isSigned && operands.is(TypeKind::Int);
  const int64_t half = operands.bits == 32 ? int64_t{1} << 31 : INT64_MAX;
  if (isOrder && isUnsigned && a.modular && atoms.range(a.poly).isWithin(-half + 1, half - 1) &&
      atoms.range(b.poly).high < half) {
    settled(b, operands, {});
    out.requirements = joined(a.requirements, b.requirements);
    out.cond = both(atLeast0(a.poly), atLeast0(b.poly - a.poly - Poly(op == BinaryOp::Lt ? 1 : 0)));
    return out;
  }
  const Poly left = settled(a, operands, {}), right = settled(b, operands, {});
  out.requirements = joined(a.requirements, b.requirements);
  switch (op) {
    case BinaryOp::Lt: out.cond = atLeast0(right - left - Poly(1)); break;
    case BinaryOp::Le: out.cond = atLeast0(right - left); break;
    case BinaryOp::Eq: out.cond = isZero(left - right); break;
    default: out.cond = isNotZero(left - right); break;
  }
  noteSignedComparison(out.cond, left, right, operands);
  return out;
}

}  // namespace hone::affine
