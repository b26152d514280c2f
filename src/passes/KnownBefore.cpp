#include "passes/KnownBefore.h"

#include <algorithm>

#include "ir/StmtsOf.h"
#include "passes/LoopEdit.h"

namespace hone::passes {

using namespace ir;

KnownBefore::KnownBefore(const Kernel& kernel, const For& loop)
    : statements(stmtsOf(loop.body)), counter(counted(loop)->var.get()), unknown(addressTaken(kernel.body)) {
  const auto assigned = assignedVariables(loop.body), declared = declaredVariables(loop.body);
  unknown.insert(assigned.begin(), assigned.end());
  unknown.insert(declared.begin(), declared.end());
  for (const StmtPtr& s : statements) {
    const auto* d = as<Declare>(s);
    if (!d || !d->init || assigned.contains(d->var.get()) ||
        (!d->var->type->isArithmetic() && !d->var->type->isPointer()))
      continue;
    if (const ExprPtr value = before(d->init)) values.emplace_back(d->var, value);
  }
}

bool KnownBefore::isEachRound(const affine::Access& access) const {
  if (std::find(statements.begin(), statements.end(), access.stmt) == statements.end()) return false;
  for (const ir::Access& one : accesses(*access.stmt))
    if (one.place == access.place && one.mode == AccessMode::Read) return one.conditions.empty();
  return false;
}

ExprPtr KnownBefore::before(const affine::Access& access) const {
  const auto* element = as<Subscript>(access.place);
  std::vector<ExprPtr> indices;
  for (const ExprPtr& index : element->indices) {
    indices.push_back(before(index));
    if (!indices.back()) return nullptr;
  }
  const ExprPtr base = before(element->base);
  return base ? makeExpr(access.place->type, Subscript{base, indices}, access.place->loc) : nullptr;
}

ExprPtr KnownBefore::before(const ExprPtr& e) const {
  for (const ir::Access& one : accesses(e))
    if (one.mode != AccessMode::Address) return nullptr;
  return valueBefore(e);
}

ExprPtr KnownBefore::valueBefore(const ExprPtr& e) const {
  const ExprPtr made = substituted(e, values);
  for (const Variable* var : variablesOf(made))
    if (isUnknown(var)) return nullptr;
  return made;
}

bool KnownBefore::isUnknown(const Variable* var) const { return var != counter && unknown.contains(var); }

}  // namespace hone::passes
