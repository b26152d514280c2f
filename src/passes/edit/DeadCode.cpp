#include "passes/edit/DeadCode.h"

#include "ir/CallEffects.h"

namespace hone::passes {

using namespace ir;

namespace {

// The variable of the thread's own that a place is or lies in; null when it is memory of others.
const Variable* ownVariable(const ExprPtr& place) {
  const Variable* v = storageOf(*place);
  return v && v->storage == Storage::Local && v->space == Space::Private && !v->isVolatile ? v : nullptr;
}

struct Uses {
  std::set<const Variable*> declared, read;

  void reads(const ExprPtr& e, const Variable* but = nullptr) {
    walkExprs(e, [&](const Expr& x) {
      if (const auto* var = x.as<VarRef>(); var && var->var.get() != but) read.insert(var->var.get());
    });
  }
  // What a place reads besides naming its own variable: subscripts.
  void place(const ExprPtr& e, const Variable* root) {
    if (const auto* element = as<Subscript>(e)) {
      place(element->base, root);
      for (const ExprPtr& index : element->indices) reads(index, root);
    } else if (const auto* field = as<Member>(e)) {
      place(field->base, root);
    } else if (const auto* lanes = as<Swizzle>(e)) {
      place(lanes->base, root);
    }
  }
  void statement(const Stmt& s) {
    if (const auto* assign = s.as<Assign>()) {
      const Variable* root = ownVariable(assign->place);
      if (!root || !isPure(assign->value)) {
        reads(assign->place), reads(assign->value);
      } else {
        place(assign->place, root), reads(assign->value, root);
      }
      return;
    }
    if (const auto* declare = s.as<Declare>()) {
      if (declare->var->space == Space::Private && !declare->var->isVolatile &&
          !(declare->init && !isPure(declare->init)))
        declared.insert(declare->var.get());
      if (declare->init) reads(declare->init);
      return;
    }
    forEachExpr(s, [this](const ExprPtr& e) { reads(e); });
  }
};

class Remover : public Rewriter {
 public:
  std::set<const Variable*> dead;
  bool changed = false;

 protected:
  StmtList mapStmt(const StmtPtr& s) override {
    const auto* declare = as<Declare>(s);
    const auto* assign = as<Assign>(s);
    const Variable* var = declare ? declare->var.get() : assign ? ownVariable(assign->place) : nullptr;
    if (var && dead.contains(var)) return gone();
    if (const auto* choice = as<If>(s)) {
      if (isEmpty(choice->then) && isEmpty(choice->otherwise) && isPure(choice->cond)) return gone();
      if (isEmpty(choice->otherwise) && choice->otherwise) {
        changed = true;
        return {makeStmt(If{choice->cond, choice->then, nullptr}, s->loc)};
      }
    }
    if (const auto* loop = as<For>(s);
        loop && isEmpty(loop->body) && counted(*loop) && counted(*loop)->declares)
      return gone();
    return {s};
  }

 private:
  StmtList gone() {
    changed = true;
    return {};
  }
  static bool isEmpty(const StmtPtr& s) {
    if (!s) return true;
    const auto* block = as<Block>(s);
    if (!block) return false;
    for (const StmtPtr& one : block->stmts)
      if (!one->is<Comment>()) return false;
    return true;
  }
};

}  // namespace

std::set<const Variable*> deadVariables(const StmtPtr& body) {
  Uses uses;
  walkStmts(body, [&](const Stmt& s) { uses.statement(s); });
  const std::set<const Variable*> taken = addressTaken(body);
  std::set<const Variable*> dead;
  for (const Variable* v : uses.declared)
    if (!uses.read.contains(v) && !taken.contains(v)) dead.insert(v);
  return dead;
}

StmtPtr withoutDeadCode(const StmtPtr& body, const std::set<const Variable*>& keep) {
  StmtPtr left = body;
  while (true) {
    Remover remover;
    for (const Variable* v : deadVariables(left))
      if (!keep.contains(v)) remover.dead.insert(v);
    left = remover.rewriteBlock(left);
    if (!remover.changed) return left;
  }
}

}  // namespace hone::passes
