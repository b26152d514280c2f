#include "acc/LoopCount.h"

#include "ir/Build.h"
#include "ir/Walk.h"

namespace hone::acc {

using namespace ir;

namespace {

constexpr int64_t mostPlainNumber = 1024;

// The variable that the step list changes and by how much; the amount may be negative.
struct StepOf {
  VarPtr var;
  ExprPtr amount;
  bool subtracts = false;
};

const Variable* variableBehindCasts(const ExprPtr& e) {
  const auto* var = as<VarRef>(withoutCasts(e));
  return var ? var->var.get() : nullptr;
}

std::optional<StepOf> stepOf(const Stmt& s) {
  const auto* assignment = s.as<Assign>();
  const auto* place = assignment ? as<VarRef>(assignment->place) : nullptr;
  if (!place) return std::nullopt;
  const VarPtr& var = place->var;
  if (assignment->op) {
    if (*assignment->op != BinaryOp::Add && *assignment->op != BinaryOp::Sub) return std::nullopt;
    return StepOf{var, assignment->value, *assignment->op == BinaryOp::Sub};
  }
  const ExprPtr value = withoutCasts(assignment->value);
  if (const auto* address = as<AddressOf>(value)) {  // p = &p[n]
    const auto* element = as<Subscript>(address->place);
    if (!element || element->indices.size() != 1 || variableBehindCasts(element->base) != var.get())
      return std::nullopt;
    return StepOf{var, element->indices[0], false};
  }
  const auto* sum = as<Binary>(value);
  if (!sum || (sum->op != BinaryOp::Add && sum->op != BinaryOp::Sub)) return std::nullopt;
  if (variableBehindCasts(sum->lhs) == var.get()) return StepOf{var, sum->rhs, sum->op == BinaryOp::Sub};
  if (sum->op == BinaryOp::Add && variableBehindCasts(sum->rhs) == var.get())
    return StepOf{var, sum->lhs, false};
  return std::nullopt;
}

BinaryOp turnedRound(BinaryOp op) {
  switch (op) {
    case BinaryOp::Lt: return BinaryOp::Gt;
    case BinaryOp::Le: return BinaryOp::Ge;
    case BinaryOp::Gt: return BinaryOp::Lt;
    case BinaryOp::Ge: return BinaryOp::Le;
    default: return op;
  }
}

ExprPtr wide(const ExprPtr& e, const TypePtr& type = int64()) {
  if (auto value = constantValue(e); value && e->type->isInteger()) return intLit(*value, type, e->loc);
  return convert(e, type);
}

bool isOne(const ExprPtr& e) { return constantValue(e) == std::optional<int64_t>(1); }
bool isZero(const ExprPtr& e) {
  return e->type->isInteger() && constantValue(e) == std::optional<int64_t>(0);
}
bool includesEnd(BinaryOp op) { return op == BinaryOp::Le || op == BinaryOp::Ge; }

// How often a distance holds the step, from a signed distance that no type cuts off.
ExprPtr timesInDistance(const LoopCount& count, const ExprPtr& distance) {
  const ExprPtr step = wide(count.step), one = intLit(1, int64());
  if (count.compare == BinaryOp::Ne) return over(distance, step);
  if (isOne(count.step)) return includesEnd(count.compare) ? plus(distance, one) : distance;
  return over(plus(distance, includesEnd(count.compare) ? step : minus(step, one)), step);
}

bool isWideComparison(const LoopCount& count) {
  return count.end->type->is(TypeKind::Int) && count.end->type->bits > 32;
}

}  // namespace

bool LoopCount::isPlain() const {
  if (type()->isPointer() || !type()->is(TypeKind::Int) || type()->bits < 32 || !sameType(type(), end->type))
    return false;
  const auto first = constantValue(begin), by = constantValue(step);
  return rises && first && by && *first >= 0 && *first <= mostPlainNumber && *by <= mostPlainNumber &&
         (compare == BinaryOp::Lt || compare == BinaryOp::Le);
}

bool LoopCount::isWide() const { return isPlain() && type()->bits == 64; }

std::optional<LoopCount> loopCount(const For& loop, std::string* why) {
  auto no = [&](const char* reason) -> std::optional<LoopCount> {
    if (why) *why = reason;
    return std::nullopt;
  };
  if (!loop.cond) return no("the loop has no condition");
  if (loop.step.size() != 1) return no("the loop does not change one counter at the end of an iteration");
  const auto step = stepOf(*loop.step.front());
  if (!step) return no("the loop does not add to its counter at the end of an iteration");
  const auto* compare = as<Binary>(loop.cond);
  if (!compare || !isComparison(compare->op) || compare->op == BinaryOp::Eq)
    return no("the loop's condition does not compare its counter");
  LoopCount count;
  count.var = step->var;
  if (variableBehindCasts(compare->lhs) == step->var.get() && !mentions(compare->rhs, step->var.get())) {
    count.end = compare->rhs;
    count.compare = compare->op;
  } else if (variableBehindCasts(compare->rhs) == step->var.get() &&
             !mentions(compare->lhs, step->var.get())) {
    count.end = compare->lhs;
    count.compare = turnedRound(compare->op);
  } else {
    return no("the loop's condition does not compare its counter with one bound");
  }
  if (!count.type()->isPointer() && !count.type()->is(TypeKind::Int))
    return no("the loop's counter is no integer");
  if (mentions(step->amount, step->var.get())) return no("the loop's step hangs on its counter");

  const auto amount = constantValue(step->amount);
  if (amount && *amount == 0) return no("the loop's counter does not move");
  if (amount) {
    const bool isNegative = *amount < 0 && step->amount->type->isSigned;
    count.rises = isNegative == step->subtracts;
    count.step = intLit(isNegative ? -*amount : *amount, int64());
  } else {
    count.rises = count.compare == BinaryOp::Lt || count.compare == BinaryOp::Le ||
                  (count.compare == BinaryOp::Ne && !step->subtracts);
    const bool turned = count.rises == step->subtracts;
    ExprPtr distance = wide(step->amount);
    count.step = turned ? unary(UnaryOp::Neg, distance) : distance;
  }
  const bool upward = count.compare == BinaryOp::Lt || count.compare == BinaryOp::Le;
  if (count.compare != BinaryOp::Ne && upward != count.rises)
    return no("the loop's counter moves away from its bound");

  for (const StmtPtr& s : loop.init) {
    if (const auto* declaration = as<Declare>(s)) {
      if (declaration->var != count.var || !declaration->init)
        return no("the loop begins with more than its counter");
      count.declares = true;
      count.begin = declaration->init;
    } else {
      const auto* assignment = as<Assign>(s);
      const auto* place = assignment ? as<VarRef>(assignment->place) : nullptr;
      if (!place || place->var != count.var || assignment->op)
        return no("the loop begins with more than its counter");
      count.begin = assignment->value;
    }
  }
  if (!count.begin) count.begin = ref(count.var);
  return count;
}

ExprPtr tripsOf(const LoopCount& count) {
  if (count.type()->isPointer()) {
    const ExprPtr &low = count.rises ? count.begin : count.end, &high = count.rises ? count.end : count.begin;
    return timesInDistance(count, makeExpr(int64(), Binary{BinaryOp::PtrDiff, high, low}));
  }
  const TypePtr& compared = count.end->type;
  if (!isWideComparison(count)) {
    const ExprPtr begin = wide(convert(count.begin, compared)), end = wide(count.end);
    ExprPtr distance = count.rises ? minus(end, begin) : minus(begin, end);
    // Unsigned counters reach what they are compared with for inequality by wrapping.
    if (count.compare == BinaryOp::Ne && !count.type()->isSigned)
      distance = convert(convert(distance, intType(count.type()->bits, false), true), int64());
    return timesInDistance(count, distance);
  }
  const ExprPtr begin = wide(count.begin, compared);
  if (compared->isSigned && count.rises && isZero(begin) && count.compare != BinaryOp::Ne &&
      isOne(count.step))
    return timesInDistance(count, count.end);
  const ExprPtr &low = count.rises ? begin : count.end, &high = count.rises ? count.end : begin;
  const ExprPtr distance = minus(wide(high, uint64()), wide(low, uint64())),
                step = wide(count.step, uint64()), one = intLit(1, uint64());
  if (count.compare == BinaryOp::Ne) return over(distance, step);
  const bool withEnd = includesEnd(count.compare);
  ExprPtr some = isOne(count.step) ? (withEnd ? plus(distance, one) : distance)
                                   : plus(over(withEnd ? distance : minus(distance, one), step), one);
  return makeExpr(uint64(), Select{binary(withEnd ? BinaryOp::Le : BinaryOp::Lt, low, high), std::move(some),
                                   intLit(0, uint64())});
}

ExprPtr counterIn(const LoopCount& count, const ExprPtr& begin, const ExprPtr& number) {
  const TypePtr& type = count.type();
  if (type->isPointer()) {
    ExprPtr distance = times(convert(number, int64()), wide(count.step));
    if (!count.rises) distance = unary(UnaryOp::Neg, distance);
    return addressOf(subscript(begin, {distance}), type->space);
  }
  const TypePtr& in = number->type;
  const ExprPtr distance = times(number, wide(count.step, in)), first = wide(begin, in);
  return convert(count.rises ? plus(first, distance) : minus(first, distance), type);
}

}  // namespace hone::acc
