#include "passes/edit/DropImplied.h"

#include <algorithm>
#include <set>

#include "ir/Build.h"
#include "ir/Compare.h"
#include "ir/StmtsOf.h"
#include "ir/Walk.h"

namespace hone::passes {

using namespace ir;

namespace {

class Implied : public Rewriter {
 public:
  explicit Implied(const StmtPtr& body) : assigned(assignedVariables(body)) {
    const auto taken = addressTaken(body);
    assigned.insert(taken.begin(), taken.end());
  }

  ExprPtr rewrite(const ExprPtr& e) override {
    const auto* choice = e ? as<Select>(e) : nullptr;
    if (!choice || known.empty()) return Rewriter::rewrite(e);
    const ExprPtr cond = rest(choice->cond);
    if (isTrue(cond)) return rewrite(choice->yes);
    if (cond == choice->cond) return Rewriter::rewrite(e);
    return Rewriter::rewrite(makeExpr(e->type, Select{cond, choice->yes, choice->no}, e->loc));
  }

  StmtList rewrite(const StmtPtr& s) override {
    if (const auto* d = as<Declare>(s)) {
      // A variable of the same name further in is another one.
      std::erase_if(known, [&](const ExprPtr& fact) { return mentions(fact, d->var.get()); });
      return Rewriter::rewrite(s);
    }
    const auto* choice = as<If>(s);
    if (!choice) return Rewriter::rewrite(s);
    const ExprPtr cond = rewrite(rest(choice->cond));
    const std::vector<ExprPtr> outside = known;
    for (const ExprPtr& part : conjuncts(choice->cond))
      if (isStable(part)) known.push_back(part);
    const StmtPtr then = rewriteBlock(choice->then);
    known = outside;
    if (isTrue(cond)) return unwrapped(then);
    const StmtPtr otherwise = choice->otherwise ? rewriteBlock(choice->otherwise) : nullptr;
    return {makeStmt(If{cond, then, otherwise}, s->loc)};
  }

 private:
  // A comparison of coordinates, numbers and variables that keep their value.
  bool isStable(const ExprPtr& e) const {
    bool stable = true;
    walkExprs(e, [&](const Expr& x) {
      const auto* r = x.as<VarRef>();
      if (r) stable = stable && r->var->storage != Storage::Global && !assigned.contains(r->var.get());
      stable = stable &&
               (r || x.is<Coord>() || x.is<IntLiteral>() || x.is<Binary>() || x.is<Cast>() || x.is<Unary>());
    });
    return stable;
  }

  // What of a condition is not known; `true` where all is.
  ExprPtr rest(const ExprPtr& cond) const {
    ExprPtr left;
    bool isShorter = false;
    for (const ExprPtr& part : conjuncts(cond)) {
      const bool isKnown =
          std::any_of(known.begin(), known.end(), [&](const ExprPtr& fact) { return equal(fact, part); });
      isShorter = isShorter || isKnown;
      if (!isKnown) left = andAlso(left, part);
    }
    return !isShorter ? cond : left ? left : boolLit(true);
  }

  std::set<const Variable*> assigned;
  std::vector<ExprPtr> known;
};

}  // namespace

StmtPtr withoutImplied(const StmtPtr& body) { return Implied(body).rewriteBlock(body); }

}  // namespace hone::passes
