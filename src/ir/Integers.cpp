#include "ir/Integers.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace hone::ir {

namespace {

using Value = std::optional<int64_t>;

Value inSigned(BinaryOp op, int64_t a, int64_t b, const Type& type, Overflow overflow) {
  // The remainder has a value where the quotient has one.
  if (const Value quotient = op == BinaryOp::Rem ? exactly(BinaryOp::Div, a, b) : 0;
      !quotient || !fits(*quotient, type))
    return std::nullopt;
  const Value whole = exactly(op, a, b);
  if (whole && fits(*whole, type)) return whole;
  if (overflow == Overflow::Unknown) return std::nullopt;
  const auto ua = static_cast<uint64_t>(a), ub = static_cast<uint64_t>(b);
  switch (op) {
    case BinaryOp::Add: return wrapped(ua + ub, type);
    case BinaryOp::Sub: return wrapped(ua - ub, type);
    case BinaryOp::Mul: return wrapped(ua * ub, type);
    default: return std::nullopt;
  }
}

Value inUnsigned(BinaryOp op, uint64_t a, uint64_t b, const Type& type) {
  switch (op) {
    case BinaryOp::Add: return wrapped(a + b, type);
    case BinaryOp::Sub: return wrapped(a - b, type);
    case BinaryOp::Mul: return wrapped(a * b, type);
    case BinaryOp::Div: return b == 0 ? Value() : wrapped(a / b, type);
    case BinaryOp::Rem: return b == 0 ? Value() : wrapped(a % b, type);
    default: return std::nullopt;
  }
}

template <class T> bool holds(BinaryOp op, T a, T b) {
  switch (op) {
    case BinaryOp::Eq: return a == b;
    case BinaryOp::Ne: return a != b;
    case BinaryOp::Lt: return a < b;
    case BinaryOp::Le: return a <= b;
    case BinaryOp::Gt: return a > b;
    default: return a >= b;
  }
}

Value fold(const ExprPtr& e, const KnownIntegers* known);

Value foldBinary(const Binary& node, const Type& type, const KnownIntegers* known) {
  const Value a = fold(node.lhs, known);
  if (!a) return std::nullopt;
  if (node.op == BinaryOp::LogicalAnd || node.op == BinaryOp::LogicalOr) {
    const bool decides = node.op == BinaryOp::LogicalOr;
    if ((*a != 0) == decides) return decides;
    const Value b = fold(node.rhs, known);
    return b ? Value(*b != 0) : std::nullopt;
  }
  const Value b = fold(node.rhs, known);
  return b ? integerResult(node.op, *a, *b, *node.lhs->type, type) : std::nullopt;
}

Value fold(const ExprPtr& e, const KnownIntegers* known) {
  if (!e || !e->type->isInteger()) return std::nullopt;
  if (known)
    if (const Value value = (*known)(e)) return value;
  if (const auto* literal = e->as<IntLiteral>()) return wrapped(literal->value, *e->type);
  if (const auto* cast = e->as<Cast>()) {
    const Value value = fold(cast->operand, known);
    return value ? Value(wrapped(static_cast<uint64_t>(*value), *e->type)) : std::nullopt;
  }
  if (const auto* node = e->as<Unary>()) {
    const Value value = fold(node->operand, known);
    return value ? integerResult(node->op, *value, *node->operand->type, *e->type) : std::nullopt;
  }
  if (const auto* select = e->as<Select>()) {
    const Value cond = fold(select->cond, known);
    return cond ? fold(*cond ? select->yes : select->no, known) : std::nullopt;
  }
  if (const auto* node = e->as<Binary>()) return foldBinary(*node, *e->type, known);
  return std::nullopt;
}

}  // namespace

int64_t wrapped(uint64_t bits, const Type& type) {
  if (type.is(TypeKind::Bool)) return bits != 0;
  if (type.bits == 0 || type.bits >= 64) return static_cast<int64_t>(bits);
  const uint64_t mask = (uint64_t{1} << type.bits) - 1;
  bits &= mask;
  if (type.isSigned && (bits >> (type.bits - 1))) bits |= ~mask;
  return static_cast<int64_t>(bits);
}

bool fits(int64_t value, const Type& type) { return wrapped(static_cast<uint64_t>(value), type) == value; }

std::optional<int64_t> integerOf(double value, const Type& type) {
  if (type.is(TypeKind::Bool)) return value != 0;
  const double whole = std::trunc(value),
               bound = std::ldexp(1.0, std::min(64, int(type.bits)) - type.isSigned);
  if (!(whole >= (type.isSigned ? -bound : 0.0) && whole < bound)) return std::nullopt;  // NaN too
  return type.isSigned ? static_cast<int64_t>(whole) : static_cast<int64_t>(static_cast<uint64_t>(whole));
}

std::optional<int64_t> exactly(BinaryOp op, int64_t a, int64_t b) {
  int64_t out = 0;
  const bool shifts = b >= 0 && b < 64;
  switch (op) {
    case BinaryOp::Add: return __builtin_add_overflow(a, b, &out) ? Value() : out;
    case BinaryOp::Sub: return __builtin_sub_overflow(a, b, &out) ? Value() : out;
    case BinaryOp::Mul: return __builtin_mul_overflow(a, b, &out) ? Value() : out;
    case BinaryOp::Div:
    case BinaryOp::Rem:
      if (b == 0 || (a == std::numeric_limits<int64_t>::min() && b == -1)) return std::nullopt;
      return op == BinaryOp::Div ? a / b : a % b;
    case BinaryOp::BitAnd: return a & b;
    case BinaryOp::BitOr: return a | b;
    case BinaryOp::BitXor: return a ^ b;
    case BinaryOp::Shl:
      if (!shifts) return std::nullopt;
      out = static_cast<int64_t>(static_cast<uint64_t>(a) << b);
      return out >> b == a ? Value(out) : std::nullopt;
    case BinaryOp::Shr: return shifts ? Value(a >> b) : std::nullopt;
    default: return std::nullopt;
  }
}

std::optional<int64_t> integerResult(BinaryOp op, int64_t a, int64_t b, const Type& operand,
                                     const Type& result, Overflow overflow) {
  const auto ua = static_cast<uint64_t>(a), ub = static_cast<uint64_t>(b);
  if (isComparison(op)) return operand.isSigned ? holds(op, a, b) : holds(op, ua, ub);
  switch (op) {
    case BinaryOp::BitAnd: return wrapped(ua & ub, result);
    case BinaryOp::BitOr: return wrapped(ua | ub, result);
    case BinaryOp::BitXor: return wrapped(ua ^ ub, result);
    case BinaryOp::Shl:
    case BinaryOp::Shr:
      if (b < 0 || b >= result.bits) return std::nullopt;
      if (op == BinaryOp::Shl) return wrapped(ua << ub, result);
      return wrapped(result.isSigned ? static_cast<uint64_t>(a >> b) : ua >> ub, result);
    default: return result.isSigned ? inSigned(op, a, b, result, overflow) : inUnsigned(op, ua, ub, result);
  }
}

std::optional<int64_t> integerResult(UnaryOp op, int64_t a, const Type& operand, const Type& result,
                                     Overflow overflow) {
  switch (op) {
    case UnaryOp::Not: return a == 0;
    case UnaryOp::BitNot: return wrapped(~static_cast<uint64_t>(a), result);
    case UnaryOp::Neg: return integerResult(BinaryOp::Sub, 0, a, operand, result, overflow);
  }
  return std::nullopt;
}

std::optional<int64_t> integerValue(const ExprPtr& e, const KnownIntegers& known) { return fold(e, &known); }

std::optional<int64_t> constantValue(const ExprPtr& e) {
  const Value value = fold(e, nullptr);
  if (value && *value < 0 && !e->type->isSigned) return std::nullopt;  // an unsigned value beyond int64_t
  return value;
}

}  // namespace hone::ir
