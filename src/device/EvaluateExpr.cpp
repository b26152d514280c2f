#include "device/EvaluateExpr.h"

#include "ir/Integers.h"
#include "ir/Kernel.h"
#include "ir/intrinsics/Intrinsics.h"

namespace hone::device {

using namespace ir;

namespace {

std::optional<Number> convertTo(const Number& value, const Type& type) {
  if (type.isFloating())
    return realNumber(type.bits == 32 ? static_cast<float>(value.asReal()) : value.asReal());
  if (!value.isReal) return wholeNumber(wrapped(static_cast<uint64_t>(value.whole), type));
  const auto whole = integerOf(value.real, type);
  return whole ? std::optional(wholeNumber(*whole)) : std::nullopt;
}

std::optional<Number> whole(std::optional<int64_t> value) {
  return value ? std::optional(wholeNumber(*value)) : std::nullopt;
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
  // As the machines that the numbers are for: they wrap.
  return whole(integerResult(op, a.asWhole(), b.asWhole(), operand, type, Overflow::Wraps));
}

}  // namespace

std::optional<Number> evaluate(const ExprPtr& e, const ExprNames& names) {
  if (!e) return std::nullopt;
  if (const auto* x = e->as<IntLiteral>()) return wholeNumber(wrapped(x->value, *e->type));
  if (const auto* x = e->as<FloatLiteral>()) return realNumber(x->value);
  if (e->is<NullPointer>()) return wholeNumber(0);
  if (const auto* x = e->as<ir::Coord>()) return names.coord ? names.coord(*x) : std::nullopt;
  if (const auto* x = e->as<Cast>()) {
    auto value = evaluate(x->operand, names);
    return value ? convertTo(*value, *e->type) : std::nullopt;
  }
  if (const auto* x = e->as<Unary>()) {
    auto value = evaluate(x->operand, names);
    if (!value) return std::nullopt;
    if (x->op == UnaryOp::Not) return wholeNumber(value->asReal() == 0);
    if (value->isReal) return x->op == UnaryOp::Neg ? std::optional(realNumber(-value->real)) : std::nullopt;
    return whole(integerResult(x->op, value->whole, *x->operand->type, *e->type, Overflow::Wraps));
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
    const bool isReal = a->isReal || b->isReal;
    const auto less = integerResult(BinaryOp::Lt, a->whole, b->whole, *x->args[0]->type, *boolType());
    const bool isLess = isReal ? a->asReal() < b->asReal() : *less != 0;
    return isLess == (x->intrinsic->id == "min") ? a : b;
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
