#include "ir/Walk.h"

namespace hone::ir {

namespace {

template <class... Ts> struct Overload : Ts... {
  using Ts::operator()...;
};
template <class... Ts> Overload(Ts...) -> Overload<Ts...>;

// What visits every node of large kernels, again and again, is called without the detour over a
// std::function.
template <class Visit>
void eachChild(const Expr& e, const Visit& fn) {
  std::visit(Overload{[](const IntLiteral&) {}, [](const FloatLiteral&) {}, [](const NullPointer&) {},
                      [](const VarRef&) {}, [](const Coord&) {}, [&](const Unary& n) { fn(n.operand); },
                      [&](const Binary& n) { fn(n.lhs), fn(n.rhs); }, [&](const Cast& n) { fn(n.operand); },
                      [&](const Select& n) { fn(n.cond), fn(n.yes), fn(n.no); },
                      [&](const Call& n) {
                        for (const ExprPtr& arg : n.args) fn(arg);
                      },
                      [&](const Subscript& n) {
                        fn(n.base);
                        for (const ExprPtr& index : n.indices) fn(index);
                      },
                      [&](const Member& n) { fn(n.base); }, [&](const Swizzle& n) { fn(n.base); },
                      [&](const AddressOf& n) { fn(n.place); },
                      [&](const Construct& n) {
                        for (const ExprPtr& part : n.parts) fn(part);
                      }},
             e.node);
}

template <class Visit>
void eachExpr(const Stmt& s, const Visit& fn) {
  auto visit = [&](const ExprPtr& e) {
    if (e) fn(e);
  };
  std::visit(Overload{[&](const Declare& n) { visit(n.init); },
                      [&](const Assign& n) { visit(n.place), visit(n.value); },
                      [&](const Eval& n) { visit(n.call); }, [&](const If& n) { visit(n.cond); },
                      [&](const For& n) { visit(n.cond); }, [&](const While& n) { visit(n.cond); },
                      [&](const DoWhile& n) { visit(n.cond); },
                      [&](const Switch& n) {
                        visit(n.value);
                        for (const SwitchCase& c : n.cases)
                          for (const ExprPtr& value : c.values) visit(value);
                      },
                      [](const Break&) {}, [](const Continue&) {}, [&](const Return& n) { visit(n.value); },
                      [](const Block&) {}, [&](const Barrier& n) { visit(n.mask); }, [](const Fence&) {},
                      [&](const Printf& n) {
                        for (const ExprPtr& arg : n.args) visit(arg);
                      },
                      [&](const Assert& n) { visit(n.cond); }, [](const Comment&) {}},
             s.node);
}

template <class Visit>
void eachChild(const Stmt& s, const Visit& fn) {
  auto visit = [&](const StmtPtr& child) {
    if (child) fn(child);
  };
  auto visitList = [&](const StmtList& list) {
    for (const StmtPtr& child : list) visit(child);
  };
  if (const auto* n = s.as<If>()) {
    visit(n->then);
    visit(n->otherwise);
  } else if (const auto* loop = s.as<For>()) {
    visitList(loop->init);
    visit(loop->body);
    visitList(loop->step);
  } else if (const auto* loopWhile = s.as<While>()) {
    visit(loopWhile->body);
  } else if (const auto* loopDo = s.as<DoWhile>()) {
    visit(loopDo->body);
  } else if (const auto* choice = s.as<Switch>()) {
    for (const SwitchCase& c : choice->cases) visitList(c.body);
  } else if (const auto* list = s.as<Block>()) {
    visitList(list->stmts);
  }
}

}  // namespace

void forEachChild(const Expr& e, const std::function<void(const ExprPtr&)>& fn) { eachChild(e, fn); }
void forEachExpr(const Stmt& s, const std::function<void(const ExprPtr&)>& fn) { eachExpr(s, fn); }
void forEachChild(const Stmt& s, const std::function<void(const StmtPtr&)>& fn) { eachChild(s, fn); }

void Walker::walk(const ExprPtr& e) {
  if (!e) return;
  if (enter(*e)) eachChild(*e, [this](const ExprPtr& child) { walk(child); });
  leave(*e);
}

void Walker::walk(const StmtPtr& s) {
  if (!s) return;
  if (enter(*s)) {
    eachExpr(*s, [this](const ExprPtr& e) { walk(e); });
    eachChild(*s, [this](const StmtPtr& child) { walk(child); });
  }
  leave(*s);
}

void walkExprs(const ExprPtr& e, const std::function<void(const Expr&)>& fn) {
  if (!e) return;
  fn(*e);
  eachChild(*e, [&](const ExprPtr& child) { walkExprs(child, fn); });
}

void walkExprs(const StmtPtr& s, const std::function<void(const Expr&)>& fn) {
  if (!s) return;
  eachExpr(*s, [&](const ExprPtr& e) { walkExprs(e, fn); });
  eachChild(*s, [&](const StmtPtr& child) { walkExprs(child, fn); });
}

void walkStmts(const StmtPtr& s, const std::function<void(const Stmt&)>& fn) {
  if (!s) return;
  fn(*s);
  eachChild(*s, [&](const StmtPtr& child) { walkStmts(child, fn); });
}

namespace {

template <class Node> size_t countIf(const Node& node, const std::function<bool(const Variable*)>& isMeant) {
  size_t count = 0;
  walkExprs(node, [&](const Expr& e) {
    const auto* var = e.as<VarRef>();
    count += var && isMeant(var->var.get());
  });
  return count;
}

}  // namespace

size_t countMentions(const ExprPtr& e, const Variable* var) {
  return countIf(e, [&](const Variable* one) { return one == var; });
}

size_t countMentions(const StmtPtr& s, const Variable* var) {
  return countIf(s, [&](const Variable* one) { return one == var; });
}

bool mentions(const ExprPtr& e, const Variable* var) { return countMentions(e, var) > 0; }

bool mentions(const StmtPtr& s, const Variable* var) { return countMentions(s, var) > 0; }

bool mentions(const ExprPtr& e, const std::set<const Variable*>& variables) {
  return countIf(e, [&](const Variable* one) { return variables.contains(one); }) > 0;
}

bool mentions(const StmtPtr& s, const std::set<const Variable*>& variables) {
  return countIf(s, [&](const Variable* one) { return variables.contains(one); }) > 0;
}

const Variable* storageOf(const Expr& place) {
  if (const auto* var = place.as<VarRef>()) return var->var.get();
  if (const auto* element = place.as<Subscript>())
    return element->base->type->isPointer() ? nullptr : storageOf(*element->base);
  if (const auto* field = place.as<Member>()) return storageOf(*field->base);
  if (const auto* lanes = place.as<Swizzle>()) return storageOf(*lanes->base);
  return nullptr;
}

std::set<const Variable*> addressTaken(const StmtPtr& s) {
  std::set<const Variable*> result;
  walkExprs(s, [&](const Expr& e) {
    const auto* address = e.as<AddressOf>();
    if (const Variable* var = address ? storageOf(*address->place) : nullptr) result.insert(var);
  });
  return result;
}

std::set<const Variable*> assignedVariables(const StmtPtr& s) {
  std::set<const Variable*> result;
  walkStmts(s, [&](const Stmt& stmt) {
    const auto* assignment = stmt.as<Assign>();
    if (const Variable* var = assignment ? storageOf(*assignment->place) : nullptr) result.insert(var);
  });
  return result;
}

std::set<const Variable*> declaredVariables(const StmtPtr& s) {
  std::set<const Variable*> result;
  walkStmts(s, [&](const Stmt& stmt) {
    if (const auto* declaration = stmt.as<Declare>()) result.insert(declaration->var.get());
  });
  return result;
}

}  // namespace hone::ir
