#include "device/EvaluateExpr.h"

#include <cmath>

#include "ir/Kernel.h"
#include "ir/intrinsics/Intrinsics.h"

namespace hone::device {

using namespace ir;

namespace {

int64_t wrapTo(int64_t x, const Type& type) {
  if (type.is(TypeKind::Bool)) return x != 0;
  if (!type.is(TypeKind::Int) || type.bits >= 64) return x;
  uint64_t bits = static_cast<uint64_t>(x) << (64 - type.bits);
  return type.isSigned ? static_cast<int64_t>(bits) >> (64 - type.bits)
                       : static_cast<int64_t>(bits >> (64 - type.bits));
}

Number convertTo(const Number& value, const Type& type) {
  if (type.isFloating())
    return realNumber(type.bits == 32 ? static_cast<float>(value.asReal()) : value.asReal());
  if (type.is(TypeKind::Bool)) return wholeNumber(value.asReal() != 0);
  return wholeNumber(wrapTo(value.asWhole(), type));
}

std::optional<Number> applyBinary(BinaryOp op, const Number& a, const Number& b, const Type& operand,
                                  const Type& type) {
  if (operand.isFloating()) {
    double x = a.asReal(), y = b.asReal();
    auto real = [&](double v) { return convertTo(realNumber(v), type); };
    switch (op) {
      case BinaryOp::Add: return real(x + y);
      case BinaryOp::Sub: return real(x - y);
      case BinaryOp::Mul: return real(x * y);
      case BinaryOp::Div: return real(x / y);
      case BinaryOp::Eq: return wholeNumber(x == y);
      case BinaryOp::Ne: return wholeNumber(x != y);
      case BinaryOp::Lt: return wholeNumber(x < y);
      case BinaryOp::Le: return wholeNumber(x <= y);
      case BinaryOp::Gt: return wholeNumber(x > y);
      case BinaryOp::Ge: return wholeNumber(x >= y);
      default: return std::nullopt;
    }
  }
  int64_t x = a.asWhole(), y = b.asWhole();
  uint64_t ux = static_cast<uint64_t>(x), uy = static_cast<uint64_t>(y);
  bool isSigned = operand.is(TypeKind::Int) && operand.isSigned;
  auto whole = [&](uint64_t v) { return wholeNumber(wrapTo(static_cast<int64_t>(v), type)); };
  auto less = [&](int64_t l, int64_t r) {
    return isSigned ? l < r : static_cast<uint64_t>(l) < static_cast<uint64_t>(r);
  };
  switch (op) {
    case BinaryOp::Add: return whole(ux + uy);
    case BinaryOp::Sub: return whole(ux - uy);
    case BinaryOp::Mul: return whole(ux * uy);
    case BinaryOp::Div:
    case BinaryOp::Rem: {
      if (y == 0) return std::nullopt;
      if (isSigned && y == -1) return op == BinaryOp::Div ? whole(-ux) : wholeNumber(0);
      if (isSigned) return whole(static_cast<uint64_t>(op == BinaryOp::Div ? x / y : x % y));
      return whole(op == BinaryOp::Div ? ux / uy : ux % uy);
    }
    case BinaryOp::Shl: return whole(uy < 64 ? ux << uy : 0);
    case BinaryOp::Shr:
      return whole(static_cast<uint64_t>(uy < 64 ? (isSigned ? x >> uy : int64_t(ux >> uy)) : 0));
    case BinaryOp::BitAnd: return whole(ux & uy);
    case BinaryOp::BitOr: return whole(ux | uy);
    case BinaryOp::BitXor: return whole(ux ^ uy);
    case BinaryOp::Eq: return wholeNumber(x == y);
    case BinaryOp::Ne: return wholeNumber(x != y);
    case BinaryOp::Lt: return wholeNumber(less(x, y));
    case BinaryOp::Gt: return wholeNumber(less(y, x));
    case BinaryOp::Le: return wholeNumber(!less(y, x));
    case BinaryOp::Ge: return wholeNumber(!less(x, y));
    default: return std::nullopt;
  }
}

}  // namespace

std::optional<Number> evaluate(const ExprPtr& e, const ExprNames& names) {
  if (!e) return std::nullopt;
  if (const auto* x = e->as<IntLiteral>())
    return wholeNumber(wrapTo(static_cast<int64_t>(x->value), *e->type));
  if (const auto* x = e->as<FloatLiteral>()) return realNumber(x->value);
  if (e->is<NullPointer>()) return wholeNumber(0);
  if (const auto* x = e->as<ir::Coord>()) return names.coord ? names.coord(*x) : std::nullopt;
  if (const auto* x = e->as<Cast>()) {
    auto value = evaluate(x->operand, names);
    return value ? std::optional(convertTo(*value, *e->type)) : std::nullopt;
  }
  if (const auto* x = e->as<Unary>()) {
    auto value = evaluate(x->operand, names);
    if (!value) return std::nullopt;
    if (x->op == UnaryOp::Not) return wholeNumber(value->asReal() == 0);
    if (x->op == UnaryOp::BitNot) return wholeNumber(wrapTo(~value->asWhole(), *e->type));
    if (value->isReal) return realNumber(-value->real);
    return wholeNumber(wrapTo(static_cast<int64_t>(-static_cast<uint64_t>(value->whole)), *e->type));
  }
  if (const auto* x = e->as<Binary>()) {
    auto left = evaluate(x->lhs, names);
    if (!left) return std::nullopt;
    if (x->op == BinaryOp::LogicalAnd && left->asReal() == 0) return wholeNumber(0);
    if (x->op == BinaryOp::LogicalOr && left->asReal() != 0) return wholeNumber(1);
    auto right = evaluate(x->rhs, names);
    if (!right) return std::nullopt;
    if (x->op == BinaryOp::LogicalAnd || x->op == BinaryOp::LogicalOr)
      return wholeNumber(right->asReal() != 0);
    return applyBinary(x->op, *left, *right, *x->lhs->type, *e->type);
  }
  if (const auto* x = e->as<Select>()) {
    auto cond = evaluate(x->cond, names);
    if (!cond) return std::nullopt;
    return evaluate(cond->asReal() != 0 ? x->yes : x->no, names);
  }
  if (const auto* x = e->as<Call>(); x && x->intrinsic && x->args.size() == 2) {
    if (x->intrinsic->id != "min" && x->intrinsic->id != "max") return std::nullopt;
    auto a = evaluate(x->args[0], names), b = evaluate(x->args[1], names);
    if (!a || !b) return std::nullopt;
    return (a->asReal() < b->asReal()) == (x->intrinsic->id == "min") ? a : b;
  }
  // A pointer moved by elements.
  if (const auto* x = e->as<AddressOf>()) {
    const auto* element = as<Subscript>(x->place);
    if (!element || element->indices.size() != 1 || !element->base->type->isPointer()) return std::nullopt;
    auto base = evaluate(element->base, names), index = evaluate(element->indices[0], names);
    if (!base || !index) return std::nullopt;
    uint64_t bytes = sizeOf(*element->base->type->element);
    return wholeNumber(static_cast<int64_t>(static_cast<uint64_t>(base->whole) +
                                            static_cast<uint64_t>(index->asWhole()) * bytes));
  }
  return names.place ? names.place(e) : std::nullopt;
}

}  // namespace hone::device
