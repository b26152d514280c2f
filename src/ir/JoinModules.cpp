#include "ir/JoinModules.h"

#include <set>

#include "ir/Walk.h"

namespace hone::ir {

namespace {

class UseDefinitions : public Rewriter {
 public:
  explicit UseDefinitions(const SharedDefinitions& all) : definitions(all) {}

 private:
  const SharedDefinitions& definitions;

  ExprPtr mapExpr(const ExprPtr& e) override {
    if (const auto* use = e->as<VarRef>(); use && use->var->storage == Storage::Global) {
      const auto known = definitions.variables.find(use->var->linkageName);
      if (known == definitions.variables.end() || known->second == use->var) return e;
      return makeExpr(known->second->type, VarRef{known->second}, e->loc);
    }
    const auto* call = e->as<Call>();
    if (!call || !call->function || call->function->body) return e;
    const auto known = definitions.functions.find(call->function->linkageName);
    if (known == definitions.functions.end()) return e;
    Call to = *call;
    to.function = known->second;
    return makeExpr(e->type, std::move(to), e->loc);
  }
};

const Function* withoutBodyBelow(const StmtPtr& body, std::set<const Function*>& seen) {
  const Function* found = nullptr;
  walkExprs(body, [&](const Expr& e) {
    const auto* call = e.as<Call>();
    if (found || !call || !call->function || !seen.insert(call->function.get()).second) return;
    found = call->function->body ? withoutBodyBelow(call->function->body, seen) : call->function.get();
  });
  return found;
}

}  // namespace

void useDefinitions(Module& module, const SharedDefinitions& definitions) {
  UseDefinitions rewriter(definitions);
  for (const FunctionPtr& f : module.functions)
    if (f->body) f->body = rewriter.rewriteBlock(f->body);
  for (KernelPtr& k : module.kernels) {
    auto copy = std::make_shared<Kernel>(*k);
    copy->body = rewriter.rewriteBlock(k->body);
    k = std::move(copy);
  }
}

const Function* firstWithoutBody(const StmtPtr& body) {
  std::set<const Function*> seen;
  return withoutBodyBelow(body, seen);
}

}  // namespace hone::ir
