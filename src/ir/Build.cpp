#include "ir/Build.h"

#include "ir/Walk.h"

namespace hone::ir {

namespace {

std::optional<int64_t> number(const ExprPtr& e) {
  return e->type->isInteger() ? constantValue(e) : std::nullopt;
}

// A literal of the folded value, unless one of the operands was a named constant whose name would be lost for
// little.
ExprPtr folded(const ExprPtr& e) {
  auto value = number(e);
  return value ? e->type->is(TypeKind::Bool) ? boolLit(*value != 0, e->loc) : intLit(*value, e->type, e->loc)
               : e;
}

bool isNumber(const ExprPtr& e, int64_t wanted) { return number(e) == std::optional(wanted); }

// What arithmetic of the two gives: the operand alone, converted as C would.
ExprPtr as(const ExprPtr& kept, const ExprPtr& other) {
  return convert(kept, usualArithmetic(kept->type, other->type));
}

}  // namespace

bool isTrue(const ExprPtr& e) { return e && isNumber(e, 1) && e->type->is(TypeKind::Bool); }
bool isFalse(const ExprPtr& e) { return e && isNumber(e, 0) && e->type->is(TypeKind::Bool); }

ExprPtr plus(ExprPtr a, ExprPtr b) {
  // Before numbers are folded: 0 + kDepth keeps its name.
  if (isNumber(a, 0) && sameType(b->type, usualArithmetic(a->type, b->type))) return b;
  if (isNumber(b, 0) && sameType(a->type, usualArithmetic(a->type, b->type))) return a;
  if (number(a) && number(b)) return folded(binary(BinaryOp::Add, a, b));
  if (isNumber(a, 0)) return as(b, a);
  if (isNumber(b, 0)) return as(a, b);
  // (a + 3) + 4, and a + -4 as a - 4
  auto n = number(b);
  if (n && *n < 0 && *n > INT32_MIN && b->type->isSigned) return minus(std::move(a), intLit(-*n, b->type));
  if (n)
    if (const auto* inner = ir::as<Binary>(a);
        inner && number(inner->rhs) && sameType(a->type, usualArithmetic(a->type, b->type))) {
      ExprPtr rest = convert(b, a->type);
      if (inner->op == BinaryOp::Add) return plus(inner->lhs, plus(inner->rhs, rest));
      if (inner->op == BinaryOp::Sub) return plus(inner->lhs, minus(rest, inner->rhs));
    }
  return binary(BinaryOp::Add, std::move(a), std::move(b));
}

ExprPtr minus(ExprPtr a, ExprPtr b) {
  if (number(a) && number(b)) return folded(binary(BinaryOp::Sub, a, b));
  if (isNumber(b, 0)) return as(a, b);
  auto n = number(b);
  if (n && *n < 0 && *n > INT32_MIN && b->type->isSigned) return plus(std::move(a), intLit(-*n, b->type));
  return binary(BinaryOp::Sub, std::move(a), std::move(b));
}

ExprPtr times(ExprPtr a, ExprPtr b) {
  if (number(a) && number(b)) return folded(binary(BinaryOp::Mul, a, b));
  for (const auto& [one, other] : {std::pair(a, b), std::pair(b, a)}) {
    if (isNumber(one, 1)) return as(other, one);
    if (isNumber(one, 0)) return convert(one, usualArithmetic(a->type, b->type));
  }
  if (number(a)) std::swap(a, b);
  return binary(BinaryOp::Mul, std::move(a), std::move(b));
}

ExprPtr over(ExprPtr a, ExprPtr b) {
  if (isNumber(b, 1)) return as(a, b);
  return folded(binary(BinaryOp::Div, std::move(a), std::move(b)));
}

ExprPtr remainder(ExprPtr a, ExprPtr b) {
  if (isNumber(b, 1)) return intLit(0, usualArithmetic(a->type, b->type));
  return folded(binary(BinaryOp::Rem, std::move(a), std::move(b)));
}

ExprPtr ceilDiv(ExprPtr a, ExprPtr b) {
  if (isNumber(b, 1)) return as(a, b);
  // (x + 15) / 16, rounded up by 4, is x rounded up by 64.
  const auto* quotient = ir::as<Binary>(a);
  const auto* raised = quotient && quotient->op == BinaryOp::Div ? ir::as<Binary>(quotient->lhs) : nullptr;
  if (raised && raised->op == BinaryOp::Add && number(quotient->rhs) && number(raised->rhs) && number(b) &&
      *number(raised->rhs) == *number(quotient->rhs) - 1 && *number(quotient->rhs) * *number(b) < INT32_MAX)
    return ceilDiv(raised->lhs, intLit(*number(quotient->rhs) * *number(b), a->type));
  ExprPtr top = number(b) ? plus(std::move(a), minus(b, intLit(1, b->type)))
                          : minus(plus(std::move(a), b), intLit(1, b->type));
  return over(std::move(top), std::move(b));
}

ExprPtr least(ExprPtr a, ExprPtr b) {
  TypePtr type = usualArithmetic(a->type, b->type);
  a = convert(std::move(a), type);
  b = convert(std::move(b), type);
  auto x = number(a), y = number(b);
  if (x && y && type->isSigned) return *x < *y ? a : b;
  return makeExpr(type, Select{binary(BinaryOp::Lt, a, b), a, b});
}

ExprPtr andAlso(ExprPtr a, ExprPtr b) {
  if (!a || isTrue(a)) return b ? b : boolLit(true);
  if (!b || isTrue(b) || isFalse(a)) return a;
  return binary(BinaryOp::LogicalAnd, std::move(a), std::move(b));
}

ExprPtr orElse(ExprPtr a, ExprPtr b) {
  if (isFalse(a)) return b;
  if (isFalse(b) || isTrue(a)) return a;
  return binary(BinaryOp::LogicalOr, std::move(a), std::move(b));
}

std::vector<ExprPtr> conjuncts(const ExprPtr& condition) {
  if (!condition || isTrue(condition)) return {};
  const auto* both = ir::as<Binary>(condition);
  if (!both || both->op != BinaryOp::LogicalAnd) return {condition};
  std::vector<ExprPtr> parts = conjuncts(both->lhs);
  for (const ExprPtr& part : conjuncts(both->rhs)) parts.push_back(part);
  return parts;
}

ExprPtr negated(const ExprPtr& cond) {
  if (auto value = number(cond)) return boolLit(*value == 0, cond->loc);
  if (const auto* u = ir::as<Unary>(cond); u && u->op == UnaryOp::Not) return u->operand;
  if (const auto* b = ir::as<Binary>(cond)) {
    auto turned = [&](BinaryOp op) { return makeExpr(cond->type, Binary{op, b->lhs, b->rhs}, cond->loc); };
    const bool ordered = !b->lhs->type->isFloating() && !b->lhs->type->is(TypeKind::Vector);
    switch (b->op) {
      case BinaryOp::Eq: return turned(BinaryOp::Ne);
      case BinaryOp::Ne: return turned(BinaryOp::Eq);
      case BinaryOp::Lt:
        if (ordered) return turned(BinaryOp::Ge);
        break;
      case BinaryOp::Le:
        if (ordered) return turned(BinaryOp::Gt);
        break;
      case BinaryOp::Gt:
        if (ordered) return turned(BinaryOp::Le);
        break;
      case BinaryOp::Ge:
        if (ordered) return turned(BinaryOp::Lt);
        break;
      case BinaryOp::LogicalAnd: return orElse(negated(b->lhs), negated(b->rhs));
      case BinaryOp::LogicalOr: return andAlso(negated(b->lhs), negated(b->rhs));
      default: break;
    }
  }
  return unary(UnaryOp::Not, cond, cond->loc);
}

ExprPtr zeroOf(const TypePtr& type) {
  if (type->is(TypeKind::Bool)) return boolLit(false);
  if (type->is(TypeKind::Int)) return intLit(0, type);
  if (type->is(TypeKind::Float) && type->bits >= 32) return floatLit(0, type);
  if (type->isFloating()) return convert(floatLit(0), type);
  if (type->isPointer()) return makeExpr(type, NullPointer{});
  if (type->is(TypeKind::Vector))
    if (ExprPtr lane = zeroOf(type->element))
      return makeExpr(type, Construct{std::vector<ExprPtr>(type->lanes, lane)});
  return nullptr;
}

ExprPtr withoutCasts(ExprPtr e) {
  while (const auto* cast = ir::as<Cast>(e)) e = cast->operand;
  return e;
}

ExprPtr withoutIdCasts(ExprPtr e) {
  auto isWide = [](const Type& type) { return type.is(TypeKind::Int) && type.bits >= 32; };
  for (const auto* cast = ir::as<Cast>(e); cast && isWide(*e->type) && isWide(*cast->operand->type);
       cast = ir::as<Cast>(e))
    e = cast->operand;
  return e;
}

ExprPtr named(int64_t value, ConstantRole role, TypePtr type) {
  ExprPtr literal = intLit(value, type);
  IntLiteral node = *ir::as<IntLiteral>(literal);
  node.role = std::move(role);
  return makeExpr(std::move(type), std::move(node));
}

ExprPtr relabelled(const IntLiteral& literal, const TypePtr& type) {
  return makeExpr(type, IntLiteral{literal.value, "", literal.name, literal.role});
}

TypePtr arrayOver(TypePtr element, const ExprPtr& extent) {
  auto type = std::make_shared<Type>(*arrayType(std::move(element), constantValue(extent).value()));
  bool hasRole = false;
  walkExprs(extent, [&](const Expr& e) {
    const auto* literal = e.as<IntLiteral>();
    hasRole |= literal && literal->role;
  });
  if (hasRole) type->extentForm = extent;
  return type;
}

namespace {

class Simplifier : public Rewriter {
 protected:
  ExprPtr mapExpr(const ExprPtr& e) override {
    const auto* s = ir::as<Select>(e);
    if (s && isTrue(s->cond)) return s->yes;
    if (s && isFalse(s->cond)) return s->no;
    if (const auto* c = ir::as<Cast>(e); c && number(c->operand) && e->type->isInteger()) {
      const auto* literal = ir::as<IntLiteral>(c->operand);
      return literal && literal->hasName() ? e : folded(e);
    }
    const auto* b = ir::as<Binary>(e);
    if (!b || !e->type->isInteger()) return e;
    auto same = [&](ExprPtr made) { return sameType(made->type, e->type) ? made : e; };
    switch (b->op) {
      case BinaryOp::Add: return same(plus(b->lhs, b->rhs));
      case BinaryOp::Sub: return same(minus(b->lhs, b->rhs));
      case BinaryOp::Mul: return same(times(b->lhs, b->rhs));
      case BinaryOp::Div: return same(over(b->lhs, b->rhs));
      case BinaryOp::Rem: return same(remainder(b->lhs, b->rhs));
      case BinaryOp::LogicalAnd: return same(andAlso(b->lhs, b->rhs));
      case BinaryOp::LogicalOr: return same(orElse(b->lhs, b->rhs));
      case BinaryOp::Shl:
      case BinaryOp::Shr: return isNumber(b->rhs, 0) ? same(b->lhs) : folded(e);
      case BinaryOp::BitAnd: return isNumber(b->lhs, 0) || isNumber(b->rhs, 0) ? zeroOf(e->type) : folded(e);
      case BinaryOp::BitOr:
      case BinaryOp::BitXor:
        return isNumber(b->rhs, 0) ? same(b->lhs) : isNumber(b->lhs, 0) ? same(b->rhs) : folded(e);
      default: return folded(e);
    }
  }
};

}  // namespace

ExprPtr simplified(const ExprPtr& e) { return Simplifier().rewrite(e); }

StmtPtr countingLoop(CountingLoop loop, SourceLoc loc) {
  const TypePtr& type = loop.var->type;
  const bool isIncrement = !loop.step;
  For made;
  made.init = {makeStmt(Declare{loop.var, loop.begin ? loop.begin : intLit(0, type)}, loc)};
  made.cond = binary(BinaryOp::Lt, ref(loop.var, loc), std::move(loop.end), loc);
  made.step = {makeStmt(Assign{ref(loop.var, loc), BinaryOp::Add,
                               isIncrement ? intLit(1, type) : std::move(loop.step), isIncrement},
                        loc)};
  made.body = std::move(loop.body);
  made.unroll = loop.unroll;
  return makeStmt(std::move(made), loc);
}

}  // namespace hone::ir
