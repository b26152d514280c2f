#include <set>

#include "ir/InlineCalls.h"
#include "ir/Walk.h"
#include "ir/intrinsics/Intrinsics.h"

namespace hone::ir {

namespace {

bool touches(const Function& f, std::set<const Function*>& seen) {
  if (f.usesCoords || f.synchronizes) return true;
  if (!f.body) return f.readsMemory || f.writesMemory;
  bool found = false;
  walkStmts(f.body, [&](const Stmt& s) { found = found || s.is<Barrier>() || s.is<Fence>(); });
  walkExprs(f.body, [&](const Expr& e) {
    if (found) return;
    if (e.is<Coord>()) {
      found = true;
    } else if (const auto* element = e.as<Subscript>()) {
      // What the caller's own variables hold is no memory, also behind a reference or `this`.
      found = element->base->type->isPointer() && element->base->type->space != Space::Private;
    } else if (const auto* var = e.as<VarRef>()) {
      found = var->var->space != Space::Private && var->var->space != Space::Constant;
    } else if (const auto* call = e.as<Call>()) {
      found = call->function ? seen.insert(call->function.get()).second && touches(*call->function, seen)
                             : call->intrinsic->cls > IntrinsicClass::Convert;
    }
  });
  return found;
}

}  // namespace

bool touchesMachine(const Function& function) {
  std::set<const Function*> seen{&function};
  return touches(function, seen);
}

bool concernsAddresses(const Function& function) {
  return function.body && (touchesMachine(function) || !function.returnType->isFloating());
}

}  // namespace hone::ir
