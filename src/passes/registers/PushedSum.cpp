#include "passes/registers/PushedSum.h"

#include <fmt/core.h>

#include <algorithm>

#include "ir/Build.h"
#include "ir/CallEffects.h"
#include "ir/StmtsOf.h"
#include "passes/edit/KnownBeforeLoop.h"
#include "passes/edit/LoopEdit.h"

namespace hone::passes {

using namespace ir;
using affine::Poly;

namespace {

bool onlyReads(const std::vector<ir::Access>& accesses) {
  return std::all_of(accesses.begin(), accesses.end(),
                     [](const ir::Access& a) { return a.mode == AccessMode::Read && !a.atomic; });
}

// A value and nothing else.
bool onlyComputes(const ExprPtr& value) { return onlyReads(accesses(value)) && isPure(value); }
// No store to memory, no call with an effect, no way out.
bool onlyComputes(const StmtPtr& body) {
  bool isPlain = true;
  walkStmts(body, [&](const Stmt& s) {
    isPlain &=
        s.is<Block>() || s.is<Declare>() || s.is<Assign>() || s.is<If>() || s.is<For>() || s.is<Comment>();
    isPlain &= onlyReads(accesses(s));
    forEachExpr(s, [&](const ExprPtr& e) { isPlain &= isPure(e); });
  });
  return isPlain;
}

// The one variable from outside that the body of a loop changes; null: none, or several.
VarPtr onlyChanged(const StmtPtr& body) {
  const auto declared = declaredVariables(body);
  VarPtr only;
  bool isOne = true;
  walkStmts(body, [&](const Stmt& s) {
    const auto* a = s.as<Assign>();
    if (!a || declared.contains(storageOf(*a->place))) return;
    const auto* place = as<VarRef>(a->place);
    isOne &= place && (!only || only == place->var);
    if (place) only = place->var;
  });
  return isOne ? only : nullptr;
}

// What a statement gives the variable whatever it was; null: it does something else.
ExprPtr valueGiven(const StmtPtr& s, const VarPtr& var) {
  if (const auto* d = as<Declare>(s)) return d->var == var ? d->init : nullptr;
  const auto* a = as<Assign>(s);
  const auto* place = a ? as<VarRef>(a->place) : nullptr;
  return place && place->var == var && !a->op ? a->value : nullptr;
}

}  // namespace

Result<PushedSum> findPushedSum(const affine::KernelModel& model, const PushRequest& request) {
  const affine::Loop& loop = model.loops[request.loop];
  const auto& outer = *as<For>(loop.stmt);
  const Refusal noSum{fmt::format("no loop in {} sums up what all earlier iterations stored", loop.handle)};

  // 1. One loop over all earlier iterations, which every iteration comes to, reads what they stored and
  // changes one variable.
  if (request.inner.size() != 1) return noSum;
  const affine::Loop& inner = model.loops[request.inner.front()];
  const Poly earlier = Poly::atom(inner.counter), iteration = Poly::atom(loop.counter);
  const StmtList statements = stmtsOf(outer.body);
  const auto at = std::find(statements.begin(), statements.end(), inner.stmt);
  if (at == statements.end() || inner.runs->value != iteration - earlier - Poly(1)) return noSum;
  for (const auto& [access, slot] : request.reads) {
    const auto& loops = model.accesses[access].loops;
    if (slot != earlier || std::find(loops.begin(), loops.end(), request.inner.front()) == loops.end())
      return noSum;
  }
  PushedSum made;
  made.loop = inner.stmt;
  const StmtPtr& body = as<For>(inner.stmt)->body;
  made.sum = onlyComputes(body) ? onlyChanged(body) : nullptr;
  if (!made.sum || !made.sum->type->isArithmetic() || made.sum->isReference ||
      addressTaken(model.kernel->body).contains(made.sum.get()))
    return noSum;

  // 2. What the variable begins with, known before the first iteration.
  auto given = at;
  while (given != statements.begin() && !made.begin) {
    --given;
    if (const ExprPtr value = valueGiven(*given, made.sum))
      made.start = *given, made.begin = value;
    else if (mentions(*given, made.sum.get()))
      return noSum;
  }
  if (!made.begin || !onlyComputes(made.begin)) return noSum;
  const KnownBeforeLoop known(*model.kernel, outer);
  made.begin = known.valueBefore(made.begin);
  if (!made.begin)
    return Refusal{fmt::format("what {} begins with is worked out in the iterations", made.sum->name)};

  // 3. All else that it sums up is known for later iterations too.
  made.from = known.valueBefore(counted(*as<For>(inner.stmt))->begin);
  const auto own = declaredVariables(inner.stmt);
  for (const auto& value : known.known())
    if (!own.contains(value.first.get())) made.known.push_back(value);
  bool isKnown = made.from != nullptr;
  walkExprs(body, [&](const Expr& e) {
    const auto* named = e.as<VarRef>();
    if (!named || named->var == made.sum || own.contains(named->var.get())) return;
    const bool hasValue = std::any_of(made.known.begin(), made.known.end(),
                                      [&](const auto& value) { return value.first == named->var; });
    isKnown &= hasValue || !known.isUnknown(named->var.get());
  });
  if (!isKnown) return Refusal{fmt::format("what {} sums up is worked out in the iterations", inner.handle)};
  return made;
}

}  // namespace hone::passes
