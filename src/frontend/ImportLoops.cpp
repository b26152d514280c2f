// Loops of Clang to loops of the IR.
#include "clang/AST/ASTContext.h"
#include "clang/AST/Attr.h"
#include "clang/AST/StmtCXX.h"
#include "frontend/ConstantValues.h"
#include "frontend/Importer.h"

namespace hone::frontend {

using namespace clang;
namespace ir = hone::ir;

namespace {

/// Does `continue` in s leave s to the loop around it?
bool continuesOuter(const Stmt* s) {
  if (!s) return false;
  if (isa<ContinueStmt>(s)) return true;
  if (isa<ForStmt, WhileStmt, DoStmt, CXXForRangeStmt, LambdaExpr>(s)) return false;
  for (const Stmt* child : s->children())
    if (continuesOuter(child)) return true;
  return false;
}

// !cond, with comparisons turned round where that is the same (not for floats: NaN).
ir::ExprPtr negated(const ir::ExprPtr& cond, ir::SourceLoc at) {
  if (const auto* n = ir::as<ir::Unary>(cond); n && n->op == ir::UnaryOp::Not) return n->operand;
  if (const auto* b = ir::as<ir::Binary>(cond); b && ir::isComparison(b->op)) {
    using enum ir::BinaryOp;
    const bool ordered = b->lhs->type->isInteger();
    const auto flipped = [&](ir::BinaryOp op) {
      return ir::makeExpr(cond->type, ir::Binary{op, b->lhs, b->rhs}, cond->loc);
    };
    if (b->op == Eq) return flipped(Ne);
    if (b->op == Ne) return flipped(Eq);
    if (ordered && b->op == Lt) return flipped(Ge);
    if (ordered && b->op == Le) return flipped(Gt);
    if (ordered && b->op == Gt) return flipped(Le);
    if (ordered && b->op == Ge) return flipped(Lt);
  }
  return ir::unary(ir::UnaryOp::Not, cond, at);
}

ir::StmtPtr breakUnless(const ir::ExprPtr& cond, ir::SourceLoc at) {
  ir::StmtList leave{ir::makeStmt(ir::Break{}, at)};
  return ir::makeStmt(ir::If{negated(cond, at), ir::block(std::move(leave), at), nullptr}, at);
}

}  // namespace

int BodyImporter::unrollHint(const AttributedStmt& s) {
  int hint = 0;
  for (const Attr* a : s.getAttrs()) {
    if (const auto* unroll = dyn_cast<OpenCLUnrollHintAttr>(a)) {
      hint = unroll->getUnrollHint() ? int(unroll->getUnrollHint()) : -1;
      continue;
    }
    const auto* h = dyn_cast<LoopHintAttr>(a);
    if (!h || (h->getOption() != LoopHintAttr::Unroll && h->getOption() != LoopHintAttr::UnrollCount))
      continue;
    if (h->getState() == LoopHintAttr::Disable)
      hint = 1;
    else if (h->getState() == LoopHintAttr::Numeric && h->getValue()) {
      if (auto n = constantInt(*h->getValue(), unit.ast)) hint = int(*n);
    } else
      hint = -1;
  }
  return hint;
}

void BodyImporter::loop(const Stmt* s, int unroll) {
  const Nesting nesting(*this, loopDepth, unit.toRun ? deepestValue : 12, "loops", s);
  const Expr* saved = std::exchange(fullExpr, nullptr);
  if (isa<ForStmt>(s))
    forStatement(*cast<ForStmt>(s), unroll);
  else if (isa<WhileStmt>(s))
    whileStatement(*cast<WhileStmt>(s), unroll);
  else
    doStatement(*cast<DoStmt>(s), unroll);
  fullExpr = saved;
}

void BodyImporter::forStatement(const ForStmt& s, int unroll) {
  const ir::SourceLoc at = loc(&s);
  if (s.getConditionVariable()) refuse("variable declared in a loop condition", &s);
  ir::For node;
  node.unroll = unroll;
  ir::StmtList* outer = out;

  // The start: declarations and assignments stay in the loop's head, anything else goes before it in a block
  // of its own.
  ir::StmtList init;
  out = &init;
  if (s.getInit()) statement(s.getInit());
  bool headOnly = true;
  for (const ir::StmtPtr& i : init) headOnly = headOnly && (i->is<ir::Declare>() || i->is<ir::Assign>());
  bool declares = false, assigns = false;
  for (const ir::StmtPtr& i : init) (i->is<ir::Declare>() ? declares : assigns) = true;
  headOnly = headOnly && !(declares && assigns);
  for (const ir::StmtPtr& i : init)
    if (const auto* d = i->as<ir::Declare>())
      headOnly = headOnly && d->var->space == ir::Space::Private && !d->var->isReference;
  if (headOnly)
    for (ir::StmtPtr& i : init)
      if (const auto* set = i->as<ir::Assign>(); set && !set->op)
        if (const auto* name = ir::as<ir::VarRef>(set->place); name && ownCounters.contains(name->var.get()))
          i = ir::makeStmt(ir::Declare{name->var, set->value}, i->loc);
  ir::StmtList around;
  if (headOnly)
    node.init = std::move(init);
  else
    around = std::move(init);

  ir::StmtList head;
  out = &head;
  ir::ExprPtr cond = s.getCond() ? condition(s.getCond()) : nullptr;
  out = outer;
  ir::StmtList body;
  if (head.empty()) {
    node.cond = cond;
  } else {
    body = std::move(head);
    body.push_back(breakUnless(cond, at));
  }
  ir::StmtList step;
  out = &step;
  if (s.getInc()) {
    const Expr* saved = std::exchange(fullExpr, s.getInc());
    fullExpression(s.getInc());
    fullExpr = saved;
  }
  flushDeferred();
  out = outer;
  bool simpleStep = true;
  for (const ir::StmtPtr& i : step) simpleStep = simpleStep && (i->is<ir::Assign>() || i->is<ir::Eval>());
  ir::StmtPtr inner = blockOf(s.getBody());
  const ir::StmtList& innerList = inner->as<ir::Block>()->stmts;
  body.insert(body.end(), innerList.begin(), innerList.end());
  if (simpleStep) {
    node.step = std::move(step);
  } else {
    if (continuesOuter(s.getBody())) refuse("loop step with side effects in a loop that uses continue", &s);
    body.push_back(ir::block(std::move(step), at));
  }
  // A condition that is plainly true is no condition.
  if (const auto* literal = ir::as<ir::IntLiteral>(node.cond); literal && literal->value) node.cond = nullptr;
  node.body = ir::block(std::move(body), inner->loc);
  lastFor = ir::makeStmt(std::move(node), at);
  if (around.empty()) {
    out->push_back(lastFor);
  } else {
    around.push_back(lastFor);
    out->push_back(ir::block(std::move(around), at));
  }
}

void BodyImporter::whileStatement(const WhileStmt& s, int unroll) {
  const ir::SourceLoc at = loc(&s);
  ir::StmtList head;
  ir::StmtList* outer = std::exchange(out, &head);
  if (s.getConditionVariable()) declaration(*s.getConditionVariable());
  ir::ExprPtr cond = condition(s.getCond());
  out = outer;
  ir::StmtPtr inner = blockOf(s.getBody());
  if (head.empty()) {
    emit(ir::While{cond, inner, unroll}, at);
    return;
  }
  head.push_back(breakUnless(cond, at));
  const ir::StmtList& innerList = inner->as<ir::Block>()->stmts;
  head.insert(head.end(), innerList.begin(), innerList.end());
  emit(ir::While{ir::boolLit(true, at), ir::block(std::move(head), at), unroll}, at);
}

void BodyImporter::doStatement(const DoStmt& s, int unroll) {
  const ir::SourceLoc at = loc(&s);
  ir::StmtPtr inner = blockOf(s.getBody());
  ir::StmtList tail;
  ir::StmtList* outer = std::exchange(out, &tail);
  ir::ExprPtr cond = condition(s.getCond());
  out = outer;
  if (tail.empty()) {
    emit(ir::DoWhile{inner, cond, unroll}, at);
    return;
  }
  tail.push_back(breakUnless(cond, at));
  ir::StmtList body;
  if (continuesOuter(s.getBody())) {
    // continue must still reach the condition: it is tested at the top, from the second iteration on
    auto first = std::make_shared<ir::Variable>();
    first->name = "first";
    first->type = ir::boolType();
    first->loc = at;
    emit(ir::Declare{first, ir::boolLit(true, at)}, at);
    // breaks of the test must leave the loop, so the test is not wrapped in a switch or loop
    body.push_back(ir::makeStmt(
        ir::If{ir::unary(ir::UnaryOp::Not, ir::ref(first, at), at), ir::block(std::move(tail), at), nullptr},
        at));
    body.push_back(ir::assign(ir::ref(first, at), ir::boolLit(false, at), at));
    const ir::StmtList& innerList = inner->as<ir::Block>()->stmts;
    body.insert(body.end(), innerList.begin(), innerList.end());
  } else {
    body = inner->as<ir::Block>()->stmts;
    body.insert(body.end(), tail.begin(), tail.end());
  }
  emit(ir::While{ir::boolLit(true, at), ir::block(std::move(body), at), unroll}, at);
}

}  // namespace hone::frontend
