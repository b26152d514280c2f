#include "passes/shared/NoOpIterations.h"

#include <cmath>

#include "ir/Build.h"
#include "ir/Compare.h"

namespace hone::passes {

using namespace ir;

namespace {

class NoOpIterations {
 public:
  NoOpIterations(const StmtPtr& body, const std::function<bool(const ExprPtr&)>& isZeroLoad)
      : isZeroPlace(isZeroLoad), declared(declaredVariables(body)) {
    walkStmts(body, [&](const Stmt& s) {
      const auto* loop = s.as<For>();
      const auto count = loop ? counted(*loop) : std::nullopt;
      if (count && count->declares && constantValue(count->begin) && constantValue(count->end))
        counters.insert(count->var.get());
    });
  }

  bool run(const StmtPtr& body) { return isNeutral(body); }

 private:
  const std::function<bool(const ExprPtr&)>& isZeroPlace;
  const std::set<const Variable*> declared;  // in the body
  std::set<const Variable*> counters;        // of loops in it from a number to a number
  std::set<const Variable*> zeros;           // of what is declared, which holds 0 from where it is set on

  // The thread's own variable that a place lies in, at the same elements in every iteration: those of an
  // iteration beyond the end may not be there.
  const Variable* ownVariable(const ExprPtr& place) const {
    const VarPtr root = rootVariable(place);
    if (!root || root->storage != Storage::Local || root->space != Space::Private || root->isReference ||
        root->type->isPointer())
      return nullptr;
    bool isSame = true;
    walkExprs(place, [&](const Expr& e) {
      const auto* r = e.as<VarRef>();
      isSame = isSame && !e.is<Coord>() && (!r || r->var == root || counters.contains(r->var.get()));
    });
    return isSame ? root.get() : nullptr;
  }

  // Finite, and the same in every iteration or not: no memory is read.
  static bool isNumber(const ExprPtr& e) {
    const ExprPtr bare = withoutCasts(e);
    if (const auto* number = as<FloatLiteral>(bare)) return std::isfinite(number->value);
    return as<IntLiteral>(bare) != nullptr;
  }

  bool isZero(const ExprPtr& e) const {
    if (isZeroPlace(e)) return true;
    if (const auto* number = as<FloatLiteral>(e)) return number->value == 0;
    if (e->type->isInteger() && constantValue(e) == 0) return true;
    if (as<VarRef>(e) || as<Subscript>(e)) {
      const Variable* var = ownVariable(e);
      return var && zeros.contains(var);
    }
    if (const auto* cast = as<Cast>(e)) return isZero(cast->operand);
    if (const auto* minus = as<Unary>(e)) return minus->op == UnaryOp::Neg && isZero(minus->operand);
    if (const auto* choice = as<Select>(e)) return isZero(choice->yes) && isZero(choice->no);
    const auto* b = as<Binary>(e);
    if (!b) return false;
    if (b->op == BinaryOp::Add || b->op == BinaryOp::Sub) return isZero(b->lhs) && isZero(b->rhs);
    return b->op == BinaryOp::Mul &&
           ((isZero(b->lhs) && (isZero(b->rhs) || isNumber(b->rhs))) || (isNumber(b->lhs) && isZero(b->rhs)));
  }

  // Integers made of coordinates, counters and parameters, as subscripts are.
  static bool isIndex(const ExprPtr& e) {
    if (!e->type->isInteger() || !accesses(e).empty()) return false;
    bool isPlain = true;
    walkExprs(e, [&](const Expr& part) {
      const auto* b = part.as<Binary>();
      const bool divides = b && (b->op == BinaryOp::Div || b->op == BinaryOp::Rem);
      isPlain = isPlain && !part.is<Call>() && (!divides || constantValue(b->rhs).value_or(0) > 0);
    });
    return isPlain;
  }

  bool isNeutral(const StmtPtr& s) {
    if (s->is<Comment>()) return true;
    if (const auto* list = as<Block>(s)) {
      for (const StmtPtr& one : list->stmts)
        if (!isNeutral(one)) return false;
      return true;
    }
    if (const auto* d = as<Declare>(s)) {
      if (d->var->space != Space::Private || d->var->isReference) return false;
      if (!d->init) return true;
      if (isZero(d->init)) return zeros.insert(d->var.get()).second;
      return isIndex(d->init);
    }
    if (const auto* loop = as<For>(s)) {
      for (const StmtPtr& one : loop->init)
        if (const auto* d = as<Declare>(one); !d || !isIndex(d->init)) return false;
      return counted(*loop).has_value() && isIndex(loop->cond) && isNeutral(loop->body);
    }
    const auto* a = as<Assign>(s);
    const Variable* var = a ? ownVariable(a->place) : nullptr;
    if (!var) return false;
    if (a->op) return (*a->op == BinaryOp::Add || *a->op == BinaryOp::Sub) && isZero(a->value);
    if (declared.contains(var)) return isZero(a->value) && (zeros.insert(var), true);
    // sum = sum + 0
    const auto* sum = as<Binary>(a->value);
    return sum && (sum->op == BinaryOp::Add || sum->op == BinaryOp::Sub) &&
           ((equal(sum->lhs, a->place) && isZero(sum->rhs)) ||
            (sum->op == BinaryOp::Add && equal(sum->rhs, a->place) && isZero(sum->lhs)));
  }
};

}  // namespace

bool addsNothing(const StmtPtr& body, const std::function<bool(const ExprPtr&)>& isZero) {
  return NoOpIterations(body, isZero).run(body);
}

}  // namespace hone::passes
