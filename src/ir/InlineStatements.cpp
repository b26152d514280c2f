// Statements around calls that are replaced: what an expression needs before it, and loops whose conditions
// hold calls.
#include "ir/Inliner.h"
#include "ir/StmtsOf.h"
#include "ir/Walk.h"

namespace hone::ir {

namespace {

bool hasOwnContinue(const StmtPtr& s) {
  if (!s) return false;
  if (s->is<Continue>()) return true;
  if (s->is<For>() || s->is<While>() || s->is<DoWhile>()) return false;
  bool found = false;
  forEachChild(*s, [&](const StmtPtr& child) { found |= hasOwnContinue(child); });
  return found;
}

}  // namespace

StmtList Inliner::list(const StmtList& stmts) {
  StmtList out;
  for (const StmtPtr& s : stmts) {
    if (containsWanted(s))
      statement(s, out);
    else
      out.push_back(s);
  }
  return out;
}

StmtPtr Inliner::body(const StmtPtr& s) {
  if (!s || !containsWanted(s)) return s;
  return block(list(stmtsOf(s)), s->loc);
}

void Inliner::statement(const StmtPtr& s, StmtList& out) {
  if (s->is<Block>()) return out.push_back(body(s));
  if (const auto* n = as<Declare>(s)) return declaration(s, *n, out);
  if (const auto* n = as<Assign>(s)) return assignment(s, *n, out);
  if (const auto* n = as<Eval>(s)) return evaluation(s, *n, out);
  if (const auto* n = as<If>(s)) {
    ExprPtr cond = lower(n->cond, out);
    return out.push_back(makeStmt(If{cond, body(n->then), body(n->otherwise)}, s->loc));
  }
  if (const auto* n = as<For>(s)) return forLoop(s, *n, out);
  if (const auto* n = as<While>(s)) return whileLoop(s, *n, out);
  if (const auto* n = as<DoWhile>(s)) return doLoop(s, *n, out);
  if (const auto* n = as<Switch>(s)) return switchOf(s, *n, out);
  if (const auto* n = as<Return>(s)) return out.push_back(makeStmt(Return{lower(n->value, out)}, s->loc));
  if (const auto* n = as<Printf>(s)) {
    Printf copy = *n;
    for (ExprPtr& arg : copy.args) arg = lower(arg, out);
    return out.push_back(makeStmt(std::move(copy), s->loc));
  }
  if (const auto* n = as<Assert>(s))
    return out.push_back(makeStmt(Assert{lower(n->cond, out), n->text}, s->loc));
  if (const auto* n = as<Barrier>(s)) {
    Barrier copy = *n;
    copy.mask = lower(n->mask, out);
    return out.push_back(makeStmt(std::move(copy), s->loc));
  }
  out.push_back(s);
}

void Inliner::declaration(const StmtPtr& s, const Declare& n, StmtList& out) {
  const auto* call = as<Call>(n.init);
  if (call && isWanted(*call) && !n.var->isConst && !n.var->isReference) {
    // The result may be assigned to the variable itself.
    StmtList inner;
    ExprPtr value = expand(n.init, inner, ref(n.var, s->loc), false);
    if (!value) out.push_back(makeStmt(Declare{n.var, nullptr}, s->loc));
    out.insert(out.end(), inner.begin(), inner.end());
    if (value) out.push_back(makeStmt(Declare{n.var, value}, s->loc));
    return;
  }
  ExprPtr init = lower(n.init, out);
  out.push_back(makeStmt(Declare{n.var, init}, s->loc));
}

void Inliner::assignment(const StmtPtr& s, const Assign& n, StmtList& out) {
  ExprPtr value;
  const auto* call = as<Call>(n.value);
  if (call && isWanted(*call)) {
    bool direct = !n.op && n.place->is<VarRef>();
    value = expand(n.value, out, direct ? n.place : nullptr, true);
    if (!value) return;
  } else {
    value = lower(n.value, out);
  }
  ExprPtr place = lower(n.place, out);
  out.push_back(makeStmt(Assign{place, n.op, value, n.incrementStyle}, s->loc));
}

void Inliner::evaluation(const StmtPtr& s, const Eval& n, StmtList& out) {
  const auto* call = as<Call>(n.call);
  if (call && isWanted(*call)) {
    expand(n.call, out, nullptr, false, false);
    return;
  }
  ExprPtr lowered = lower(n.call, out);
  out.push_back(makeStmt(Eval{lowered}, s->loc));
}

StmtList Inliner::leaveUnless(const ExprPtr& cond, SourceLoc loc) {
  StmtList out;
  ExprPtr lowered = lower(cond, out);
  out.push_back(
      makeStmt(If{unary(UnaryOp::Not, lowered, loc), block({makeStmt(Break{}, loc)}, loc), nullptr}, loc));
  return out;
}

void Inliner::forLoop(const StmtPtr& s, const For& n, StmtList& out) {
  For loop = n;
  StmtList before;
  size_t moved = 0;  // statements of init that cannot stay in the head
  for (size_t i = 0; i < n.init.size(); ++i)
    if (containsWanted(n.init[i])) moved = i + 1;
  if (moved) {
    before = list({n.init.begin(), n.init.begin() + static_cast<std::ptrdiff_t>(moved)});
    loop.init.assign(n.init.begin() + static_cast<std::ptrdiff_t>(moved), n.init.end());
    const StmtPtr& last = before.back();
    const bool isHead = last->is<Declare>() || last->is<Assign>();
    if (isHead) {
      loop.init.insert(loop.init.begin(), last);
      before.pop_back();
    }
  }
  StmtList inside;
  if (n.cond && containsWanted(n.cond)) {
    inside = leaveUnless(n.cond, s->loc);
    loop.cond = nullptr;
  }
  StmtPtr oldBody = body(n.body);
  StmtList bodyStmts = stmtsOf(oldBody);
  if (containsWanted(n.step)) {
    if (hasOwnContinue(n.body)) {
      for (const StmtPtr& step : n.step) leaveAlone(step);
    } else {
      StmtList step = list(n.step);
      StmtList inner = {block(bodyStmts, n.body->loc)};
      if (declaredVariables(n.body).empty()) inner = bodyStmts;
      inner.insert(inner.end(), step.begin(), step.end());
      bodyStmts = std::move(inner);
      loop.step.clear();
    }
  }
  inside.insert(inside.end(), bodyStmts.begin(), bodyStmts.end());
  loop.body = block(std::move(inside), n.body->loc);
  StmtPtr result = makeStmt(std::move(loop), s->loc);
  if (before.empty()) return out.push_back(result);
  before.push_back(result);
  out.push_back(block(std::move(before), s->loc));
}

void Inliner::whileLoop(const StmtPtr& s, const While& n, StmtList& out) {
  if (!containsWanted(n.cond)) return out.push_back(makeStmt(While{n.cond, body(n.body), n.unroll}, s->loc));
  StmtList inside = leaveUnless(n.cond, s->loc);
  StmtList rest = stmtsOf(body(n.body));
  inside.insert(inside.end(), rest.begin(), rest.end());
  out.push_back(makeStmt(While{boolLit(true), block(std::move(inside), n.body->loc), n.unroll}, s->loc));
}

void Inliner::doLoop(const StmtPtr& s, const DoWhile& n, StmtList& out) {
  if (!containsWanted(n.cond))
    return out.push_back(makeStmt(DoWhile{body(n.body), n.cond, n.unroll}, s->loc));
  StmtList inside;
  if (!hasOwnContinue(n.body)) {
    // do { { body } …; if (!cond) break; } while (true)
    inside.push_back(block(stmtsOf(body(n.body)), n.body->loc));
    for (StmtPtr& test : leaveUnless(n.cond, s->loc)) inside.push_back(std::move(test));
    return out.push_back(makeStmt(DoWhile{block(std::move(inside)), boolLit(true), n.unroll}, s->loc));
  }
  // A continue goes to the condition, which therefore stands first, skipped in the first iteration.
  VarPtr first = newVariable("first", boolType(), false, s->loc);
  out.push_back(makeStmt(Declare{first, boolLit(true)}, s->loc));
  inside.push_back(makeStmt(
      If{unary(UnaryOp::Not, ref(first), s->loc), block(leaveUnless(n.cond, s->loc), s->loc), nullptr},
      s->loc));
  inside.push_back(assign(ref(first), boolLit(false), s->loc));
  for (StmtPtr& rest : stmtsOf(body(n.body))) inside.push_back(std::move(rest));
  out.push_back(makeStmt(While{boolLit(true), block(std::move(inside), n.body->loc), n.unroll}, s->loc));
}

void Inliner::switchOf(const StmtPtr& s, const Switch& n, StmtList& out) {
  Switch copy = n;
  copy.value = lower(n.value, out);
  for (SwitchCase& c : copy.cases) {
    if (!containsWanted(c.body)) continue;
    // No jump to a later label may pass an initializer.
    c.body = {block(list(c.body), s->loc)};
  }
  out.push_back(makeStmt(std::move(copy), s->loc));
}

}  // namespace hone::ir
