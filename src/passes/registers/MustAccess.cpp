#include "passes/registers/MustAccess.h"

#include <algorithm>

#include "ir/Build.h"
#include "passes/edit/LoopEdit.h"

namespace hone::passes {

using namespace ir;

namespace {

bool mayLeave(const StmtPtr& s) {
  const Exits exits = isLoop(*s) ? Exits{false, false, exitsOf(bodyOf(*s)).returns} : exitsOf(s);
  return exits.breaks || exits.continues || exits.returns;
}

bool ownAccess(const std::vector<ir::Access>& made, const AccessTest& test) {
  return std::any_of(made.begin(), made.end(),
                     [&](const ir::Access& a) { return a.conditions.empty() && test(a); });
}

// What is assigned or declared on the way changes what a condition met later means.
bool isChangedBy(const ExprPtr& cond, const StmtPtr& s) {
  const auto assigned = assignedVariables(s), declared = declaredVariables(s);
  for (const Variable* var : variablesOf(cond))
    if (assigned.contains(var) || declared.contains(var)) return true;
  return false;
}

ExprPtr inList(const StmtList& stmts, const AccessTest& test, const LoopTest& runsOnce) {
  ExprPtr best;
  for (size_t i = 0; i < stmts.size(); ++i) {
    ExprPtr one = mustAccess(stmts[i], test, runsOnce);
    if (one && !isTrue(one))
      for (size_t before = 0; before < i && one; ++before)
        if (isChangedBy(one, stmts[before])) one = nullptr;
    if (one && isTrue(one)) return one;
    if (one && !best) best = one;
    if (mayLeave(stmts[i])) break;
  }
  return best;
}

}  // namespace

ExprPtr mustAccess(const StmtPtr& s, const AccessTest& test, const LoopTest& runsOnce) {
  if (const auto* node = as<Block>(s)) return inList(node->stmts, test, runsOnce);
  if (const auto* node = as<If>(s)) {
    if (ownAccess(accesses(node->cond), test)) return boolLit(true);
    if (!node->otherwise) return nullptr;
    ExprPtr yes = mustAccess(node->then, test, runsOnce), no = mustAccess(node->otherwise, test, runsOnce);
    return yes && no && isTrue(yes) && isTrue(no) ? yes : nullptr;
  }
  if (s->is<Switch>()) return nullptr;
  if (!isLoop(*s)) return ownAccess(accesses(*s), test) ? boolLit(true) : nullptr;
  if (const auto* node = as<For>(s)) {
    if (ExprPtr first = inList(node->init, test, runsOnce); first && isTrue(first)) return first;
    if (node->cond && ownAccess(accesses(node->cond), test)) return boolLit(true);
  }
  if (const auto* node = as<While>(s); node && ownAccess(accesses(node->cond), test)) return boolLit(true);
  ExprPtr runs = runsOnce && runsOnce(*s) ? boolLit(true) : firstIterationCondition(*s);
  ExprPtr inside = mustAccess(bodyOf(*s), test, runsOnce);
  if (!runs || !inside) return nullptr;
  if (!isTrue(inside) && (isChangedBy(inside, s) || !accesses(inside).empty())) return nullptr;
  return andAlso(runs, inside);
}

bool standsInText(const affine::Access& access) {
  const std::vector<ir::Access> own = accesses(*access.stmt);
  return std::any_of(own.begin(), own.end(),
                     [&](const ir::Access& a) { return !a.through && a.place == access.place; });
}

}  // namespace hone::passes
