#include "passes/edit/Harmless.h"

#include <algorithm>

#include "ir/CallEffects.h"

namespace hone::passes {

using namespace ir;

namespace {

// Whether an operator may trap on operands of any value; the least number divided by -1 has no result.
bool mayTrap(BinaryOp op, const TypePtr& type, const ExprPtr& rhs) {
  if (op != BinaryOp::Div && op != BinaryOp::Rem) return false;
  const bool isFloating = type->is(TypeKind::Vector) ? type->element->isFloating() : type->isFloating();
  const auto divisor = constantValue(rhs);
  return !isFloating && (!divisor || *divisor == 0 || *divisor == -1);
}

// Whether a call of the user's function ends, whatever it is handed, and does nothing but compute.
bool onlyComputes(const Function& function, std::set<const Function*>& around) {
  if (!function.isPure() || function.readsMemory || !function.body || !around.insert(&function).second)
    return false;
  bool fine = true;
  walkStmts(function.body, [&](const Stmt& s) {
    const auto* loop = s.as<For>();
    fine = fine && !s.is<While>() && !s.is<DoWhile>() && !prints(s) && !s.is<Assert>() && !s.is<Eval>() &&
           (!loop || counted(*loop));
    if (const auto* a = s.as<Assign>(); a && a->op) fine = fine && !mayTrap(*a->op, a->place->type, a->value);
  });
  walkExprs(function.body, [&](const Expr& e) {
    if (const auto* b = e.as<Binary>()) fine = fine && !mayTrap(b->op, e.type, b->rhs);
    const auto* call = e.as<Call>();
    if (call && call->function) fine = fine && onlyComputes(*call->function, around);
  });
  around.erase(&function);
  return fine;
}

class HarmFinder : public Walker {
 public:
  HarmFinder(const HarmlessRules& with, std::set<const Expr*> places)
      : rules(with), open(std::move(places)) {}
  bool found = false;

 protected:
  bool enter(const Expr& e) override {
    if (found || open.contains(&e)) return false;
    if (const auto* r = e.as<VarRef>())
      found = r->var->isVolatile || (rules.unset && rules.unset->contains(r->var.get()));
    if (const auto* b = e.as<Binary>()) found = mayTrap(b->op, e.type, b->rhs);
    if (const auto* c = e.as<Call>()) found = !isArithmetic(*c);
    return !found;
  }

 private:
  const HarmlessRules& rules;
  std::set<const Expr*> open;  // places that may be loaded from

  bool isArithmetic(const Call& call) const {
    std::set<const Function*> around;
    if (call.function) return rules.mayCall && onlyComputes(*call.function, around);
    return call.intrinsic->isPure() && call.intrinsic->cls != IntrinsicClass::Load &&
           call.intrinsic->cls != IntrinsicClass::Group;
  }
};

}  // namespace

bool isHarmless(const ExprPtr& value, const HarmlessRules& rules) {
  if (!value) return true;
  const std::vector<ir::Access> all = accesses(value);
  std::set<const Expr*> open, below;
  if (rules.mayLoad)
    for (const ir::Access& a : all)
      if (a.mode == AccessMode::Read && !a.through && rules.mayLoad(a.place)) {
        open.insert(a.place.get());
        walkExprs(a.place, [&](const Expr& e) { below.insert(&e); });
      }
  for (const ir::Access& a : all)
    if (a.mode != AccessMode::Address && (a.through || !below.contains(a.place.get()))) return false;
  HarmFinder finder(rules, std::move(open));
  finder.walk(value);
  return !finder.found;
}

bool isHarmless(const Assign& assign, const HarmlessRules& rules) {
  if (assign.op && mayTrap(*assign.op, assign.place->type, assign.value)) return false;
  const VarPtr root = rootVariable(assign.place);
  // Keeps some of what was there.
  const bool goesOn = assign.op || assign.place->is<Member>() || assign.place->is<Swizzle>();
  if (goesOn && rules.unset && root && rules.unset->contains(root.get())) return false;
  return isHarmless(assign.value, rules);
}

}  // namespace hone::passes
