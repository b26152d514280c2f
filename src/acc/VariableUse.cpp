#include "acc/VariableUse.h"

#include <optional>

#include "ir/Walk.h"

namespace hone::acc {

using namespace ir;

namespace {

VariableUse both(VariableUse first, VariableUse then) {
  return {first.exposed || (!first.definite && then.exposed), first.definite || then.definite};
}

VariableUse valueUse(const ExprPtr& e, const Variable& var) { return {e && mentions(e, &var), false}; }

VariableUse useInAssignment(const Assign& n, const Variable& var) {
  VariableUse value = valueUse(n.value, var);
  const auto* whole = as<VarRef>(n.place);
  if (whole && whole->var.get() == &var) return n.op ? VariableUse{true, true} : both(value, {false, true});
  if (storageOf(*n.place) != &var) return both(value, valueUse(n.place, var));
  // A part of it: its indices are read, the rest stays.
  VariableUse indices;
  walkExprs(n.place, [&](const Expr& e) {
    if (const auto* element = e.as<Subscript>())
      for (const ExprPtr& index : element->indices) indices.exposed |= mentions(index, &var);
  });
  if (n.op) indices.exposed = true;
  return both(value, indices);
}

VariableUse useInLoop(const VariableUse& before, const VariableUse& inside) {
  return {before.exposed || (!before.definite && inside.exposed), before.definite};
}

// Jumps out of statements, by what they leave.
struct Jumps {
  bool breaks = false, continues = false, returns = false;
};

Jumps jumpsOf(const StmtPtr& s) {
  Jumps jumps;
  if (!s) return jumps;
  auto add = [&](const Jumps& inner) {
    jumps.breaks |= inner.breaks;
    jumps.continues |= inner.continues;
    jumps.returns |= inner.returns;
  };
  if (s->is<Break>()) jumps.breaks = true;
  if (s->is<Continue>()) jumps.continues = true;
  if (s->is<Return>()) jumps.returns = true;
  forEachChild(*s, [&](const StmtPtr& child) { add(jumpsOf(child)); });
  if (s->is<For>() || s->is<While>() || s->is<DoWhile>()) jumps.breaks = jumps.continues = false;
  if (s->is<Switch>()) jumps.breaks = false;
  return jumps;
}

}  // namespace

bool leavesEarly(const StmtPtr& s) {
  const Jumps jumps = jumpsOf(s);
  return jumps.breaks || jumps.continues || jumps.returns;
}

bool continuesLoop(const StmtPtr& body) { return jumpsOf(body).continues; }

VariableUse useOf(const StmtList& stmts, const Variable& var) {
  VariableUse use;
  bool mayLeave = false;
  for (const StmtPtr& s : stmts) {
    use = both(use, useOf(s, var));
    mayLeave |= leavesEarly(s);
  }
  if (mayLeave) use.definite = false;
  return use;
}

VariableUse useOf(const StmtPtr& s, const Variable& var) {
  if (!s) return {};
  if (const auto* n = as<Declare>(s)) {
    if (n->var.get() == &var) return {false, true};
    return valueUse(n->init, var);
  }
  if (const auto* n = as<Assign>(s)) return useInAssignment(*n, var);
  if (const auto* n = as<If>(s)) {
    const VariableUse then = useOf(n->then, var), otherwise = useOf(n->otherwise, var);
    return both(valueUse(n->cond, var),
                {then.exposed || otherwise.exposed, then.definite && otherwise.definite && n->otherwise});
  }
  if (const auto* n = as<For>(s)) {
    const VariableUse inside = both(valueUse(n->cond, var), both(useOf(n->body, var), useOf(n->step, var)));
    return useInLoop(useOf(n->init, var), inside);
  }
  if (const auto* n = as<While>(s)) return useInLoop({}, both(valueUse(n->cond, var), useOf(n->body, var)));
  if (const auto* n = as<DoWhile>(s)) return both(useOf(n->body, var), valueUse(n->cond, var));
  if (const auto* n = as<Switch>(s)) {
    VariableUse use = valueUse(n->value, var);
    for (const SwitchCase& one : n->cases) use.exposed |= useOf(one.body, var).exposed;
    return use;
  }
  if (const auto* n = as<Block>(s)) return useOf(n->stmts, var);
  VariableUse use;
  forEachExpr(*s, [&](const ExprPtr& e) { use.exposed |= mentions(e, &var); });
  return use;
}

namespace {

// Nothing: `inner` is not there, or what follows there does not decide.
struct Behind {
  bool found = false;
  std::optional<bool> isRead;
};

Behind behindIn(const StmtPtr& s, const Stmt& inner, const Variable& var);

Behind behindIn(const StmtList& stmts, const Stmt& inner, const Variable& var) {
  for (size_t i = 0; i < stmts.size(); ++i) {
    Behind here = behindIn(stmts[i], inner, var);
    if (!here.found) continue;
    if (here.isRead) return here;
    const VariableUse rest =
        useOf(StmtList(stmts.begin() + static_cast<std::ptrdiff_t>(i) + 1, stmts.end()), var);
    if (rest.exposed)
      here.isRead = true;
    else if (rest.definite)
      here.isRead = false;
    return here;
  }
  return {};
}

Behind behindIn(const StmtPtr& s, const Stmt& inner, const Variable& var) {
  if (s.get() == &inner) return {true, {}};
  if (const auto* n = as<Block>(s)) return behindIn(n->stmts, inner, var);
  if (const auto* n = as<Switch>(s)) {
    Behind result;
    for (const SwitchCase& one : n->cases) {
      result = behindIn(one.body, inner, var);
      if (!result.found) continue;
      // It may fall through.
      for (const SwitchCase& other : n->cases)
        if (useOf(other.body, var).exposed) result.isRead = true;
      return result;
    }
    return result;
  }
  Behind result;
  forEachChild(*s, [&](const StmtPtr& child) {
    if (!result.found) result = behindIn(child, inner, var);
  });
  if (!result.found || result.isRead.value_or(false)) return result;
  // The next iteration begins where this one ends.
  auto again = [&](const VariableUse& use) {
    if (!result.isRead && use.exposed) result.isRead = true;
    // An early way out of the loop may pass what would have given a value.
    else if (result.isRead && leavesEarly(block({s})))
      result.isRead.reset();
  };
  if (const auto* n = as<For>(s))
    again(both(useOf(n->step, var), both(valueUse(n->cond, var), useOf(n->body, var))));
  else if (const auto* w = as<While>(s))
    again(both(valueUse(w->cond, var), useOf(w->body, var)));
  else if (const auto* d = as<DoWhile>(s))
    again(both(valueUse(d->cond, var), useOf(d->body, var)));
  return result;
}

}  // namespace

bool isReadBehind(const StmtPtr& root, const Stmt& inner, const Variable& var) {
  return behindIn(root, inner, var).isRead.value_or(false);
}

}  // namespace hone::acc
