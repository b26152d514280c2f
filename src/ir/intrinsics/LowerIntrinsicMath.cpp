// Rules for functions of floats, integers and bits.
#include <algorithm>
#include <numbers>

#include "ir/intrinsics/LowerIntrinsicRules.h"

namespace hone::ir {
namespace {

using enum BinaryOp;

bool isVector(const TypePtr& type) { return type->is(TypeKind::Vector); }

ExprPtr compare(Lowering& l, BinaryOp op) {
  return isVector(l.argType(0)) ? nullptr : l.op(op, l.arg(0), l.arg(1));
}

ExprPtr isOrdered(Lowering& l) {
  if (isVector(l.argType(0))) return nullptr;
  return l.op(LogicalAnd, l.op(Eq, l.arg(0), l.arg(0)), l.op(Eq, l.arg(1), l.arg(1)));
}

ExprPtr negate(ExprPtr x, SourceLoc loc) { return x ? unary(UnaryOp::Not, std::move(x), loc) : nullptr; }

// The smallest type that CUDA's integer functions take and that holds every value of `type`.
TypePtr atLeast32(const TypePtr& type) { return type->bits < 32 ? int32() : type; }

ExprPtr widened(Lowering& l, std::string_view id) {
  const TypePtr& type = l.argType(0);
  if (isVector(type) || type->bits >= 32) return nullptr;
  std::vector<ExprPtr> args;
  args.reserve(l.argCount());
  for (const ExprPtr& arg : l.call.args) args.push_back(l.cast(arg, int32()));
  return l.make(id, std::move(args), int32());
}

ExprPtr clampTo(Lowering& l, const ExprPtr& x, ExprPtr low, ExprPtr high) {
  return l.same("min", l.same("max", x, std::move(low)), std::move(high));
}

// OpenCL also takes a scalar for the bounds of a vector.
ExprPtr like(Lowering& l, const ExprPtr& x, const TypePtr& type) { return l.cast(x, type); }

// Saturating arithmetic of up to 32 bits, in 64.
ExprPtr saturated(Lowering& l, ExprPtr (*compute)(Lowering&, const TypePtr&)) {
  const TypePtr& type = l.argType(0);
  if (isVector(type) || type->bits > 32) return nullptr;
  ExprPtr wide = compute(l, int64());
  if (!wide) return nullptr;
  const auto most = static_cast<int64_t>(maxOf(*type));
  return l.cast(clampTo(l, wide, intLit(minOf(*type), int64()), intLit(most, int64())), type);
}

ExprPtr lowerNarrowCount(Lowering& l, std::string_view id) {
  const TypePtr& type = l.argType(0);
  if (isVector(type) || type->bits >= 32) return nullptr;
  ExprPtr bits = l.cast(l.cast(l.arg(0), intType(type->bits, false)), uint32());
  ExprPtr count = l.make(id, {bits}, int32());
  if (id == "clz") count = l.op(Sub, count, intLit(32 - type->bits));
  return count;
}

ExprPtr lowerRotate(Lowering& l) {
  const TypePtr& type = l.argType(0);
  if (isVector(type)) return nullptr;
  TypePtr bits = intType(type->bits, false);
  ExprPtr x = l.cast(l.arg(0), bits), n = l.cast(l.arg(1), uint32());
  if (type->bits == 32) return l.cast(l.make("funnelshift_l", {x, x, n}, uint32()), type);
  TypePtr wide = type->bits < 32 ? uint32() : bits;
  ExprPtr mask = intLit(type->bits - 1, uint32());
  ExprPtr left = l.op(Shl, l.cast(x, wide), l.op(BitAnd, n, mask));
  ExprPtr right = l.op(Shr, l.cast(x, wide), l.op(BitAnd, unary(UnaryOp::Neg, n, l.loc), mask));
  return l.cast(l.op(BitOr, left, right), type);
}

ExprPtr lowerFunnel(Lowering& l, bool left, bool clamped) {
  ExprPtr pair = l.op(BitOr, l.op(Shl, l.cast(l.arg(1), uint64()), intLit(32)), l.cast(l.arg(0), uint64()));
  ExprPtr by =
      clamped ? l.same("min", l.arg(2), intLit(32, uint32())) : l.op(BitAnd, l.arg(2), intLit(31, uint32()));
  ExprPtr moved = l.op(left ? Shl : Shr, pair, by);
  return l.cast(left ? l.op(Shr, moved, intLit(32)) : moved, uint32());
}

// The lowest set bit alone, counted from its leading zeros; 0 for 0.
ExprPtr lowerFfs(Lowering& l) {
  ExprPtr lowest = l.op(BitAnd, l.arg(0), unary(UnaryOp::Neg, l.arg(0), l.loc));
  return l.op(Sub, intLit(l.argType(0)->bits), l.cast(l.same("clz", lowest), int32()));
}

ExprPtr lowerCtz(Lowering& l) {
  const TypePtr& type = l.argType(0);
  if (isVector(type) || type->bits < 32) return nullptr;
  TypePtr wide = intType(type->bits, true);
  ExprPtr position = l.op(Sub, l.make("ffs", {l.cast(l.arg(0), wide)}, int32()), intLit(1));
  return l.cast(l.select(l.op(Eq, l.arg(0), intLit(0, type)), intLit(type->bits), position), type);
}

// Byte i of a word of 32 or 64 bits, in 64 bits.
ExprPtr byteOf(Lowering& l, const ExprPtr& x, unsigned i) {
  ExprPtr moved = i ? l.op(Shr, x, intLit(8 * i)) : x;
  return l.op(BitAnd, l.cast(moved, uint64()), intLit(0xff, uint64()));
}

// Each byte is reversed by two multiplications: one spreads its bits, one gathers them in the other order.
ExprPtr lowerBrev(Lowering& l) {
  const unsigned bytes = l.type->bits / 8;
  ExprPtr out;
  for (unsigned i = 0; i < bytes; ++i) {
    ExprPtr spread = l.op(Mul, byteOf(l, l.arg(0), i), intLit(0x80200802, uint64()));
    ExprPtr gathered =
        l.op(Mul, l.op(BitAnd, spread, intLit(0x0884422110, uint64())), intLit(0x0101010101, uint64()));
    ExprPtr reversed = l.op(BitAnd, l.op(Shr, gathered, intLit(32)), intLit(0xff, uint64()));
    if (i + 1 < bytes) reversed = l.op(Shl, reversed, intLit(8 * (bytes - 1 - i)));
    out = out ? l.op(BitOr, out, reversed) : reversed;
  }
  return l.cast(out, l.type);
}

// Four of the eight bytes of two words, each chosen by three bits of the selector.
ExprPtr lowerBytePerm(Lowering& l) {
  ExprPtr pair = l.op(BitOr, l.op(Shl, l.cast(l.arg(1), uint64()), intLit(32)), l.cast(l.arg(0), uint64()));
  ExprPtr out;
  for (unsigned i = 0; i < 4; ++i) {
    ExprPtr chosen;
    if (auto selector = constantValue(l.arg(2))) {
      chosen = byteOf(l, pair, (*selector >> (4 * i)) & 7);
    } else {
      ExprPtr which = l.op(BitAnd, i ? l.op(Shr, l.arg(2), intLit(4 * i)) : l.arg(2), intLit(7, uint32()));
      chosen = l.op(BitAnd, l.op(Shr, pair, l.op(Mul, which, intLit(8, uint32()))), intLit(0xff, uint64()));
    }
    if (i) chosen = l.op(Shl, chosen, intLit(8 * i));
    out = out ? l.op(BitOr, out, chosen) : chosen;
  }
  return l.cast(out, uint32());
}

// The sum of four products of bytes, which have the sign of the words.
ExprPtr lowerDp4a(Lowering& l) {
  TypePtr byte = intType(8, l.type->isSigned);
  ExprPtr sum = l.arg(2);
  for (unsigned i = 0; i < 4; ++i) {
    auto part = [&](const ExprPtr& x) {
      return l.cast(l.cast(i ? l.op(Shr, x, intLit(8 * i)) : x, byte), l.type);
    };
    sum = l.op(Add, sum, l.op(Mul, part(l.arg(0)), part(l.arg(1))));
  }
  return sum;
}

ExprPtr lowerBitselect(Lowering& l) {
  if (isVector(l.type)) return nullptr;
  if (l.type->isFloating()) {
    std::vector<ExprPtr> bits;
    bits.reserve(l.argCount());
    for (const ExprPtr& arg : l.call.args) bits.push_back(l.make("as", {arg}, intType(l.type->bits, true)));
    return l.make("as", {l.make("bitselect", bits, intType(l.type->bits, true))}, l.type);
  }
  ExprPtr kept = l.op(BitAnd, l.arg(0), unary(UnaryOp::BitNot, l.arg(2), l.loc));
  return l.op(BitOr, kept, l.op(BitAnd, l.arg(1), l.arg(2)));
}

ExprPtr lowerMadSat(Lowering& l) {
  auto sum = [](Lowering& m, const TypePtr& t) {
    return m.op(Add, m.op(Mul, m.cast(m.arg(0), t), m.cast(m.arg(1), t)), m.cast(m.arg(2), t));
  };
  if (isVector(l.type) || l.type->isSigned || l.type->bits != 32) return saturated(l, sum);
  // The largest sum of unsigned numbers just fits 64 bits, without a sign.
  return l.cast(l.same("min", sum(l, uint64()), intLit(maxOf(*l.type), uint64())), l.type);
}

ExprPtr lowerNan(Lowering& l) {
  const TypePtr& type = l.argType(0);
  if (isVector(type) || type->bits < 32) return nullptr;
  int64_t quiet = type->bits == 32 ? 0x7fc00000 : 0x7ff8000000000000;
  return l.make("as", {l.op(BitOr, l.arg(0), intLit(quiet, type))}, l.type);
}

ExprPtr lowerAbsDiff(Lowering& l) {
  if (isVector(l.type)) return nullptr;
  const ExprPtr &a = l.arg(0), &b = l.arg(1);
  return l.select(l.op(Gt, a, b), l.op(Sub, l.cast(a, l.type), l.cast(b, l.type)),
                  l.op(Sub, l.cast(b, l.type), l.cast(a, l.type)));
}

ExprPtr lowerUpsample(Lowering& l) {
  if (isVector(l.type)) return nullptr;
  ExprPtr high = l.op(Mul, l.cast(l.arg(0), l.type), intLit(int64_t{1} << l.argType(0)->bits, l.type));
  return l.op(BitOr, high, l.cast(l.arg(1), l.type));
}

ExprPtr lowerSign(Lowering& l) {
  if (isVector(l.type)) return nullptr;
  const ExprPtr& x = l.arg(0);
  ExprPtr zero = l.number(0, l.type), one = l.number(1, l.type);
  ExprPtr rest = l.select(l.op(Eq, x, zero), x, zero);  // -0.0 keeps its sign, NaN gives 0
  return l.select(l.op(Gt, x, zero), one, l.select(l.op(Lt, x, zero), l.number(-1, l.type), rest));
}

ExprPtr lowerMagnitude(Lowering& l, BinaryOp better, std::string_view tie) {
  if (isVector(l.type)) return nullptr;
  ExprPtr a = l.same("fabs", l.arg(0)), b = l.same("fabs", l.arg(1));
  return l.select(l.op(better, a, b), l.arg(0),
                  l.select(l.op(better, b, a), l.arg(1), l.same(tie, l.arg(0), l.arg(1))));
}

ExprPtr scaled(Lowering& l, ExprPtr x, double factor) {
  return x ? l.op(Mul, x, l.number(factor, x->type)) : nullptr;
}

ExprPtr reciprocal(Lowering& l, ExprPtr x) { return x ? l.op(Div, l.number(1, x->type), x) : nullptr; }

ExprPtr lowerDot(Lowering& l, const ExprPtr& a, const ExprPtr& b) {
  if (!isVector(a->type)) return l.op(Mul, a, b);
  ExprPtr sum;
  for (unsigned i = 0; i < a->type->lanes; ++i) {
    ExprPtr product = l.op(Mul, l.lane(a, i), l.lane(b, i));
    sum = sum ? l.op(Add, sum, product) : product;
  }
  return sum;
}

// The length of the vector with these lanes, without overflow on the way.
ExprPtr lengthOf(Lowering& l, const std::vector<ExprPtr>& lanes) {
  const TypePtr& scalar = lanes[0]->type;
  switch (lanes.size()) {
    case 1: return l.same("fabs", lanes[0]);
    case 2: return l.make("hypot", lanes, scalar);
    case 3:
    case 4:
      if (l.language == Language::Cuda) return l.make(lanes.size() == 3 ? "norm3d" : "norm4d", lanes, scalar);
      return l.make("length", {l.construct(vectorType(scalar, static_cast<unsigned>(lanes.size())), lanes)},
                    scalar);
    default: return nullptr;
  }
}

std::vector<ExprPtr> lanesOf(Lowering& l, const ExprPtr& x) {
  if (!isVector(x->type)) return {x};
  std::vector<ExprPtr> out;
  out.reserve(x->type->lanes);
  for (unsigned i = 0; i < x->type->lanes; ++i) out.push_back(l.lane(x, i));
  return out;
}

ExprPtr lowerDistance(Lowering& l) {
  std::vector<ExprPtr> a = lanesOf(l, l.arg(0)), b = lanesOf(l, l.arg(1));
  for (size_t i = 0; i < a.size(); ++i) a[i] = l.op(Sub, a[i], b[i]);
  return lengthOf(l, a);
}

ExprPtr lowerNormalize(Lowering& l) {
  std::vector<ExprPtr> lanes = lanesOf(l, l.arg(0));
  ExprPtr length = lengthOf(l, lanes);
  if (!length) return nullptr;
  length =
      l.select(l.op(Eq, length, l.number(0, length->type)), l.number(1, length->type), length);  // 0 stays 0
  for (ExprPtr& lane : lanes) lane = l.op(Div, lane, length);
  return isVector(l.type) ? l.construct(l.type, lanes) : lanes[0];
}

ExprPtr lowerCross(Lowering& l) {
  const ExprPtr &a = l.arg(0), &b = l.arg(1);
  auto part = [&](unsigned i, unsigned j) {
    return l.op(Sub, l.op(Mul, l.lane(a, i), l.lane(b, j)), l.op(Mul, l.lane(a, j), l.lane(b, i)));
  };
  std::vector<ExprPtr> parts = {part(1, 2), part(2, 0), part(0, 1)};
  if (l.type->lanes == 4) parts.push_back(l.number(0, l.type->element));
  return l.construct(l.type, std::move(parts));
}

// True where the top bit of some lane, or of every lane, is set.
ExprPtr lowerAnyAll(Lowering& l, BinaryOp join) {
  ExprPtr out;
  for (const ExprPtr& lane : lanesOf(l, l.arg(0))) {
    ExprPtr isSet = l.op(Lt, lane, l.number(0, lane->type));
    out = out ? l.op(join, out, isSet) : isSet;
  }
  return out;
}

// No step of rounding is lost through double: its exponent and digits hold every int.
ExprPtr lowerPown(Lowering& l) {
  if (isVector(l.type)) return nullptr;
  return l.cast(
      l.make("pow", {l.cast(l.arg(0), floatType(64)), l.cast(l.arg(1), floatType(64))}, floatType(64)),
      l.type);
}

ExprPtr lowerIsNormal(Lowering& l) {
  const TypePtr& type = l.argType(0);
  if (isVector(type) || type->bits < 32) return nullptr;
  double least = type->bits == 32 ? 0x1p-126 : 0x1p-1022;
  ExprPtr finite = l.make("isfinite", {l.arg(0)}, boolType());
  return l.op(LogicalAnd, finite, l.op(Ge, l.same("fabs", l.arg(0)), l.number(least, type)));
}

// Division and the reciprocal of doubles are rightly rounded in every OpenCL; those of floats are not.
ExprPtr onlyDouble(Lowering& l, ExprPtr x) { return l.type->bits == 64 ? x : nullptr; }

}  // namespace

const LoweringRules& mathLowerings() {
  static const LoweringRules rules = {
      {"isequal", [](Lowering& l) { return compare(l, Eq); }},
      {"isnotequal", [](Lowering& l) { return compare(l, Ne); }},
      {"isgreater", [](Lowering& l) { return compare(l, Gt); }},
      {"isgreaterequal", [](Lowering& l) { return compare(l, Ge); }},
      {"isless", [](Lowering& l) { return compare(l, Lt); }},
      {"islessequal", [](Lowering& l) { return compare(l, Le); }},
      {"islessgreater", [](Lowering& l) { return l.op(LogicalOr, compare(l, Lt), compare(l, Gt)); }},
      {"isordered", isOrdered},
      {"isunordered", [](Lowering& l) { return negate(isOrdered(l), l.loc); }},
      {"isnormal", lowerIsNormal},
      {"min", [](Lowering& l) { return widened(l, "min"); }},
      {"max", [](Lowering& l) { return widened(l, "max"); }},
      {"abs",
       [](Lowering& l) {
         // Of an unsigned number it is the number.
         return isVector(l.argType(0)) ? nullptr : l.argType(0)->isSigned ? widened(l, "abs") : l.arg(0);
       }},
      {"clamp",
       [](Lowering& l) {
         TypePtr type = isVector(l.type) ? l.type : atLeast32(l.type);
         return clampTo(l, l.cast(l.arg(0), type), like(l, l.arg(1), type), like(l, l.arg(2), type));
       }},
      {"fclamp",
       [](Lowering& l) {
         return l.same("fmin", l.same("fmax", l.arg(0), like(l, l.arg(1), l.type)),
                       like(l, l.arg(2), l.type));
       }},
      {"mad24", [](Lowering& l) { return l.op(Add, l.same("mul24", l.arg(0), l.arg(1)), l.arg(2)); }},
      {"mad_hi", [](Lowering& l) { return l.op(Add, l.same("mul_hi", l.arg(0), l.arg(1)), l.arg(2)); }},
      {"mul_hi",
       [](Lowering& l) -> ExprPtr {
         if (isVector(l.type) || l.type->bits >= 32) return nullptr;
         return l.op(Shr, l.op(Mul, l.cast(l.arg(0), int64()), l.cast(l.arg(1), int64())),
                     intLit(l.type->bits));
       }},
      {"hadd",
       [](Lowering& l) -> ExprPtr {
         if (isVector(l.type) || l.type->bits > 32) return nullptr;
         return l.op(Shr, l.op(Add, l.cast(l.arg(0), int64()), l.cast(l.arg(1), int64())), intLit(1));
       }},
      {"rhadd",
       [](Lowering& l) -> ExprPtr {
         if (isVector(l.type) || l.type->bits > 32) return nullptr;
         ExprPtr sum = l.op(Add, l.cast(l.arg(0), int64()), l.cast(l.arg(1), int64()));
         return l.op(Shr, l.op(Add, sum, intLit(1, int64())), intLit(1));
       }},
      {"add_sat",
       [](Lowering& l) {
         return saturated(l, [](Lowering& m, const TypePtr& t) {
           return m.op(Add, m.cast(m.arg(0), t), m.cast(m.arg(1), t));
         });
       }},
      {"sub_sat",
       [](Lowering& l) {
         return saturated(l, [](Lowering& m, const TypePtr& t) {
           return m.op(Sub, m.cast(m.arg(0), t), m.cast(m.arg(1), t));
         });
       }},
      {"mad_sat", lowerMadSat},
      {"abs_diff", lowerAbsDiff},
      {"sad",
       [](Lowering& l) { return l.op(Add, l.make("abs_diff", {l.arg(0), l.arg(1)}, uint32()), l.arg(2)); }},
      {"upsample", lowerUpsample},
      {"popcount", [](Lowering& l) { return lowerNarrowCount(l, "popcount"); }},
      {"clz", [](Lowering& l) { return lowerNarrowCount(l, "clz"); }},
      {"ctz", lowerCtz},
      {"ffs", lowerFfs},
      {"rotate", lowerRotate},
      {"brev", lowerBrev},
      {"byte_perm", lowerBytePerm},
      {"dp4a", lowerDp4a},
      {"nan", lowerNan},
      {"funnelshift_l", [](Lowering& l) { return lowerFunnel(l, true, false); }},
      {"funnelshift_lc", [](Lowering& l) { return lowerFunnel(l, true, true); }},
      {"funnelshift_r", [](Lowering& l) { return lowerFunnel(l, false, false); }},
      {"funnelshift_rc", [](Lowering& l) { return lowerFunnel(l, false, true); }},
      {"bitselect", lowerBitselect},
      {"select",
       [](Lowering& l) -> ExprPtr {
         if (isVector(l.type)) return nullptr;
         return l.select(l.op(Ne, l.arg(2), l.number(0, l.argType(2))), l.arg(1), l.arg(0));
       }},
      {"any", [](Lowering& l) { return lowerAnyAll(l, LogicalOr); }},
      {"all", [](Lowering& l) { return lowerAnyAll(l, LogicalAnd); }},
      {"saturate",
       [](Lowering& l) {
         return l.same("fmin", l.same("fmax", l.arg(0), l.number(0, l.type)), l.number(1, l.type));
       }},
      {"mix",
       [](Lowering& l) { return l.op(Add, l.arg(0), l.op(Mul, l.op(Sub, l.arg(1), l.arg(0)), l.arg(2))); }},
      {"step",
       [](Lowering& l) {
         return isVector(l.type)
                    ? nullptr
                    : l.select(l.op(Lt, l.arg(1), l.arg(0)), l.number(0, l.type), l.number(1, l.type));
       }},
      {"smoothstep",
       [](Lowering& l) -> ExprPtr {
         if (isVector(l.type)) return nullptr;
         ExprPtr t = l.op(Div, l.op(Sub, l.arg(2), l.arg(0)), l.op(Sub, l.arg(1), l.arg(0)));
         t = l.make("fclamp", {t, l.number(0, l.type), l.number(1, l.type)}, l.type);
         return l.op(Mul, l.op(Mul, t, t), l.op(Sub, l.number(3, l.type), scaled(l, t, 2)));
       }},
      {"sign", lowerSign},
      {"degrees", [](Lowering& l) { return scaled(l, l.arg(0), 180 / std::numbers::pi); }},
      {"radians", [](Lowering& l) { return scaled(l, l.arg(0), std::numbers::pi / 180); }},
      {"maxmag", [](Lowering& l) { return lowerMagnitude(l, Gt, "fmax"); }},
      {"minmag", [](Lowering& l) { return lowerMagnitude(l, Lt, "fmin"); }},
      {"pown", lowerPown},
      {"asinpi", [](Lowering& l) { return scaled(l, l.same("asin", l.arg(0)), std::numbers::inv_pi); }},
      {"acospi", [](Lowering& l) { return scaled(l, l.same("acos", l.arg(0)), std::numbers::inv_pi); }},
      {"atanpi", [](Lowering& l) { return scaled(l, l.same("atan", l.arg(0)), std::numbers::inv_pi); }},
      {"atan2pi",
       [](Lowering& l) { return scaled(l, l.same("atan2", l.arg(0), l.arg(1)), std::numbers::inv_pi); }},
      {"tanpi", [](Lowering& l) { return l.op(Div, l.same("sinpi", l.arg(0)), l.same("cospi", l.arg(0))); }},
      {"dot", [](Lowering& l) { return lowerDot(l, l.arg(0), l.arg(1)); }},
      {"cross", lowerCross},
      {"length", [](Lowering& l) { return lengthOf(l, lanesOf(l, l.arg(0))); }},
      {"distance", lowerDistance},
      {"normalize", lowerNormalize},
      {"fast_length", [](Lowering& l) { return l.same("sqrt", lowerDot(l, l.arg(0), l.arg(0))); }},
      {"fast_distance", lowerDistance},
      {"fast_normalize", lowerNormalize},
      {"norm3d", [](Lowering& l) { return lengthOf(l, l.call.args); }},
      {"norm4d", [](Lowering& l) { return lengthOf(l, l.call.args); }},
      {"rnorm3d", [](Lowering& l) { return reciprocal(l, lengthOf(l, l.call.args)); }},
      {"rnorm4d", [](Lowering& l) { return reciprocal(l, lengthOf(l, l.call.args)); }},
      {"rhypot", [](Lowering& l) { return reciprocal(l, l.same("hypot", l.arg(0), l.arg(1))); }},
      {"rcbrt", [](Lowering& l) { return reciprocal(l, l.same("cbrt", l.arg(0))); }},
      {"normcdf",
       [](Lowering& l) {
         return scaled(l, l.same("erfc", scaled(l, l.arg(0), -std::numbers::sqrt2 / 2)), 0.5);
       }},
      {"lrint", [](Lowering& l) { return l.make("convert_rte", {l.arg(0)}, int64()); }},
      {"lround", [](Lowering& l) { return l.cast(l.same("round", l.arg(0)), int64()); }},
      {"fma_ieee_rn", [](Lowering& l) { return l.make("fma", l.call.args, l.type); }},
      {"fdivide", [](Lowering& l) { return l.op(Div, l.arg(0), l.arg(1)); }},
      {"div_rn", [](Lowering& l) { return onlyDouble(l, l.op(Div, l.arg(0), l.arg(1))); }},
      {"rcp_rn", [](Lowering& l) { return onlyDouble(l, reciprocal(l, l.arg(0))); }},
      {"expect", [](Lowering& l) { return l.arg(0); }},
  };
  return rules;
}

}  // namespace hone::ir
