#include "passes/reduce/SumUpdates.h"

#include "ir/Build.h"
#include "ir/Compare.h"
#include "ir/intrinsics/Intrinsics.h"

namespace hone::passes {

using namespace ir;

namespace {

std::optional<Combine> combineOf(BinaryOp op) {
  switch (op) {
    case BinaryOp::Add:
    case BinaryOp::Sub: return Combine::Add;
    case BinaryOp::Mul: return Combine::Mul;
    case BinaryOp::BitAnd:
    case BinaryOp::LogicalAnd: return Combine::And;
    case BinaryOp::BitOr:
    case BinaryOp::LogicalOr: return Combine::Or;
    case BinaryOp::BitXor: return Combine::Xor;
    default: return std::nullopt;
  }
}

TypePtr scalarOf(const TypePtr& type) {
  return type->is(TypeKind::Vector) || type->is(TypeKind::Array) ? scalarOf(type->element) : type;
}

// Whether sums worked out in one type and kept in another are the same in any order: an integer that is cut
// off after each float is added is not.
bool staysSum(const TypePtr& ofPlace, const TypePtr& computed) {
  const TypePtr kept = scalarOf(ofPlace), made = scalarOf(computed);
  return kept->isFloating() == made->isFloating() && (kept->isFloating() || made->bits >= kept->bits) &&
         made->is(TypeKind::Bool) <= kept->is(TypeKind::Bool);
}

// Whether an operator on truth values and numbers makes of them what it makes of truth values: 1 + -1 and 1 ^
// 2 are not what they would be.
bool staysTruth(const TypePtr& ofPlace, BinaryOp op, const ExprPtr& value) {
  const bool isLogical = op == BinaryOp::LogicalAnd || op == BinaryOp::LogicalOr;
  if (!ofPlace->is(TypeKind::Bool)) return !isLogical;
  return isLogical || op == BinaryOp::BitAnd || op == BinaryOp::BitOr ||
         (op == BinaryOp::BitXor && withoutCasts(value)->type->is(TypeKind::Bool));
}

unsigned digitsOf(const Type& floating) {
  return floating.is(TypeKind::BFloat) ? 8 : floating.bits == 16 ? 11 : floating.bits == 32 ? 24 : 53;
}

// Whether each value of one type is a value of the other too, so that they compare alike in both.
bool holdsAll(const Type& wide, const Type& narrow) {
  if (sameType(wide, narrow)) return true;
  if (!wide.isArithmetic() || !narrow.isArithmetic() || wide.is(TypeKind::Bool)) return false;
  if (narrow.is(TypeKind::Bool)) return true;
  const unsigned digits = narrow.isFloating() ? digitsOf(narrow) : narrow.bits - narrow.isSigned;
  if (wide.isFloating()) return digitsOf(wide) >= digits && (narrow.isInteger() || wide.bits > narrow.bits);
  return narrow.isInteger() && wide.bits - wide.isSigned >= digits && wide.isSigned >= narrow.isSigned;
}

// Compared are the values themselves, as they are in the place: `(unsigned)x > (unsigned)best` has an order
// of its own.
std::optional<SumUpdate> extremum(const ExprPtr& cond, const ExprPtr& place, const ExprPtr& value,
                                  bool whenTrue) {
  const auto* test = as<Binary>(cond);
  if (!test || !isComparison(test->op) || test->op == BinaryOp::Eq || test->op == BinaryOp::Ne)
    return std::nullopt;
  const ExprPtr left = withoutExactCasts(test->lhs), right = withoutExactCasts(test->rhs),
                given = withoutExactCasts(value);
  const bool placeLeft = equal(left, place) && equal(right, given);
  const bool placeRight = equal(right, place) && equal(left, given);
  if (placeLeft == placeRight) return std::nullopt;
  const bool less = test->op == BinaryOp::Lt || test->op == BinaryOp::Le;
  // place < value: the value is taken where the place is less, so the greatest stays.
  const bool takesGreater = (placeLeft == less) == whenTrue;
  SumUpdate update{takesGreater ? Combine::Max : Combine::Min};
  update.value = given;
  return update;
}

std::optional<SumUpdate> byOperator(const ExprPtr& place, const ExprPtr& value, const Variable* var) {
  const auto* b = as<Binary>(value);
  const auto how = combineOf(b->op);
  if (!how || !staysSum(place->type, value->type)) return std::nullopt;
  const bool left = equal(withoutSumCasts(b->lhs, place->type), place),
             right = equal(withoutSumCasts(b->rhs, place->type), place);
  if (left == right || (right && b->op == BinaryOp::Sub)) return std::nullopt;
  const ExprPtr& other = left ? b->rhs : b->lhs;
  if (mentions(other, var) || !staysTruth(place->type, b->op, other)) return std::nullopt;
  SumUpdate update{*how, nullptr, 2};
  update.value = other;
  if (left && (b->op == BinaryOp::LogicalAnd || b->op == BinaryOp::LogicalOr)) update.whereOpen = other;
  return update;
}

std::optional<SumUpdate> byCall(const ExprPtr& place, const ExprPtr& value, const Variable* var) {
  const auto* call = as<Call>(value);
  if (!call->intrinsic) return std::nullopt;
  const std::string_view id = call->intrinsic->id;
  if (id == "fma" && call->args.size() == 3 && equal(call->args[2], place) && !mentions(call->args[0], var) &&
      !mentions(call->args[1], var))
    return SumUpdate{Combine::Add, nullptr, 2};
  const bool isMin = id == "min" || id == "fmin" || id == "fmin_common",
             isMax = id == "max" || id == "fmax" || id == "fmax_common";
  if ((!isMin && !isMax) || call->args.size() != 2) return std::nullopt;
  const ExprPtr first = withoutExactCasts(call->args[0]), second = withoutExactCasts(call->args[1]);
  const bool left = equal(first, place), right = equal(second, place);
  const ExprPtr& other = left ? second : first;
  if (left == right || mentions(other, var) || !holdsAll(*place->type, *other->type)) return std::nullopt;
  return SumUpdate{isMin ? Combine::Min : Combine::Max, call->intrinsic, 2, {}, other};
}

std::optional<SumUpdate> byChoice(const ExprPtr& place, const ExprPtr& value, const Variable* var) {
  const auto* s = as<Select>(value);
  const bool yes = equal(withoutExactCasts(s->yes), place), no = equal(withoutExactCasts(s->no), place);
  if (yes == no) return std::nullopt;
  const ExprPtr& other = yes ? s->no : s->yes;
  if (mentions(other, var) || !holdsAll(*place->type, *withoutExactCasts(other)->type)) return std::nullopt;
  auto update = extremum(s->cond, place, other, no);
  if (update) update->mentions = 3;
  return update;
}

// Whether a value is the counter, moved by what has the same value in each iteration and cannot wrap around.
bool isMovedCounter(const ExprPtr& value, const Variable* counter, const std::set<const Variable*>& changed) {
  const ExprPtr e = withoutExactCasts(value);
  if (const auto* var = as<VarRef>(e)) return var->var.get() == counter;
  const auto* b = as<Binary>(e);
  if (!b || (b->op != BinaryOp::Add && b->op != BinaryOp::Sub) || !e->type->isInteger() || !e->type->isSigned)
    return false;
  const auto stays = [&](const ExprPtr& part) {
    bool is = part->type->isSigned || constantValue(part);
    walkExprs(part, [&](const Expr& one) {
      const auto* var = one.as<VarRef>();
      is &= one.is<IntLiteral>() || one.is<Binary>() || one.is<Cast>() || one.is<Coord>() ||
            (var && var->var.get() != counter && !changed.contains(var->var.get()));
    });
    return is;
  };
  if (stays(b->rhs)) return isMovedCounter(b->lhs, counter, changed);
  return b->op == BinaryOp::Add && stays(b->lhs) && isMovedCounter(b->rhs, counter, changed);
}

}  // namespace

std::optional<PlacedUpdate> placedUpdateBy(const If& node, const Variable* counter, const StmtPtr& body) {
  const auto* then = as<Block>(node.then);
  if (!then || then->stmts.size() != 2 || node.otherwise) return std::nullopt;
  const auto *first = as<Assign>(then->stmts[0]), *second = as<Assign>(then->stmts[1]);
  const auto* test = as<Binary>(node.cond);
  // Where equal values are taken too, what was there before the loop might be one of them.
  if (!first || !second || !test || (test->op != BinaryOp::Lt && test->op != BinaryOp::Gt))
    return std::nullopt;
  const auto changed = assignedVariables(body);
  for (const auto& [best, at] : {std::pair(first, second), std::pair(second, first)}) {
    const auto *var = as<VarRef>(best->place), *where = as<VarRef>(at->place);
    if (!var || !where || best->op || at->op || var->var == where->var) continue;
    const TypePtr &type = where->var->type, &given = withoutExactCasts(at->value)->type;
    const bool isOwn = var->var->storage != Storage::Global && where->var->storage != Storage::Global &&
                       var->var->space == Space::Private && where->var->space == Space::Private;
    if (!isOwn || !type->isInteger() || !holdsAll(*type, *given) || mentions(best->value, var->var.get()) ||
        mentions(best->value, where->var.get()) || !isMovedCounter(at->value, counter, changed))
      continue;
    const auto update = extremum(node.cond, best->place, best->value, true);
    if (update && countMentions(body, var->var.get()) == 2 && countMentions(body, where->var.get()) == 1)
      return PlacedUpdate{update->how, var->var, where->var};
  }
  return std::nullopt;
}

ExprPtr withoutExactCasts(ExprPtr e) {
  for (const auto* cast = as<Cast>(e); cast && holdsAll(*e->type, *cast->operand->type); cast = as<Cast>(e))
    e = cast->operand;
  return e;
}

ExprPtr withoutSumCasts(ExprPtr e, const TypePtr& ofPlace) {
  for (const auto* cast = as<Cast>(e);
       cast && staysSum(ofPlace, e->type) && staysSum(ofPlace, cast->operand->type); cast = as<Cast>(e))
    e = cast->operand;
  return e;
}

ExprPtr beforePlace(const ExprPtr& value, const TypePtr& ofPlace) {
  const ExprPtr e = withoutExactCasts(value);
  const auto* cast = as<Cast>(e);
  return cast && sameType(e->type, ofPlace) ? withoutExactCasts(cast->operand) : e;
}

std::optional<SumUpdate> updateBy(const Assign& node, const Variable* var) {
  const TypePtr& type = node.place->type;
  if (node.op) {
    const auto how = combineOf(*node.op);
    if (!how || mentions(node.value, var) || !staysSum(type, node.value->type) ||
        !staysTruth(type, *node.op, node.value))
      return std::nullopt;
    return SumUpdate{*how, nullptr, 1, {}, node.value};
  }
  if (const ExprPtr sum = withoutSumCasts(node.value, type); as<Binary>(sum))
    return byOperator(node.place, sum, var);
  const ExprPtr value = beforePlace(node.value, type);
  if (as<Call>(value)) return byCall(node.place, value, var);
  if (as<Select>(value)) return byChoice(node.place, value, var);
  return std::nullopt;
}

std::optional<SumUpdate> updateBy(const If& node, const Variable* var) {
  const auto* then = as<Block>(node.then);
  if (!then || then->stmts.size() != 1 || node.otherwise) return std::nullopt;
  const auto* a = as<Assign>(then->stmts.front());
  if (!a || a->op || rootVariable(a->place).get() != var || mentions(a->value, var)) return std::nullopt;
  auto update = extremum(node.cond, a->place, a->value, true);
  if (update) update->mentions = 2;
  return update;
}

}  // namespace hone::passes
