#include "passes/edit/LoopLocalCounters.h"

#include <map>
#include <set>

#include "ir/Build.h"
#include "ir/Substitute.h"
#include "ir/Walk.h"

namespace hone::passes {

using namespace ir;

namespace {

const Variable* counterOf(const For& loop) {
  const auto* begin = loop.init.size() == 1 ? loop.init[0]->as<Assign>() : nullptr;
  const auto* place = begin && !begin->op ? as<VarRef>(begin->place) : nullptr;
  return place ? place->var.get() : nullptr;
}

std::map<const Variable*, size_t> mentionsByVariable(const StmtPtr& body) {
  std::map<const Variable*, size_t> out;
  walkExprs(body, [&](const Expr& e) {
    if (const auto* r = e.as<VarRef>()) ++out[r->var.get()];
  });
  return out;
}

// Variables all of whose mentions stand in loops that set them first, none of these inside another.
std::set<const Variable*> ownable(const StmtPtr& body) {
  std::map<const Variable*, size_t> inLoops;
  std::set<const Variable*> out, nested;
  walkStmts(body, [&](const Stmt& s) {
    const auto* loop = s.as<For>();
    const Variable* var = loop ? counterOf(*loop) : nullptr;
    if (!var) return;
    const auto* begin = loop->init[0]->as<Assign>();
    if (mentions(begin->value, var)) nested.insert(var);
    walkStmts(loop->body, [&](const Stmt& inner) {
      const auto* other = inner.as<For>();
      if (other && counterOf(*other) == var) nested.insert(var);
    });
    inLoops[var] += countMentions(makeStmt(*loop), var);
  });
  const auto all = mentionsByVariable(body);
  walkStmts(body, [&](const Stmt& s) {
    const auto* d = s.as<Declare>();
    const Variable* var = d ? d->var.get() : nullptr;
    const auto found = var ? inLoops.find(var) : inLoops.end();
    if (found == inLoops.end() || nested.contains(var) || (d->init && !as<IntLiteral>(d->init)) ||
        !var->type->isInteger())
      return;
    if (var->space != Space::Shared && all.at(var) == found->second) out.insert(var);
  });
  const std::set<const Variable*> taken = addressTaken(body);
  std::erase_if(out, [&](const Variable* var) { return taken.contains(var); });
  return out;
}

class Own : public Renaming {
 public:
  explicit Own(std::set<const Variable*> vars) : own(std::move(vars)) {}
  using Renaming::rewrite;

  StmtList rewrite(const StmtPtr& s) override {
    if (const auto* d = as<Declare>(s); d && own.contains(d->var.get())) return {};
    const auto* loop = as<For>(s);
    const Variable* var = loop ? counterOf(*loop) : nullptr;
    if (!var || !own.contains(var)) return Renaming::rewrite(s);
    const VarPtr fresh = std::make_shared<Variable>(*var);
    For made = *loop;
    made.init = {makeStmt(Declare{fresh, as<Assign>(loop->init[0])->value}, loop->init[0]->loc)};
    by[var] = fresh;
    return Renaming::rewrite(makeStmt(std::move(made), s->loc));
  }

 private:
  std::set<const Variable*> own;
};

}  // namespace

KernelPtr withLoopLocalCounters(const KernelPtr& kernel) {
  if (!kernel->body) return kernel;
  const std::set<const Variable*> vars = ownable(kernel->body);
  if (vars.empty()) return kernel;
  auto made = std::make_shared<Kernel>(*kernel);
  made->body = Own(vars).rewriteBlock(kernel->body);
  return made;
}

}  // namespace hone::passes
