// What calls do besides giving a value, be they of the platform's functions or of the user's.
#pragma once

#include "ir/Kernel.h"
#include "ir/Walk.h"
#include "ir/intrinsics/Intrinsics.h"

namespace hone::ir {

inline bool isPure(const Call& call) {
  return call.function ? call.function->isPure() : call.intrinsic->isPure();
}
inline bool writesMemory(const Call& call) {
  return call.function ? call.function->writesMemory : call.intrinsic->writesMemory();
}
inline bool synchronizes(const Call& call) {
  return call.function ? call.function->synchronizes : call.intrinsic->synchronizes();
}

// Whether accesses of a place are volatile: by its variable, or by the pointer that it is reached through.
inline bool isVolatile(const Expr& place) {
  if (const auto* var = place.as<VarRef>()) return var->var->isVolatile;
  if (const auto* element = place.as<Subscript>()) {
    const Type& base = *element->base->type;
    return base.isPointer() ? base.isVolatile : isVolatile(*element->base);
  }
  if (const auto* field = place.as<Member>()) return isVolatile(*field->base);
  if (const auto* lanes = place.as<Swizzle>()) return isVolatile(*lanes->base);
  return false;
}
// Whether a load must be made as often as it is written, where it is written.
inline bool isVolatileLoad(const Call& call) {
  return call.intrinsic && call.intrinsic->cls == IntrinsicClass::Load &&
         call.intrinsic->traits.hint == CacheHint::Volatile;
}

// Whether a statement prints, or takes the value of printf; not what the functions that it calls do.
inline bool prints(const Stmt& s) {
  bool found = s.is<Printf>();
  forEachExpr(s, [&](const ExprPtr& e) {
    walkExprs(e, [&](const Expr& x) {
      const auto* call = x.as<Call>();
      found = found || (call && call->intrinsic && call->intrinsic->id == "printf");
    });
  });
  return found;
}

// Whether all calls in an expression are, and no access in it is volatile.
inline bool isPure(const ExprPtr& e) {
  bool all = true;
  walkExprs(e, [&](const Expr& x) {
    const auto* call = x.as<Call>();
    all = all && (call ? isPure(*call) && !isVolatileLoad(*call) : !isVolatile(x));
  });
  return all;
}

}  // namespace hone::ir
