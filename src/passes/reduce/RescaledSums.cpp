#include "passes/reduce/RescaledSums.h"

#include <algorithm>
#include <cmath>
#include <functional>

#include "ir/Build.h"
#include "ir/CallEffects.h"
#include "ir/Compare.h"
#include "ir/intrinsics/Intrinsics.h"
#include "passes/edit/LoopEdit.h"
#include "passes/reduce/SumUpdates.h"

namespace hone::passes {

using namespace ir;

namespace {

// Types in which rounding is small beside the sum: not halves.
bool isExact(const TypePtr& type) {
  return type->isFloating() && !type->is(TypeKind::Vector) && type->bits >= 32;
}

// Functions with f(a + b) = f(a) * f(b).
bool isPower(const Call& call) {
  static constexpr std::string_view powers[] = {"exp",        "exp2",        "exp10",
                                                "native_exp", "native_exp2", "native_exp10",
                                                "half_exp",   "half_exp2",   "half_exp10"};
  return call.intrinsic && call.args.size() == 1 &&
         std::ranges::find(powers, call.intrinsic->id) != std::ranges::end(powers);
}

bool isPositive(const ExprPtr& e) {
  const auto number = floatingValue(e);
  return number && *number > 0 && std::isfinite(*number);
}

// `what`, times positive numbers and over them, with something else of its type in its place; null: it is
// not that.
using InType = std::function<ExprPtr(const TypePtr&)>;
ExprPtr replacedIn(const ExprPtr& e, const ExprPtr& what, const InType& by) {
  if (equal(withoutExactCasts(e), what)) return by(e->type);
  const auto* b = as<Binary>(e);
  if (!b || !isExact(e->type) || (b->op != BinaryOp::Mul && b->op != BinaryOp::Div)) return nullptr;
  const bool isRight = b->op == BinaryOp::Mul && isPositive(b->lhs);
  if (!isRight && !isPositive(b->rhs)) return nullptr;
  const ExprPtr part = replacedIn(isRight ? b->rhs : b->lhs, what, by);
  if (!part) return nullptr;
  return makeExpr(e->type, isRight ? Binary{b->op, b->lhs, part} : Binary{b->op, part, b->rhs});
}

// An exponent that grows with `value` and falls with the variable alike: from one of its values to another.
ExprPtr exponentOf(const ExprPtr& e, const ExprPtr& value, const Rise& rise) {
  if (!isExact(e->type)) return nullptr;
  if (const auto* cast = as<Cast>(e)) {
    const ExprPtr part = exponentOf(cast->operand, value, rise);
    return part ? convert(part, e->type) : nullptr;
  }
  const auto* b = as<Binary>(e);
  if (!b) return nullptr;
  if (b->op == BinaryOp::Sub) {
    const auto of = [&](const TypePtr& type) { return convert(ref(rise.of), type); };
    // Taken away first, so that nothing is left of equal ones.
    const auto risen = [&](const TypePtr& type) {
      return binary(BinaryOp::Sub, convert(ref(rise.from), type), convert(ref(rise.to), type));
    };
    const ExprPtr left = replacedIn(b->lhs, value, of);
    // Both by the same numbers.
    return left && equal(left, b->rhs) ? replacedIn(b->lhs, value, risen) : nullptr;
  }
  if (b->op != BinaryOp::Mul && b->op != BinaryOp::Div) return nullptr;
  const bool isRight = b->op == BinaryOp::Mul && isPositive(b->lhs);
  if (!isRight && !isPositive(b->rhs)) return nullptr;
  const ExprPtr part = exponentOf(isRight ? b->rhs : b->lhs, value, rise);
  if (!part) return nullptr;
  return makeExpr(e->type, isRight ? Binary{b->op, b->lhs, part} : Binary{b->op, part, b->rhs});
}

}  // namespace

ExprPtr factorOf(const ExprPtr& term, const ExprPtr& value, const Rise& rise) {
  if (!isExact(term->type) || !mentions(term, rise.of.get())) return nullptr;
  if (const auto* call = as<Call>(term)) {
    const ExprPtr exponent = isPower(*call) ? exponentOf(call->args[0], value, rise) : nullptr;
    if (!exponent) return nullptr;
    Call power = *call;
    power.args = {exponent};
    return makeExpr(term->type, power);
  }
  if (const auto* cast = as<Cast>(term)) return factorOf(cast->operand, value, rise);
  if (const auto* sign = as<Unary>(term))
    return sign->op == UnaryOp::Neg ? factorOf(sign->operand, value, rise) : nullptr;
  const auto* b = as<Binary>(term);
  if (!b) return nullptr;
  const bool left = mentions(b->lhs, rise.of.get()), right = mentions(b->rhs, rise.of.get());
  switch (b->op) {
    case BinaryOp::Mul:
      if (left && right) return nullptr;
      return factorOf(left ? b->lhs : b->rhs, value, rise);
    case BinaryOp::Div: return right ? nullptr : factorOf(b->lhs, value, rise);
    case BinaryOp::Add:
    case BinaryOp::Sub: {
      const ExprPtr first = factorOf(b->lhs, value, rise), second = factorOf(b->rhs, value, rise);
      return first && second && equal(first, second) ? first : nullptr;
    }
    default: return nullptr;
  }
}

bool loopsHavePowers(const StmtPtr& body) {
  bool found = false;
  walkStmts(body, [&](const Stmt& s) {
    if (!isLoop(s)) return;
    walkExprs(bodyOf(s), [&](const Expr& e) {
      const auto* call = e.as<Call>();
      found |= call && isPower(*call);
    });
  });
  return found;
}

std::optional<double> floatingValue(const ExprPtr& e) {
  auto inType = [&](double number) { return e->type->bits == 32 ? double(float(number)) : number; };
  if (e->type->isInteger()) {
    const auto whole = constantValue(e);
    return whole ? std::optional(static_cast<double>(*whole)) : std::nullopt;
  }
  if (!isExact(e->type)) return std::nullopt;
  if (const auto* number = as<FloatLiteral>(e)) return inType(number->value);
  if (const auto* cast = as<Cast>(e)) {
    const auto number = floatingValue(cast->operand);
    return number ? std::optional(inType(*number)) : std::nullopt;
  }
  if (const auto* sign = as<Unary>(e)) {
    const auto number = sign->op == UnaryOp::Neg ? floatingValue(sign->operand) : std::nullopt;
    return number ? std::optional(-*number) : std::nullopt;
  }
  return std::nullopt;
}

BodyConstants::BodyConstants(const StmtList& body) {
  const StmtPtr all = block(body);
  const auto set = assignedVariables(all), taken = addressTaken(all);
  for (const StmtPtr& s : body) {
    const auto* d = as<Declare>(s);
    if (!d || !d->init || !isPure(d->init) || !d->var->type->isArithmetic()) continue;
    const auto named = variablesOf(d->init);
    const bool isMoving = set.contains(d->var.get()) || taken.contains(d->var.get()) ||
                          std::ranges::any_of(named, [&](const Variable* v) { return set.contains(v); });
    if (!isMoving) values.emplace_back(d->var, within(d->init));
  }
}

bool BodyConstants::knows(const Variable* var) const {
  return std::ranges::any_of(values, [&](const auto& one) { return one.first.get() == var; });
}

}  // namespace hone::passes
