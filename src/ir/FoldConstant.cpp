// Folding of integer constant expressions, with the widths and signs of their types.
#include <limits>

#include "ir/Expr.h"

namespace hone::ir {

namespace {

// A folded value as the bits of its type, sign- or zero-extended to 64 bits.
using Folded = std::optional<int64_t>;

int64_t fit(uint64_t value, const Type& type) {
  if (type.is(TypeKind::Bool)) return value != 0;
  unsigned bits = type.bits;
  if (bits == 0 || bits >= 64) return static_cast<int64_t>(value);
  uint64_t mask = (uint64_t{1} << bits) - 1;
  value &= mask;
  if (type.isSigned && (value >> (bits - 1))) value |= ~mask;
  return static_cast<int64_t>(value);
}

// The result when it is representable; overflow of a signed type has no value.
Folded exact(int64_t value, const Type& type) {
  return fit(static_cast<uint64_t>(value), type) == value ? Folded(value) : std::nullopt;
}

Folded foldSigned(BinaryOp op, int64_t a, int64_t b, const Type& type) {
  int64_t out = 0;
  switch (op) {
    case BinaryOp::Add: return __builtin_add_overflow(a, b, &out) ? Folded() : exact(out, type);
    case BinaryOp::Sub: return __builtin_sub_overflow(a, b, &out) ? Folded() : exact(out, type);
    case BinaryOp::Mul: return __builtin_mul_overflow(a, b, &out) ? Folded() : exact(out, type);
    case BinaryOp::Div:
    case BinaryOp::Rem:
      if (b == 0 || (a == std::numeric_limits<int64_t>::min() && b == -1)) return std::nullopt;
      return exact(op == BinaryOp::Div ? a / b : a % b, type);
    default: return std::nullopt;
  }
}

Folded foldUnsigned(BinaryOp op, uint64_t a, uint64_t b, const Type& type) {
  switch (op) {
    case BinaryOp::Add: return fit(a + b, type);
    case BinaryOp::Sub: return fit(a - b, type);
    case BinaryOp::Mul: return fit(a * b, type);
    case BinaryOp::Div: return b == 0 ? Folded() : fit(a / b, type);
    case BinaryOp::Rem: return b == 0 ? Folded() : fit(a % b, type);
    default: return std::nullopt;
  }
}

template <class T> bool compare(BinaryOp op, T a, T b) {
  switch (op) {
    case BinaryOp::Eq: return a == b;
    case BinaryOp::Ne: return a != b;
    case BinaryOp::Lt: return a < b;
    case BinaryOp::Le: return a <= b;
    case BinaryOp::Gt: return a > b;
    default: return a >= b;
  }
}

Folded fold(const ExprPtr& e);

Folded foldBinary(const Binary& node, const Type& type) {
  Folded a = fold(node.lhs);
  if (!a) return std::nullopt;
  if (node.op == BinaryOp::LogicalAnd || node.op == BinaryOp::LogicalOr) {
    bool decides = node.op == BinaryOp::LogicalOr;
    if ((*a != 0) == decides) return decides;
    Folded b = fold(node.rhs);
    return b ? Folded(*b != 0) : std::nullopt;
  }
  Folded b = fold(node.rhs);
  if (!b) return std::nullopt;
  const Type& operand = *node.lhs->type;
  const auto ua = static_cast<uint64_t>(*a), ub = static_cast<uint64_t>(*b);
  if (isComparison(node.op)) return operand.isSigned ? compare(node.op, *a, *b) : compare(node.op, ua, ub);
  switch (node.op) {
    case BinaryOp::BitAnd: return fit(ua & ub, type);
    case BinaryOp::BitOr: return fit(ua | ub, type);
    case BinaryOp::BitXor: return fit(ua ^ ub, type);
    case BinaryOp::Shl:
    case BinaryOp::Shr:
      if (*b < 0 || *b >= type.bits) return std::nullopt;
      if (node.op == BinaryOp::Shl) return fit(ua << ub, type);
      return type.isSigned ? fit(static_cast<uint64_t>(*a >> *b), type) : fit(ua >> ub, type);
    default: return type.isSigned ? foldSigned(node.op, *a, *b, type) : foldUnsigned(node.op, ua, ub, type);
  }
}

Folded fold(const ExprPtr& e) {
  if (!e || !e->type->isInteger()) return std::nullopt;
  if (const auto* literal = e->as<IntLiteral>()) return fit(literal->value, *e->type);
  if (const auto* cast = e->as<Cast>()) {
    Folded value = fold(cast->operand);
    return value ? Folded(fit(static_cast<uint64_t>(*value), *e->type)) : std::nullopt;
  }
  if (const auto* node = e->as<Unary>()) {
    Folded value = fold(node->operand);
    if (!value) return std::nullopt;
    switch (node->op) {
      case UnaryOp::Not: return *value == 0;
      case UnaryOp::BitNot: return fit(~static_cast<uint64_t>(*value), *e->type);
      case UnaryOp::Neg:
        return e->type->isSigned ? foldSigned(BinaryOp::Sub, 0, *value, *e->type)
                                 : foldUnsigned(BinaryOp::Sub, 0, static_cast<uint64_t>(*value), *e->type);
    }
  }
  if (const auto* select = e->as<Select>()) {
    Folded cond = fold(select->cond);
    return cond ? fold(*cond ? select->yes : select->no) : std::nullopt;
  }
  if (const auto* node = e->as<Binary>()) return foldBinary(*node, *e->type);
  return std::nullopt;
}

}  // namespace

std::optional<int64_t> constantValue(const ExprPtr& e) {
  Folded value = fold(e);
  if (value && *value < 0 && !e->type->isSigned) return std::nullopt;  // an unsigned value beyond int64_t
  return value;
}

}  // namespace hone::ir
