// Rules for conversions and reinterpretation.
#include "ir/intrinsics/LowerIntrinsicRules.h"

namespace hone::ir {
namespace {

using enum BinaryOp;

// An integer brought into the range of another integer type.
ExprPtr clampInteger(Lowering& l, ExprPtr x, const TypePtr& to) {
  if (!x) return nullptr;
  const Type& from = *x->type;
  if (!from.isSigned && from.bits == 64) {
    if (!to->isSigned && to->bits == 64) return x;
    return l.cast(l.same("min", x, intLit(static_cast<int64_t>(maxOf(*to)), uint64(), l.loc)), to);
  }
  x = l.cast(x, from.bits < 32 || (from.isSigned && from.bits == 32) ? int32() : int64());
  const Type& wide = *x->type;
  if (minOf(*to) > minOf(wide)) x = l.same("max", x, intLit(minOf(*to), x->type, l.loc));
  if (maxOf(*to) < maxOf(wide))
    x = l.same("min", x, intLit(static_cast<int64_t>(maxOf(*to)), x->type, l.loc));
  return l.cast(x, to);
}

// "" for the default of a conversion to integers, which is toward zero.
ExprPtr toInteger(Lowering& l, std::string_view mode, const TypePtr& to) {
  std::string id = "convert_sat_" + std::string(mode.empty() ? "rtz" : mode);
  return l.make(id, {l.arg(0)}, to);
}

ExprPtr saturating(Lowering& l, std::string_view mode) {
  const TypePtr& from = l.argType(0);
  if (!l.type->is(TypeKind::Int) || !from->isArithmetic()) return nullptr;
  if (from->isInteger()) return clampInteger(l, l.arg(0), l.type);
  if (l.type->bits < 32) return clampInteger(l, toInteger(l, mode, int32()), l.type);
  return nullptr;
}

ExprPtr rounding(Lowering& l, std::string_view mode) {
  const TypePtr& from = l.argType(0);
  if (!l.type->isArithmetic() || !from->isArithmetic()) return nullptr;
  if (from->isInteger() && l.type->isInteger()) return l.cast(l.arg(0), l.type);
  if (from->isFloating() && l.type->isInteger())
    return l.type->bits < 32 ? l.cast(toInteger(l, mode, int32()), l.type) : nullptr;
  // What every value of the source fits into needs no rounding.
  const bool isExact =
      from->isInteger() ? (l.type->bits == 64 && from->bits <= 32) || (l.type->bits == 32 && from->bits <= 16)
                        : from->bits <= l.type->bits && from->kind == l.type->kind;
  if (isExact) return l.cast(l.arg(0), l.type);
  return nullptr;
}

bool isIntVector(const Type& type) { return type.is(TypeKind::Vector) && type.element->is(TypeKind::Int); }

// A word as the integers it is made of, the lowest first, and back.
ExprPtr split(Lowering& l) {
  const unsigned bits = l.type->element->bits;
  TypePtr word = intType(l.argType(0)->bits, false);
  ExprPtr x = l.argType(0)->is(TypeKind::Int) ? l.cast(l.arg(0), word) : l.make("as", {l.arg(0)}, word);
  std::vector<ExprPtr> parts;
  parts.reserve(l.type->lanes);
  for (unsigned i = 0; i < l.type->lanes; ++i)
    parts.push_back(l.cast(i ? l.op(Shr, x, intLit(i * bits)) : x, l.type->element));
  return l.construct(l.type, std::move(parts));
}

ExprPtr join(Lowering& l) {
  const Type& from = *l.argType(0);
  TypePtr word = intType(l.type->bits, false), part = intType(from.element->bits, false);
  ExprPtr out;
  for (unsigned i = 0; i < from.lanes; ++i) {
    ExprPtr lane = l.cast(l.cast(l.lane(l.arg(0), i), part), word);
    if (i) lane = l.op(Shl, lane, intLit(i * from.element->bits));
    out = out ? l.cast(l.op(BitOr, out, lane), word) : lane;
  }
  return l.type->is(TypeKind::Int) ? l.cast(out, l.type) : l.make("as", {out}, l.type);
}

ExprPtr reinterpret(Lowering& l) {
  const TypePtr& from = l.argType(0);
  if (from->is(TypeKind::Int) && l.type->is(TypeKind::Int) && from->bits == l.type->bits)
    return l.cast(l.arg(0), l.type);
  if (from->isFloating() && l.type->is(TypeKind::Int) && !l.type->isSigned && l.type->bits == 64)
    return l.cast(l.make("as", {l.arg(0)}, int64()), l.type);
  if (from->is(TypeKind::Int) && !from->isSigned && from->bits == 64 && l.type->isFloating())
    return l.make("as", {l.cast(l.arg(0), int64())}, l.type);
  if (isIntVector(*l.type) && from->isArithmetic() && l.type->lanes * l.type->element->bits == from->bits)
    return split(l);
  if (isIntVector(*from) && l.type->isArithmetic() && from->lanes * from->element->bits == l.type->bits)
    return join(l);
  if (sameType(from, l.type)) return l.arg(0);
  return nullptr;
}

}  // namespace

const LoweringRules& convertLowerings() {
  static const LoweringRules rules = {
      {"as", reinterpret},
      {"convert", [](Lowering& l) { return l.cast(l.arg(0), l.type); }},
      {"convert_rte", [](Lowering& l) { return rounding(l, "rte"); }},
      {"convert_rtz", [](Lowering& l) { return rounding(l, "rtz"); }},
      {"convert_rtp", [](Lowering& l) { return rounding(l, "rtp"); }},
      {"convert_rtn", [](Lowering& l) { return rounding(l, "rtn"); }},
      {"convert_sat", [](Lowering& l) { return saturating(l, ""); }},
      {"convert_sat_rte", [](Lowering& l) { return saturating(l, "rte"); }},
      {"convert_sat_rtz", [](Lowering& l) { return saturating(l, "rtz"); }},
      {"convert_sat_rtp", [](Lowering& l) { return saturating(l, "rtp"); }},
      {"convert_sat_rtn", [](Lowering& l) { return saturating(l, "rtn"); }},
      {"double_hi",
       [](Lowering& l) { return l.cast(l.op(Shr, l.make("as", {l.arg(0)}, int64()), intLit(32)), int32()); }},
      {"double_lo", [](Lowering& l) { return l.cast(l.make("as", {l.arg(0)}, int64()), int32()); }},
      {"double_from_hilo",
       [](Lowering& l) {
         ExprPtr high = l.op(Shl, l.cast(l.cast(l.arg(0), uint32()), uint64()), intLit(32));
         return l.make("as", {l.op(BitOr, high, l.cast(l.cast(l.arg(1), uint32()), uint64()))},
                       floatType(64));
       }},
  };
  return rules;
}

}  // namespace hone::ir
