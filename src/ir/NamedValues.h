// constexpr variables met on a walk through statements, with their values; private to comparing and hashing.
#pragma once

#include <map>

#include "ir/Walk.h"

namespace hone::ir {

class NamedValues : private Rewriter {
 public:
  // True when the statement only names a value, which is then known.
  bool note(const Stmt& s) {
    const auto* d = s.as<Declare>();
    if (!d || !d->init || !d->var->isConstexpr) return false;
    ExprPtr value = namedValue(s);
    // The initializer may use constants named before.
    if (!value && !values.empty()) value = namedValue(*makeStmt(Declare{d->var, rewrite(d->init)}, s.loc));
    if (value) values[d->var.get()] = value;
    return value != nullptr;
  }
  // The value that e names, else e.
  ExprPtr of(const ExprPtr& e) const {
    const auto* v = as<VarRef>(e);
    auto value = v ? values.find(v->var.get()) : values.end();
    return value != values.end() ? value->second : e;
  }

 private:
  ExprPtr mapExpr(const ExprPtr& e) override { return of(e); }

  std::map<const Variable*, ExprPtr> values;
};

}  // namespace hone::ir
