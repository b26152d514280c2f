// Recognizes loops that count.
//
//   1. The condition compares an integer variable with a bound (or tests it against zero).
//   2. One statement of the step list changes the variable by a step, in the direction that ends the loop.
//   3. Nothing else in the loop changes the variable, and nothing changes the bound or the step.
#include <algorithm>

#include "ir/CallEffects.h"
#include "ir/Walk.h"
#include "ir/intrinsics/Intrinsics.h"

namespace hone::ir {

namespace {

// The variable behind conversions between integer types; null when it is another expression.
VarPtr integerVariable(ExprPtr e) {
  while (const auto* cast = as<Cast>(e)) {
    if (!e->type->is(TypeKind::Int)) return nullptr;
    e = cast->operand;
  }
  const auto* var = as<VarRef>(e);
  return var && e->type->is(TypeKind::Int) ? var->var : nullptr;
}

BinaryOp mirrored(BinaryOp op) {
  switch (op) {
    case BinaryOp::Lt: return BinaryOp::Gt;
    case BinaryOp::Le: return BinaryOp::Ge;
    case BinaryOp::Gt: return BinaryOp::Lt;
    case BinaryOp::Ge: return BinaryOp::Le;
    default: return op;
  }
}

// What the statements of a loop may change besides the variables they name.
struct Effects {
  bool writesMemory = false;     // through pointers or into arrays, or by a call
  bool letsOthersWrite = false;  // a barrier: other threads' stores become visible
  std::vector<TypePtr>
      behindPointers;  // types stored through pointers that may point to the thread's own variables
};

// What a callee could store through a value of this type.
void addReachable(Effects& effects, const Type& type) {
  if (type.isPointer() && (type.space == Space::Generic || type.space == Space::Private)) {
    effects.behindPointers.push_back(type.element);
  } else if (type.is(TypeKind::Struct)) {
    for (const Field& field : type.record->fields) addReachable(effects, *field.type);
  }
}

void addCall(Effects& effects, const Call& call) {
  const bool writes = ir::writesMemory(call);
  effects.writesMemory |= writes;
  effects.letsOthersWrite |= synchronizes(call);
  if (!writes) return;
  for (const ExprPtr& arg : call.args) addReachable(effects, *arg->type);
}

Effects effectsOf(const StmtPtr& s) {
  Effects effects;
  walkStmts(s, [&](const Stmt& stmt) {
    effects.letsOthersWrite |= stmt.is<Barrier>();
    const auto* assignment = stmt.as<Assign>();
    if (!assignment) return;
    for (const Access& access : accesses(stmt)) {
      if (access.mode != AccessMode::Write && access.mode != AccessMode::ReadWrite) continue;
      effects.writesMemory = true;
      const auto* element = as<Subscript>(access.place);
      if (!element || !element->base->type->isPointer()) continue;
      Space space = element->base->type->space;
      if (space == Space::Generic || space == Space::Private)
        effects.behindPointers.push_back(access.place->type);
    }
  });
  walkExprs(s, [&](const Expr& e) {
    if (const auto* call = e.as<Call>()) addCall(effects, *call);
  });
  return effects;
}

class CountedFinder {
 public:
  CountedFinder(const For& theLoop, const std::set<const Variable*>* taken)
      : loop(theLoop), takenInKernel(taken) {}

  std::optional<Counted> find() {
    if (!loop.cond || !matchCondition()) return std::nullopt;
    Counted& c = result;
    if (c.var->isVolatile || c.var->storage == Storage::Global || c.var->space == Space::Shared)
      return std::nullopt;
    if (!matchStep() || !endsTheLoop()) return std::nullopt;
    matchBegin();

    StmtList rest = loop.step;
    std::erase(rest, stepStmt);
    rest.push_back(loop.body);
    changes = block(std::move(rest));
    effects = effectsOf(changes);
    assigned = assignedVariables(changes);
    taken = addressTaken(changes);
    walkExprs(loop.cond, [&](const Expr& e) {  // no way to name the variable through the condition either
      if (const auto* address = e.as<AddressOf>())
        if (VarPtr root = rootVariable(address->place)) taken.insert(root.get());
    });
    if (!isStable(*c.var) || !isInvariant(c.end) || !isInvariant(c.step)) return std::nullopt;
    return result;
  }

 private:
  bool matchCondition() {
    if (const auto* node = as<Binary>(loop.cond)) {
      if (!isComparison(node->op) || node->op == BinaryOp::Eq) return false;
      for (bool swap : {false, true}) {
        const ExprPtr& left = swap ? node->rhs : node->lhs;
        const ExprPtr& right = swap ? node->lhs : node->rhs;
        VarPtr var = integerVariable(left);
        if (!var || mentions(right, var.get()) || !isChangedByStep(var)) continue;
        result.var = var;
        result.end = right;
        result.compare = swap ? mirrored(node->op) : node->op;
        return true;
      }
      return false;
    }
    const auto* cast = as<Cast>(loop.cond);  // for (…; s; …)
    if (!cast || !loop.cond->type->is(TypeKind::Bool)) return false;
    result.var = integerVariable(cast->operand);
    if (!result.var) return false;
    result.compare = BinaryOp::Ne;
    result.end = intLit(0, cast->operand->type, loop.cond->loc);
    return true;
  }

  bool isChangedByStep(const VarPtr& var) const {
    return std::any_of(loop.step.begin(), loop.step.end(), [&](const StmtPtr& s) {
      const auto* assignment = as<Assign>(s);
      const auto* place = assignment ? as<VarRef>(assignment->place) : nullptr;
      return place && place->var == var;
    });
  }

  bool matchStep() {
    for (const StmtPtr& s : loop.step) {
      const auto* assignment = as<Assign>(s);
      const auto* place = assignment ? as<VarRef>(assignment->place) : nullptr;
      if (!place || place->var != result.var) continue;
      if (stepStmt) return false;  // changed twice
      stepStmt = s;
      if (assignment->op) {
        result.op = *assignment->op;
        result.step = assignment->value;
      } else if (!matchStepValue(assignment->value)) {
        return false;
      }
    }
    if (!stepStmt || mentions(result.step, result.var.get())) return false;
    switch (result.op) {
      case BinaryOp::Add:
      case BinaryOp::Sub:
      case BinaryOp::Mul:
      case BinaryOp::Div:
      case BinaryOp::Shl:
      case BinaryOp::Shr: return result.step->type->isInteger();
      default: return false;
    }
  }

  // var = var op step, or step op var where the order does not matter.
  bool matchStepValue(ExprPtr value) {
    while (const auto* cast = as<Cast>(value)) {
      if (!value->type->is(TypeKind::Int)) return false;
      value = cast->operand;
    }
    const auto* node = as<Binary>(value);
    if (!node) return false;
    result.op = node->op;
    if (integerVariable(node->lhs) == result.var) {
      result.step = node->rhs;
      return true;
    }
    bool commutes = node->op == BinaryOp::Add || node->op == BinaryOp::Mul;
    result.step = node->lhs;
    return commutes && integerVariable(node->rhs) == result.var;
  }

  // A constant step must move towards the bound; one known only at run time is trusted to.
  bool endsTheLoop() const {
    const bool risingTest = result.compare == BinaryOp::Lt || result.compare == BinaryOp::Le;
    const bool fallingTest = result.compare == BinaryOp::Gt || result.compare == BinaryOp::Ge;
    std::optional<int64_t> step = constantValue(result.step);
    switch (result.op) {
      case BinaryOp::Add:
      case BinaryOp::Sub: {
        if (!step) return result.op != BinaryOp::Sub || !risingTest;
        if (*step == 0) return false;
        bool rises = (*step > 0) == (result.op == BinaryOp::Add);
        return rises ? !fallingTest : !risingTest;
      }
      case BinaryOp::Mul: return !fallingTest && (!step || *step > 1);
      case BinaryOp::Shl: return !fallingTest && (!step || *step > 0);
      case BinaryOp::Div: return !risingTest && (!step || *step > 1);
      default: return !risingTest && (!step || *step > 0);
    }
  }

  void matchBegin() {
    for (const StmtPtr& s : loop.init) {
      if (const auto* declaration = as<Declare>(s); declaration && declaration->var == result.var) {
        result.declares = true;
        result.begin = declaration->init;
      }
      const auto* assignment = as<Assign>(s);
      const auto* place = assignment ? as<VarRef>(assignment->place) : nullptr;
      if (!place || place->var != result.var) continue;
      result.begin = assignment->op ? binary(*assignment->op, result.begin ? result.begin : assignment->place,
                                             assignment->value, s->loc)
                                    : assignment->value;
    }
  }

  // Nothing in the loop changes the variable, by name or through a pointer.
  bool isStable(const Variable& var) const {
    if (assigned.contains(&var) || taken.contains(&var)) return false;
    if (var.storage == Storage::Global || var.space == Space::Shared)
      return !var.isVolatile && !effects.writesMemory && !effects.letsOthersWrite;
    if (var.isVolatile) return false;
    if (var.isConst || var.type->is(TypeKind::Handle)) return true;
    if (takenInKernel) return !takenInKernel->contains(&var) || effects.behindPointers.empty();
    // A pointer made before the loop may point to any variable of its type.
    return std::none_of(effects.behindPointers.begin(), effects.behindPointers.end(),
                        [&](const TypePtr& type) { return sameType(type, var.type); });
  }

  bool isInvariant(const ExprPtr& e) const {
    bool invariant = true;
    walkExprs(e, [&](const Expr& node) {
      if (const auto* var = node.as<VarRef>()) {
        invariant &= isStable(*var->var);
      } else if (const auto* element = node.as<Subscript>()) {
        const Type& base = *element->base->type;
        if (base.isPointer())
          invariant &= !base.isVolatile &&
                       (base.space == Space::Constant || (!effects.writesMemory && !effects.letsOthersWrite));
      } else if (const auto* call = node.as<Call>()) {
        invariant &= isInvariantCall(*call);
      }
    });
    return invariant;
  }

  bool isInvariantCall(const Call& call) const {
    const bool quiet = !effects.writesMemory && !effects.letsOthersWrite;
    if (call.function) return call.function->isPure() && (quiet || !call.function->readsMemory);
    switch (call.intrinsic->cls) {
      case IntrinsicClass::Math:
      case IntrinsicClass::Bits:
      case IntrinsicClass::Convert:
      case IntrinsicClass::Group: return true;
      case IntrinsicClass::Load: return quiet;
      default: return call.intrinsic->isPureQuery;
    }
  }

  const For& loop;
  const std::set<const Variable*>* takenInKernel;
  Counted result;
  StmtPtr stepStmt, changes;
  Effects effects;
  std::set<const Variable*> assigned, taken;
};

}  // namespace

std::optional<Counted> counted(const For& loop, const std::set<const Variable*>* addressTaken) {
  return CountedFinder(loop, addressTaken).find();
}

}  // namespace hone::ir
