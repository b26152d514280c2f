// Which memory a statement touches, in evaluation order.
#include <utility>

#include "ir/Walk.h"
#include "ir/intrinsics/Intrinsics.h"

namespace hone::ir {

namespace {

class AccessCollector {
 public:
  std::vector<Access> found;

  // An expression whose value is used.
  void value(const ExprPtr& e) {
    if (!e) return;
    if (isPlaceNode(*e)) return place(e, AccessMode::Read);
    if (const auto* address = e->as<AddressOf>()) return place(address->place, AccessMode::Address);
    if (const auto* call = e->as<Call>(); call && call->intrinsic) return intrinsicCall(*call);
    if (const auto* choice = e->as<Select>(); choice && choice->cond->type->is(TypeKind::Bool)) {
      value(choice->cond);
      under(choice->cond, choice->yes);
      return under(unary(UnaryOp::Not, choice->cond, choice->cond->loc), choice->no);
    }
    if (const auto* node = e->as<Binary>();
        node && (node->op == BinaryOp::LogicalAnd || node->op == BinaryOp::LogicalOr)) {
      value(node->lhs);
      return under(
          node->op == BinaryOp::LogicalAnd ? node->lhs : unary(UnaryOp::Not, node->lhs, node->lhs->loc),
          node->rhs);
    }
    forEachChild(*e, [this](const ExprPtr& child) { value(child); });
  }

  void place(const ExprPtr& e, AccessMode mode, bool atomic = false) { descend(e, e, mode, atomic, false); }

 private:
  static bool isPlaceNode(const Expr& e) {
    return e.is<VarRef>() || e.is<Subscript>() || e.is<Member>() || e.is<Swizzle>();
  }

  // A value computed only where `cond` holds.
  void under(ExprPtr cond, const ExprPtr& e) {
    conditions.push_back(std::move(cond));
    value(e);
    conditions.pop_back();
  }

  static bool isMemory(const Variable& var) {
    return var.storage == Storage::Global || var.space == Space::Shared || var.space == Space::Constant ||
           var.space == Space::Global;
  }

  // Goes down a place to the subscript or variable that names its memory. `reported`: an element further out
  // already stands for this access.
  void descend(const ExprPtr& e, const ExprPtr& whole, AccessMode mode, bool atomic, bool reported) {
    if (const auto* var = e->as<VarRef>()) {
      if (!reported && isMemory(*var->var) && !var->var->type->is(TypeKind::Array))
        found.push_back({e, whole, mode, atomic, conditions, through});
    } else if (const auto* element = e->as<Subscript>()) {
      const Call* by = std::exchange(through, nullptr);  // what leads to the element is loaded by itself
      if (element->base->type->isPointer()) {
        pointer(element->base);
      } else if (element->base->type->is(TypeKind::Array) && isPlaceNode(*element->base)) {
        descend(element->base, whole, mode, atomic, true);
      } else {
        value(element->base);
      }
      for (const ExprPtr& index : element->indices) value(index);
      if (!reported) found.push_back({e, whole, mode, atomic, conditions, by});
    } else if (const auto* field = e->as<Member>()) {
      descend(field->base, whole, mode, atomic, reported);
    } else if (const auto* lanes = e->as<Swizzle>()) {
      descend(lanes->base, whole, mode, atomic, reported);
    } else {
      value(e);
    }
  }

  // A pointer under a subscript: taking an address on the way there is no access of its own.
  void pointer(const ExprPtr& e) {
    if (const auto* cast = e->as<Cast>(); cast && cast->operand->type->isPointer())
      return pointer(cast->operand);
    if (const auto* address = e->as<AddressOf>())
      return descend(address->place, e, AccessMode::Address, false, true);
    value(e);
  }

  void intrinsicCall(const Call& call) {
    AccessMode mode = AccessMode::Address;
    switch (call.intrinsic->cls) {
      case IntrinsicClass::Load: mode = AccessMode::Read; break;
      case IntrinsicClass::Store: mode = AccessMode::Write; break;
      case IntrinsicClass::Atomic: mode = AccessMode::ReadWrite; break;
      default:
        if (call.intrinsic->writesArguments) mode = AccessMode::Write;
        break;
    }
    bool atomic = call.intrinsic->cls == IntrinsicClass::Atomic;
    for (const ExprPtr& arg : call.args) {
      if (mode == AccessMode::Address || !arg->type->isPointer()) {
        value(arg);
        continue;
      }
      through = &call;
      place(deref(arg, arg->loc), mode, atomic);
      through = nullptr;
      atomic =
          false;  // a further pointer (the expected value of a compare-exchange) is read and written plainly
      if (mode == AccessMode::Write && call.intrinsic->cls == IntrinsicClass::Store)
        mode = AccessMode::Read;  // what a copy copies
    }
  }

  std::vector<ExprPtr> conditions;
  const Call* through = nullptr;
};

}  // namespace

std::vector<Access> accesses(const Stmt& s) {
  AccessCollector collector;
  if (const auto* assignment = s.as<Assign>()) {
    // The value is computed before the place is written.
    collector.value(assignment->value);
    collector.place(assignment->place, assignment->op ? AccessMode::ReadWrite : AccessMode::Write);
  } else {
    forEachExpr(s, [&](const ExprPtr& e) { collector.value(e); });
  }
  return std::move(collector.found);
}

std::vector<Access> accesses(const ExprPtr& value) {
  AccessCollector collector;
  collector.value(value);
  return std::move(collector.found);
}

std::vector<Access> accesses(const ExprPtr& place, AccessMode mode) {
  AccessCollector collector;
  collector.place(place, mode);
  return std::move(collector.found);
}

}  // namespace hone::ir
