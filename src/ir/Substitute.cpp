#include "ir/Substitute.h"

namespace hone::ir {

namespace {

const ExprPtr& replaced(const ExprPtr& e, const Substitution& values) {
  if (const auto* var = e->as<VarRef>())
    for (const auto& [from, to] : values)
      if (from == var->var) return to;
  return e;
}

class Substituter : public Rewriter {
 public:
  explicit Substituter(const Substitution& with) : values(with) {}

 private:
  const Substitution& values;
  ExprPtr mapExpr(const ExprPtr& e) override { return replaced(e, values); }
};

class Renewer : public Renaming {
 public:
  explicit Renewer(const Substitution& with) : values(with) {}

 private:
  const Substitution& values;
  ExprPtr mapExpr(const ExprPtr& e) override { return replaced(e, values); }
  StmtList mapStmt(const StmtPtr& s) override { return {makeStmt(s->node, s->loc)}; }
};

}  // namespace

ExprPtr substituted(const ExprPtr& e, const Substitution& values) { return Substituter(values).rewrite(e); }

StmtPtr substituted(const StmtPtr& s, const Substitution& values) {
  return Substituter(values).rewriteBlock(s);
}

void Renaming::renewDeclared(const StmtList& stmts) {
  for (const StmtPtr& s : stmts)
    walkStmts(s, [this](const Stmt& one) {
      if (const auto* d = one.as<Declare>(); d && d->var->space != Space::Shared)
        by[d->var.get()] = std::make_shared<Variable>(*d->var);
    });
}

StmtList freshCopy(const StmtList& stmts, const Substitution& values) {
  Renewer renewer(values);
  renewer.renewDeclared(stmts);
  StmtList out;
  for (const StmtPtr& s : stmts)
    for (StmtPtr& one : renewer.rewrite(s)) out.push_back(std::move(one));
  return out;
}

StmtPtr freshCopy(const StmtPtr& s, const Substitution& values) {
  return freshCopy(StmtList{s}, values).front();
}

}  // namespace hone::ir
