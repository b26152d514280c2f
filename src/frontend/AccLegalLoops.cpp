// Loops of loop and combined constructs: counters that the body changes, bounds that hang on other loops,
// ways out.
#include <set>

#include "clang/AST/ASTContext.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/StmtCXX.h"
#include "frontend/AccLegality.h"
#include "frontend/AccText.h"
#include "frontend/AccWalk.h"

namespace hone::frontend {

using namespace clang;

namespace {

const VarDecl* counterOf(const ForStmt& loop) {
  const auto variable = [](const Expr* e) -> const VarDecl* {
    const auto* name = e ? dyn_cast<DeclRefExpr>(plain(e)) : nullptr;
    return name ? dyn_cast<VarDecl>(name->getDecl()) : nullptr;
  };
  const Expr* inc = loop.getInc() ? plain(loop.getInc()) : nullptr;
  if (const auto* unary = dyn_cast_or_null<UnaryOperator>(inc)) return variable(unary->getSubExpr());
  if (const auto* binary = dyn_cast_or_null<BinaryOperator>(inc)) return variable(binary->getLHS());
  if (const auto* call = dyn_cast_or_null<CXXOperatorCallExpr>(inc); call && call->getNumArgs())
    return variable(call->getArg(0));
  return nullptr;
}

/// Variables that a statement assigns to.
std::set<const VarDecl*> assignedIn(const Stmt* s) {
  std::set<const VarDecl*> out;
  const auto add = [&](const Expr* e) {
    if (const auto* name = dyn_cast<DeclRefExpr>(plain(e)))
      if (const auto* var = dyn_cast<VarDecl>(name->getDecl())) out.insert(var);
  };
  forEachStatement(s, [&](const Stmt& one) {
    if (const auto* binary = dyn_cast<BinaryOperator>(&one); binary && binary->isAssignmentOp())
      add(binary->getLHS());
    if (const auto* unary = dyn_cast<UnaryOperator>(&one); unary && unary->isIncrementDecrementOp())
      add(unary->getSubExpr());
  });
  return out;
}

const VarDecl* namesOneOf(const Stmt* s, const std::set<const VarDecl*>& variables) {
  const VarDecl* found = nullptr;
  forEachStatement(s, [&](const Stmt& one) {
    const auto* name = dyn_cast<DeclRefExpr>(&one);
    const auto* var = name ? dyn_cast<VarDecl>(name->getDecl()) : nullptr;
    if (var && variables.contains(var)) found = var;
  });
  return found;
}

/// A break that leaves the loop whose body it is.
const Stmt* breakIn(const Stmt* s) {
  if (!s || isa<ForStmt, WhileStmt, DoStmt, SwitchStmt, CXXForRangeStmt, LambdaExpr>(s)) return nullptr;
  if (isa<BreakStmt>(s)) return s;
  if (const auto* construct = dyn_cast<OpenACCConstructStmt>(s)) return breakIn(statementOf(*construct));
  for (const Stmt* child : s->children())
    if (const Stmt* found = breakIn(child)) return found;
  return nullptr;
}

/// The loop that is the statement, or among the statements of the block.
const ForStmt* loopOf(const Stmt* s) {
  if (!s) return nullptr;
  if (const auto* loop = dyn_cast<ForStmt>(s)) return loop;
  if (const auto* attributed = dyn_cast<AttributedStmt>(s)) return loopOf(attributed->getSubStmt());
  if (const auto* construct = dyn_cast<OpenACCConstructStmt>(s)) return loopOf(statementOf(*construct));
  if (const auto* block = dyn_cast<CompoundStmt>(s))
    for (const Stmt* child : block->body())
      if (const ForStmt* found = loopOf(child)) return found;
  return nullptr;
}

}  // namespace

void checkLoops(AccReader& reader, const UnitImporter& unit, const OpenACCConstructStmt& construct,
                const AccReport& report) {
  unsigned depth = 1;
  bool isSeq = false, isAuto = construct.getDirectiveKind() == OpenACCDirectiveKind::KernelsLoop;
  bool isForced = false;
  std::string grouping;
  if (const auto* loop = dyn_cast<OpenACCLoopConstruct>(&construct))
    isAuto = loop->getParentComputeConstructKind() == OpenACCDirectiveKind::Kernels ||
             loop->getParentComputeConstructKind() == OpenACCDirectiveKind::KernelsLoop;
  for (const OpenACCClause* one : reader.chosen(construct.clauses())) {
    isSeq |= isa<OpenACCSeqClause>(one);
    isAuto |= isa<OpenACCAutoClause>(one);
    if (isa<OpenACCIndependentClause, OpenACCGangClause, OpenACCWorkerClause, OpenACCVectorClause>(one))
      isAuto = false;
    if (const auto* collapse = dyn_cast<OpenACCCollapseClause>(one)) {
      grouping = "collapse";
      const Expr* count = collapse->getLoopCount();
      Expr::EvalResult value;
      if (count && !count->isValueDependent() && count->EvaluateAsInt(value, unit.ast))
        depth = unsigned(value.Val.getInt().getZExtValue());
      isForced = collapse->hasForce();
    }
    if (const auto* tile = dyn_cast<OpenACCTileClause>(one)) {
      grouping = "tile";
      depth = unsigned(tile->getSizeExprs().size());
    }
  }
  std::set<const VarDecl*> outer;
  const Stmt* at = statementOf(construct);
  for (unsigned level = 0; level < depth; ++level) {
    const ForStmt* loop = loopOf(at);
    if (!loop) return;  // Clang asks for as many loops
    const VarDecl* counter = counterOf(*loop);
    if (level > 0 && !isForced) {
      for (const Stmt* bound :
           {static_cast<const Stmt*>(loop->getInit()), static_cast<const Stmt*>(loop->getCond()),
            static_cast<const Stmt*>(loop->getInc())})
        if (const VarDecl* found = bound ? namesOneOf(bound, outer) : nullptr)
          report(bound->getBeginLoc(), "'" + grouping + "' takes in a loop whose bounds hang on '" +
                                           found->getNameAsString() + "' of a loop around it");
    }
    if (!isSeq && counter && assignedIn(loop->getBody()).contains(counter))
      report(loop->getBeginLoc(), "the body of the loop changes its counter '" + counter->getNameAsString() +
                                      "', so that its iterations cannot be counted");
    if (!isSeq && !isAuto)
      if (const Stmt* out = breakIn(loop->getBody()))
        report(out->getBeginLoc(),
               "'break' leaves a loop whose iterations run in parallel; say 'seq' or take it out");
    if (counter) outer.insert(counter);
    at = loop->getBody();
  }
}

}  // namespace hone::frontend
