// Atomic statements whose expressions read what they change.
#include "clang/AST/ASTContext.h"
#include "frontend/AccLegality.h"
#include "frontend/AccText.h"
#include "frontend/AccWalk.h"
#include "llvm/ADT/FoldingSet.h"

namespace hone::frontend {

using namespace clang;

namespace {

class PlaceFinder {
 public:
  PlaceFinder(const Expr& place, const ASTContext& in) : ast(in) {
    plain(&place)->Profile(wanted, ast, true);
  }

  /// Whether the place is written in the expression, `e` itself included.
  bool isIn(const Expr* e) const {
    bool found = false;
    forEachStatement(e, [&](const Stmt& s) { found = found || isPlace(s); });
    return found;
  }
  bool isPlace(const Stmt& s) const {
    if (!isa<Expr>(s)) return false;
    llvm::FoldingSetNodeID here;
    plain(cast<Expr>(&s))->Profile(here, ast, true);
    return here == wanted;
  }

 private:
  const ASTContext& ast;
  llvm::FoldingSetNodeID wanted;
};

}  // namespace

// Of `x = expr` in a write and `x op= expr` or `x = x op expr` in an update, expr may not read x. What has
// several statements, and what is reached by another name, is believed.
void checkAtomic(const UnitImporter& unit, const OpenACCAtomicConstruct& construct, const AccReport& report) {
  const OpenACCAtomicKind kind = construct.getAtomicKind();
  const auto* e = dyn_cast_or_null<Expr>(construct.getAssociatedStmt());
  const auto* set = e ? dyn_cast<BinaryOperator>(plain(e)) : nullptr;
  if (!set || !set->isAssignmentOp()) return;
  const PlaceFinder place(*set->getLHS(), unit.ast);
  const Expr* other = set->getRHS();
  if (kind == OpenACCAtomicKind::Read || kind == OpenACCAtomicKind::Capture) return;
  if (kind != OpenACCAtomicKind::Write && set->getOpcode() == BO_Assign) {
    const auto* sum = dyn_cast<BinaryOperator>(plain(other));
    if (!sum) return;
    other = place.isPlace(*sum->getLHS()) ? sum->getRHS() : sum->getLHS();
  }
  if (place.isIn(other))
    report(other->getBeginLoc(),
           "the expression of this atomic reads what it changes, which nothing makes one operation");
}

}  // namespace hone::frontend
