#include "passes/edit/SubstituteConstants.h"

#include <algorithm>
#include <map>

#include "ir/Build.h"
#include "ir/StructureReturns.h"
#include "passes/edit/DeadCode.h"

namespace hone::passes {

using namespace ir;

namespace {

class NumbersPutIn : public Rewriter {
 public:
  NumbersPutIn(const StmtPtr& body, const Substitution& numbers) : changing(assignedVariables(body)) {
    changing.merge(addressTaken(body));
    for (const auto& [var, number] : numbers) known[var.get()] = number;
  }

  // What nothing is put into stays as it is written.
  ExprPtr rewrite(const ExprPtr& e) override {
    const ExprPtr now = Rewriter::rewrite(e);
    return now == e ? e : simplified(now);
  }
  StmtList rewrite(const StmtPtr& s) override { return Rewriter::rewrite(s); }

 protected:
  ExprPtr mapExpr(const ExprPtr& e) override {
    const auto* var = ir::as<VarRef>(e);
    const auto number = var ? known.find(var->var.get()) : known.end();
    return number == known.end() ? e : number->second;
  }

  StmtList mapStmt(const StmtPtr& s) override {
    if (const auto* d = ir::as<Declare>(s)) return learned(*d) ? StmtList{} : StmtList{s};
    const auto* choice = ir::as<If>(s);
    if (!choice || (!isTrue(choice->cond) && !isFalse(choice->cond))) return {s};
    const StmtPtr& taken = isTrue(choice->cond) ? choice->then : choice->otherwise;
    if (!taken) return {};
    // What follows would never be reached.
    if (containsReturn(taken)) return {s};
    const StmtList& stmts = ir::as<Block>(taken)->stmts;
    const bool declares =
        std::any_of(stmts.begin(), stmts.end(), [](const StmtPtr& one) { return one->is<Declare>(); });
    return declares ? StmtList{taken} : stmts;
  }

 private:
  // Whether the variable is a number from now on.
  bool learned(const Declare& d) {
    const Variable& var = *d.var;
    if (!d.init || !var.type->isInteger() || var.storage != Storage::Local || var.space != Space::Private ||
        var.isVolatile || var.isConstexpr || changing.contains(&var) || !constantValue(d.init))
      return false;
    known[&var] = simplified(d.init);
    return true;
  }

  std::set<const Variable*> changing;
  std::map<const Variable*, ExprPtr> known;
};

}  // namespace

StmtPtr withConstants(const StmtPtr& body, const Substitution& numbers) {
  return withoutDeadCode(NumbersPutIn(body, numbers).rewriteBlock(body), deadVariables(body));
}

}  // namespace hone::passes
