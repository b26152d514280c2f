#include "passes/edit/KnownBeforeLoop.h"

#include <algorithm>

#include "ir/CallEffects.h"
#include "ir/StmtsOf.h"
#include "passes/edit/LoopEdit.h"

namespace hone::passes {

using namespace ir;

namespace {

// No effect, and the same value before the loop as in it.
bool isValueAlone(const Call& call) { return isPure(call) && !(call.function && call.function->readsMemory); }

}  // namespace

KnownBeforeLoop::KnownBeforeLoop(const Kernel& kernel, const For& loop, std::set<const Variable*> inner)
    : statements(stmtsOf(loop.body)), counters(std::move(inner)), unknown(addressTaken(kernel.body)) {
  counters.insert(counted(loop)->var.get());
  const auto assigned = assignedVariables(loop.body), declared = declaredVariables(loop.body);
  unknown.insert(assigned.begin(), assigned.end());
  const std::set<const Variable*> changing = unknown;
  unknown.insert(declared.begin(), declared.end());
  walkStmts(loop.body, [&](const Stmt& s) {
    const auto* d = s.as<Declare>();
    const bool isPlain = d && d->init && !changing.contains(d->var.get()) &&
                         (d->var->type->isArithmetic() || d->var->type->isPointer());
    const ExprPtr value = isPlain ? before(d->init) : nullptr;
    if (value) values.emplace_back(d->var, value);
  });
}

bool KnownBeforeLoop::isEachIteration(const affine::Access& access) const {
  if (std::find(statements.begin(), statements.end(), access.stmt) == statements.end()) return false;
  for (const ir::Access& one : accesses(*access.stmt))
    if (one.place == access.place && one.mode == AccessMode::Read) return one.conditions.empty();
  return false;
}

ExprPtr KnownBeforeLoop::before(const affine::Access& access) const {
  const auto* element = as<Subscript>(access.place);
  std::vector<ExprPtr> indices;
  for (const ExprPtr& index : element->indices) {
    indices.push_back(before(index));
    if (!indices.back()) return nullptr;
  }
  const ExprPtr base = before(element->base);
  return base ? makeExpr(access.place->type, Subscript{base, indices}, access.place->loc) : nullptr;
}

ExprPtr KnownBeforeLoop::before(const ExprPtr& e) const {
  for (const ir::Access& one : accesses(e))
    if (one.mode != AccessMode::Address) return nullptr;
  return valueBefore(e);
}

ExprPtr KnownBeforeLoop::valueBefore(const ExprPtr& e) const {
  bool isPlain = true;
  walkExprs(e, [&](const Expr& x) {
    const auto* call = x.as<Call>();
    isPlain = isPlain && (!call || isValueAlone(*call));
  });
  if (!isPlain) return nullptr;
  const ExprPtr made = substituted(e, values);
  for (const Variable* var : variablesOf(made))
    if (isUnknown(var)) return nullptr;
  return made;
}

bool KnownBeforeLoop::isUnknown(const Variable* var) const {
  return !counters.contains(var) && unknown.contains(var);
}

}  // namespace hone::passes
