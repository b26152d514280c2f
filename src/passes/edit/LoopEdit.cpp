#include "passes/edit/LoopEdit.h"

#include <fmt/core.h>

#include <algorithm>
#include <charconv>

#include "ir/Build.h"
#include "ir/CallEffects.h"
#include "ir/Walk.h"
#include "ir/intrinsics/Intrinsics.h"

namespace hone::passes {

using namespace ir;

namespace {

class Cloner : public Rewriter {
  StmtList mapStmt(const StmtPtr& s) override { return {makeStmt(s->node, s->loc)}; }
};

class RunReplacer : public Rewriter {
 public:
  RunReplacer(StmtPtr from, size_t n, const StmtList& with) : first(std::move(from)), count(n), by(with) {}
  StmtList rewrite(const StmtPtr& s) override {
    const auto* node = as<Block>(s);
    if (!node) return Rewriter::rewrite(s);
    const auto at = std::find(node->stmts.begin(), node->stmts.end(), first);
    if (at == node->stmts.end()) return Rewriter::rewrite(s);
    StmtList out(node->stmts.begin(), at);
    out.insert(out.end(), by.begin(), by.end());
    out.insert(out.end(), at + static_cast<std::ptrdiff_t>(count), node->stmts.end());
    return {block(std::move(out), s->loc)};
  }
  using Rewriter::rewrite;

 private:
  StmtPtr first;
  size_t count;
  const StmtList& by;
};

void findExits(const StmtPtr& s, bool ownLoop, bool ownSwitch, Exits& exits) {
  if (s->is<Return>()) exits.returns = true;
  if (s->is<Break>() && ownLoop && ownSwitch) exits.breaks = true;
  if (s->is<Continue>() && ownLoop) exits.continues = true;
  const bool inner = isLoop(*s);
  forEachChild(*s, [&](const StmtPtr& child) {
    findExits(child, ownLoop && !inner, ownSwitch && !s->is<Switch>(), exits);
  });
}

}  // namespace

bool isLoop(const Stmt& s) { return s.is<For>() || s.is<While>() || s.is<DoWhile>(); }

KernelPtr withDistinctStatements(const KernelPtr& kernel) {
  std::set<const Stmt*> seen;
  bool isDistinct = true;
  walkStmts(kernel->body, [&](const Stmt& s) { isDistinct &= seen.insert(&s).second; });
  if (isDistinct) return kernel;
  auto copy = std::make_shared<Kernel>(*kernel);
  copy->body = Cloner().rewriteBlock(kernel->body);
  return copy;
}

StmtPtr replaceRun(const StmtPtr& body, const StmtPtr& first, size_t count, const StmtList& by) {
  return RunReplacer(first, count, by).rewriteBlock(body);
}

StmtPtr replaceStmt(const StmtPtr& body, const StmtPtr& what, const StmtList& by) {
  return replaceRun(body, what, 1, by);
}

Position positionOf(const StmtPtr& body, const StmtPtr& stmt) {
  if (const auto* node = as<Block>(body)) {
    const auto at = std::find(node->stmts.begin(), node->stmts.end(), stmt);
    if (at != node->stmts.end()) return {body, static_cast<size_t>(at - node->stmts.begin())};
  }
  Position found;
  forEachChild(*body, [&](const StmtPtr& child) {
    if (!found.block) found = positionOf(child, stmt);
  });
  return found;
}

std::set<const Variable*> variablesOf(const ExprPtr& e) {
  std::set<const Variable*> out;
  walkExprs(e, [&](const Expr& node) {
    if (const auto* var = node.as<VarRef>()) out.insert(var->var.get());
  });
  return out;
}

ExprPtr firstIterationCondition(const Stmt& loop) {
  if (loop.is<DoWhile>()) return boolLit(true);
  if (const auto* w = loop.as<While>()) return isPure(w->cond) ? w->cond : nullptr;
  const auto* node = loop.as<For>();
  if (!node) return nullptr;
  if (!node->cond) return boolLit(true);
  std::vector<std::pair<VarPtr, ExprPtr>> first;
  for (const StmtPtr& s : node->init) {
    VarPtr var;
    ExprPtr value;
    if (const auto* d = as<Declare>(s)) var = d->var, value = d->init;
    if (const auto* a = as<Assign>(s); a && !a->op)
      if (const auto* place = as<VarRef>(a->place)) var = place->var, value = a->value;
    if (!var || !value) return nullptr;
    if (!isPure(value)) return nullptr;
    first.emplace_back(var, substituted(value, first));
  }
  if (!isPure(node->cond)) return nullptr;
  ExprPtr cond = substituted(node->cond, first), folded = simplified(cond);
  if (constantValue(folded)) return folded;
  // `m > 0` rather than `0 < m`.
  const auto* test = as<Binary>(cond);
  if (test && constantValue(test->lhs) && (test->op == BinaryOp::Lt || test->op == BinaryOp::Le))
    return makeExpr(cond->type,
                    Binary{test->op == BinaryOp::Lt ? BinaryOp::Gt : BinaryOp::Ge, test->rhs, test->lhs},
                    cond->loc);
  return cond;
}

const StmtPtr& bodyOf(const Stmt& loop) {
  if (const auto* node = loop.as<For>()) return node->body;
  if (const auto* node = loop.as<While>()) return node->body;
  return loop.as<DoWhile>()->body;
}

Exits exitsOf(const StmtPtr& body) {
  Exits exits;
  findExits(body, true, true, exits);
  return exits;
}

bool containsBarrier(const StmtPtr& s) {
  bool found = false;
  walkStmts(s, [&](const Stmt& stmt) { found |= stmt.is<Barrier>(); });
  return found;
}

Result<size_t> findLoop(const std::vector<LoopHandle>& loops, const std::string& handle) {
  std::string names;
  for (size_t i = 0; i < loops.size(); ++i) {
    if (loops[i].name == handle) return i;
    names += (i ? ", " : "") + loops[i].name;
  }
  return Refusal{
      fmt::format("there is no loop {}{}", handle, names.empty() ? "" : " (there are " + names + ")")};
}

}  // namespace hone::passes
