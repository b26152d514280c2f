// Computes pure expressions of scalars and vectors, with the intrinsics that lowered calls are built of.
#pragma once

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <map>

#include "ir/Dump.h"
#include "ir/intrinsics/Intrinsics.h"

namespace hone::ir {

// A scalar or the lanes of a vector; integers in `i`, wrapped to their type, floats in `f`.
struct Value {
  std::vector<int64_t> i;
  std::vector<double> f;
};

inline int64_t wrap(int64_t x, const Type& type) {
  if (type.is(TypeKind::Bool)) return x != 0;
  if (type.bits >= 64) return x;
  uint64_t bits = static_cast<uint64_t>(x) << (64 - type.bits);
  return type.isSigned ? static_cast<int64_t>(bits) >> (64 - type.bits)
                       : static_cast<int64_t>(bits >> (64 - type.bits));
}
inline double narrow(double x, const Type& type) {
  return type.bits == 32 ? static_cast<double>(static_cast<float>(x)) : x;
}

inline Value ofInt(int64_t x, const Type& type) { return {{wrap(x, type)}, {}}; }
inline Value ofFloat(double x, const Type& type) { return {{}, {narrow(x, type)}}; }

class Evaluator {
 public:
  std::map<const Variable*, Value> values;

  Value eval(const ExprPtr& e) {
    const Type& type = *e->type;
    if (const auto* x = as<IntLiteral>(e)) return ofInt(static_cast<int64_t>(x->value), type);
    if (const auto* x = as<FloatLiteral>(e)) return ofFloat(x->value, type);
    if (const auto* x = as<VarRef>(e)) return values.at(x->var.get());
    if (const auto* x = as<Cast>(e)) return convertValue(eval(x->operand), *x->operand->type, type);
    if (const auto* x = as<Select>(e)) return eval(x->cond).i[0] ? eval(x->yes) : eval(x->no);
    if (const auto* x = as<Swizzle>(e)) return laneOf(eval(x->base), x->lanes[0]);
    if (const auto* x = as<Construct>(e)) return join(x->parts);
    if (const auto* x = as<Unary>(e)) return evalUnary(*x, type);
    if (const auto* x = as<Binary>(e)) return evalBinary(*x, type);
    if (const auto* x = as<Call>(e)) return evalCall(*x, type);
    ADD_FAILURE() << "cannot evaluate " << dump(e);
    return {};
  }

 private:
  static Value laneOf(const Value& v, size_t i) {
    return v.f.empty() ? Value{{v.i[i]}, {}} : Value{{}, {v.f[i]}};
  }

  Value join(const std::vector<ExprPtr>& parts) {
    Value out;
    for (const ExprPtr& part : parts) {
      Value v = eval(part);
      out.i.insert(out.i.end(), v.i.begin(), v.i.end());
      out.f.insert(out.f.end(), v.f.begin(), v.f.end());
    }
    return out;
  }

  static Value convertValue(const Value& v, const Type& from, const Type& to) {
    if (to.isFloating()) {
      if (!v.f.empty()) return ofFloat(v.f[0], to);
      bool isHuge = !from.isSigned && from.bits == 64 && v.i[0] < 0;
      return ofFloat(
          isHuge ? static_cast<double>(static_cast<uint64_t>(v.i[0])) : static_cast<double>(v.i[0]), to);
    }
    if (v.f.empty()) return ofInt(v.i[0], to);
    return ofInt(to.is(TypeKind::Bool) ? v.f[0] != 0 : static_cast<int64_t>(v.f[0]), to);
  }

  Value evalUnary(const Unary& u, const Type& type) {
    Value v = eval(u.operand);
    if (!v.f.empty()) return ofFloat(-v.f[0], type);
    switch (u.op) {
      case UnaryOp::Neg: return ofInt(static_cast<int64_t>(0 - static_cast<uint64_t>(v.i[0])), type);
      case UnaryOp::Not: return ofInt(!v.i[0], type);
      case UnaryOp::BitNot: return ofInt(~v.i[0], type);
    }
    return {};
  }

  Value evalBinary(const Binary& b, const Type& type) {
    Value x = eval(b.lhs);
    if (b.op == BinaryOp::LogicalAnd && !x.i[0]) return ofInt(0, type);
    if (b.op == BinaryOp::LogicalOr && x.i[0]) return ofInt(1, type);
    Value y = eval(b.rhs);
    EXPECT_TRUE(isShift(b.op) || sameType(b.lhs->type, b.rhs->type)) << "operands of two types";
    if (!x.f.empty()) return floatBinary(b.op, x.f[0], y.f[0], type);
    uint64_t p = static_cast<uint64_t>(x.i[0]), q = static_cast<uint64_t>(y.i[0]);
    const Type& operand = *b.lhs->type;
    const bool isUnsigned = !operand.isSigned;
    if (isShift(b.op)) EXPECT_LT(q, operand.bits) << "shift by the width or more";
    switch (b.op) {
      case BinaryOp::Add: return ofInt(static_cast<int64_t>(p + q), type);
      case BinaryOp::Sub: return ofInt(static_cast<int64_t>(p - q), type);
      case BinaryOp::Mul: return ofInt(static_cast<int64_t>(p * q), type);
      case BinaryOp::Shl: return ofInt(static_cast<int64_t>(p << q), type);
      case BinaryOp::Shr: return ofInt(isUnsigned ? static_cast<int64_t>(p >> q) : x.i[0] >> q, type);
      case BinaryOp::Div:
        if (q == 0 || (!isUnsigned && y.i[0] == -1)) break;
        return ofInt(isUnsigned ? static_cast<int64_t>(p / q) : x.i[0] / y.i[0], type);
      case BinaryOp::Rem:
        if (q == 0 || (!isUnsigned && y.i[0] == -1)) break;
        return ofInt(isUnsigned ? static_cast<int64_t>(p % q) : x.i[0] % y.i[0], type);
      case BinaryOp::BitXor: return ofInt(static_cast<int64_t>(p ^ q), type);
      case BinaryOp::BitAnd: return ofInt(static_cast<int64_t>(p & q), type);
      case BinaryOp::BitOr: return ofInt(static_cast<int64_t>(p | q), type);
      case BinaryOp::LogicalAnd:
      case BinaryOp::LogicalOr: return ofInt(y.i[0], type);
      case BinaryOp::Eq: return ofInt(p == q, type);
      case BinaryOp::Ne: return ofInt(p != q, type);
      case BinaryOp::Lt: return ofInt(isUnsigned ? p < q : x.i[0] < y.i[0], type);
      case BinaryOp::Gt: return ofInt(isUnsigned ? p > q : x.i[0] > y.i[0], type);
      case BinaryOp::Le: return ofInt(isUnsigned ? p <= q : x.i[0] <= y.i[0], type);
      case BinaryOp::Ge: return ofInt(isUnsigned ? p >= q : x.i[0] >= y.i[0], type);
      default: break;
    }
    ADD_FAILURE() << "operator " << spelling(b.op);
    return {};
  }

  static Value floatBinary(BinaryOp op, double x, double y, const Type& type) {
    switch (op) {
      case BinaryOp::Add: return ofFloat(x + y, type);
      case BinaryOp::Sub: return ofFloat(x - y, type);
      case BinaryOp::Mul: return ofFloat(x * y, type);
      case BinaryOp::Div: return ofFloat(x / y, type);
      case BinaryOp::Eq: return ofInt(x == y, type);
      case BinaryOp::Ne: return ofInt(x != y, type);
      case BinaryOp::Lt: return ofInt(x < y, type);
      case BinaryOp::Gt: return ofInt(x > y, type);
      case BinaryOp::Le: return ofInt(x <= y, type);
      case BinaryOp::Ge: return ofInt(x >= y, type);
      default: break;
    }
    ADD_FAILURE() << "operator " << spelling(op);
    return {};
  }

  // The intrinsics that lowered calls are built of.
  Value evalCall(const Call& call, const Type& type) {
    std::vector<Value> a;
    for (const ExprPtr& arg : call.args) a.push_back(eval(arg));
    std::string_view id = call.intrinsic->id;
    const Type& operand = *call.args[0]->type;
    auto f = [&](size_t k) { return a[k].f[0]; };
    auto i = [&](size_t k) { return a[k].i[0]; };
    auto u = [&](size_t k) { return static_cast<uint64_t>(a[k].i[0]); };
    const bool isLess =
        operand.isInteger() && (operand.isSigned ? i(0) < i(1 % a.size()) : u(0) < u(1 % a.size()));
    if (id == "min") return isLess ? a[0] : a[1];
    if (id == "max") return isLess ? a[1] : a[0];
    if (id == "abs") return ofInt(std::abs(i(0)), type);
    if (id == "clz")
      return ofInt(std::countl_zero(u(0) << (64 - operand.bits)) > operand.bits
                       ? operand.bits
                       : std::countl_zero(u(0) << (64 - operand.bits)),
                   type);
    if (id == "abs_diff") return ofInt(std::abs(i(0) - i(1)), type);
    if (id == "popcount") return ofInt(std::popcount(u(0) << (64 - operand.bits)), type);
    if (id == "ffs") return ofInt(i(0) ? std::countr_zero(u(0)) + 1 : 0, type);
    if (id == "funnelshift_l")
      return ofInt(static_cast<int64_t>(((u(1) << 32 | u(0)) << (u(2) & 31)) >> 32), type);
    if (id == "mul24") return ofInt(i(0) * i(1), type);
    if (id == "mul_hi") return ofInt((i(0) * i(1)) >> 32, type);
    if (id == "fmin") return ofFloat(std::fmin(f(0), f(1)), type);
    if (id == "fmax") return ofFloat(std::fmax(f(0), f(1)), type);
    if (id == "fabs") return ofFloat(std::fabs(f(0)), type);
    if (id == "sqrt") return ofFloat(std::sqrt(f(0)), type);
    if (id == "pow") return ofFloat(std::pow(f(0), f(1)), type);
    if (id == "hypot") return ofFloat(std::hypot(f(0), f(1)), type);
    if (id == "norm3d") return ofFloat(std::hypot(f(0), f(1), f(2)), type);
    if (id == "isfinite") return ofInt(std::isfinite(f(0)), type);
    if (id == "isnan") return ofInt(std::isnan(f(0)), type);
    if (id == "as" && operand.is(TypeKind::Float) && operand.bits == 64)
      return ofInt(std::bit_cast<int64_t>(f(0)), type);
    if (id == "as" && type.is(TypeKind::Float) && type.bits == 64)
      return ofFloat(std::bit_cast<double>(i(0)), type);
    if (id.starts_with("convert")) {
      double x = id.ends_with("rtz")   ? std::trunc(f(0))
                 : id.ends_with("rte") ? std::nearbyint(f(0))
                 : id.ends_with("rtp") ? std::ceil(f(0))
                                       : std::floor(f(0));
      double low = type.isSigned ? -std::ldexp(1, type.bits - 1) : 0,
             high = std::ldexp(1, type.bits - type.isSigned) - 1;
      return ofInt(std::isnan(x) ? 0 : static_cast<int64_t>(std::fmin(std::fmax(x, low), high)), type);
    }
    ADD_FAILURE() << "intrinsic " << id;
    return {};
  }
};

}  // namespace hone::ir
