// Statements and declarations of Clang to statements of the IR.
#include "clang/AST/ASTContext.h"
#include "clang/AST/Attr.h"
#include "clang/AST/StmtCXX.h"
#include "clang/AST/StmtOpenMP.h"
#include "clang/Basic/SourceManager.h"
#include "frontend/ConstantValues.h"
#include "frontend/Importer.h"

namespace hone::frontend {

using namespace clang;
namespace ir = hone::ir;

ir::StmtPtr BodyImporter::blockOf(const Stmt* s) {
  ir::StmtList list;
  ir::StmtList* outer = std::exchange(out, &list);
  if (const auto* compound = dyn_cast_or_null<CompoundStmt>(s))
    statements(*compound);
  else if (s)
    statement(s);
  out = outer;
  return ir::block(std::move(list), s ? loc(s) : ir::SourceLoc{});
}

void BodyImporter::commentsBefore(unsigned offset) {
  while (nextComment < pendingComments.size() && pendingComments[nextComment].begin < offset)
    emit(ir::Comment{pendingComments[nextComment++].text}, {});
}

// Comments inside a simple statement, or behind it on its line, go before it.
void BodyImporter::commentsWithin(const Stmt* s) {
  if (nextComment >= pendingComments.size()) return;
  const SourceManager& sm = unit.sources;
  const SourceLocation begin = sm.getExpansionLoc(s->getBeginLoc());
  commentsBefore(sm.getFileOffset(begin));
  if (isa<CompoundStmt, IfStmt, ForStmt, WhileStmt, DoStmt, SwitchStmt, AttributedStmt, CaseStmt,
          DefaultStmt>(s))
    return;
  const SourceLocation end = sm.getExpansionRange(s->getEndLoc()).getEnd();
  const unsigned endOffset = sm.getFileOffset(end), endLine = sm.getExpansionLineNumber(end);
  while (nextComment < pendingComments.size() &&
         (pendingComments[nextComment].begin < endOffset || pendingComments[nextComment].line == endLine))
    emit(ir::Comment{pendingComments[nextComment++].text}, {});
}

// A blank line in the source before this statement or its comment becomes an empty Comment.
void BodyImporter::blankLineBefore(const Stmt* s) {
  const SourceManager& sm = unit.sources;
  const SourceLocation begin = sm.getExpansionLoc(s->getBeginLoc());
  const auto [file, stmtOffset] = sm.getDecomposedLoc(begin);
  unsigned offset = stmtOffset;
  if (nextComment < pendingComments.size() && pendingComments[nextComment].begin < offset &&
      !pendingComments[nextComment].trailing)
    offset = pendingComments[nextComment].begin;
  const llvm::StringRef before = sm.getBufferData(file).substr(0, offset);
  const llvm::StringRef gap = before.substr(before.rtrim(" \t\r\n").size());
  if (gap.count('\n') > 1 && !before.rtrim(" \t\r\n").ends_with("{")) emit(ir::Comment{""}, {});
}

void BodyImporter::statements(const CompoundStmt& compound) {
  for (const Stmt* s : compound.body()) {
    if (keepLayout) blankLineBefore(s);
    commentsWithin(s);
    statement(s);
  }
  if (compound.getRBracLoc().isValid())
    commentsBefore(unit.sources.getFileOffset(unit.sources.getExpansionLoc(compound.getRBracLoc())));
}

void BodyImporter::statement(const Stmt* s) {
  // Every `else if` is one step deeper.
  const Nesting nesting(*this, statementDepth, unit.toRun ? deepestValue : 256, "statements", s);
  const ir::SourceLoc at = loc(s);
  if (unit.extension && unit.extension->statement(*this, *s)) return;
  if (isa<CompoundStmt>(s)) {
    out->push_back(blockOf(s));
  } else if (const auto* declarations = dyn_cast<DeclStmt>(s)) {
    for (const Decl* d : declarations->decls()) {
      if (isa<UsingDirectiveDecl, UsingDecl>(d)) localUsing = true;
      if (const auto* var = dyn_cast<VarDecl>(d))
        declaration(*var);
      else if (isa<FunctionDecl>(d))
        refuse("function declared inside a function", s);
      else if (!isa<TypedefNameDecl, StaticAssertDecl, UsingDirectiveDecl, UsingDecl, UsingShadowDecl,
                    NamespaceAliasDecl, EmptyDecl, EnumDecl, RecordDecl, LabelDecl>(d))
        refuse(std::string("declaration of kind ") + d->getDeclKindName(), s);
    }
  } else if (isa<IfStmt>(s)) {
    ifStatement(*cast<IfStmt>(s));
  } else if (isa<ForStmt, WhileStmt, DoStmt>(s)) {
    loop(s, 0);
  } else if (const auto* attributed = dyn_cast<AttributedStmt>(s)) {
    if (isa<ForStmt, WhileStmt, DoStmt>(attributed->getSubStmt()))
      loop(attributed->getSubStmt(), unrollHint(*attributed));
    else
      statement(attributed->getSubStmt());
  } else if (isa<SwitchStmt>(s)) {
    switchStatement(*cast<SwitchStmt>(s));
  } else if (isa<BreakStmt>(s)) {
    emit(ir::Break{}, at);
  } else if (isa<ContinueStmt>(s)) {
    emit(ir::Continue{}, at);
  } else if (const auto* leave = dyn_cast<ReturnStmt>(s)) {
    ir::ExprPtr v;
    if (const Expr* result = leave->getRetValue(); result && !result->getType()->isVoidType()) {
      if (fn.getReturnType()->isReferenceType())
        v = addressOf(place(result));
      else
        v = value(result);
    } else if (result) {
      fullExpression(result);
    }
    emit(ir::Return{v}, at);
  } else if (isa<NullStmt>(s)) {
  } else if (const auto* e = dyn_cast<Expr>(s)) {
    if (!assertion(e)) {
      const Expr* saved = std::exchange(fullExpr, e);
      fullExpression(e);
      fullExpr = saved;
      flushDeferred();
    }
  } else if (isa<AsmStmt>(s)) {
    assembly(*cast<AsmStmt>(s));
  } else if (isa<GotoStmt, IndirectGotoStmt>(s)) {
    refuse("goto", s);
  } else if (isa<LabelStmt>(s)) {
    refuse("label (goto target)", s);
  } else if (isa<CXXForRangeStmt>(s)) {
    refuse("range-based for", s);
  } else {
    refuse(std::string("statement of kind ") + s->getStmtClassName() + " has no place in the kernel IR", s);
  }
}

ir::VarPtr BodyImporter::declareLocal(const VarDecl& decl) {
  auto var = std::make_shared<ir::Variable>();
  var->name = decl.getNameAsString();
  var->loc = unit.loc(decl.getLocation());
  const QualType t = decl.getType();
  var->type = unit.declaredType(decl);
  var->isReference = t->isReferenceType();
  var->isConst = t.isConstQualified();
  var->isVolatile = t.isVolatileQualified();
  var->isConstexpr = decl.isConstexpr();
  if (const auto* array = unit.ast.getAsArrayType(t)) {
    const QualType element = unit.ast.getBaseElementType(QualType(array, 0));
    var->isVolatile = var->isVolatile || element.isVolatileQualified();
    var->isConst = var->isConst || element.isConstQualified();
  }
  if (const auto* align = decl.getAttr<AlignedAttr>(); align && !align->isAlignmentDependent())
    var->alignment = align->getAlignment(unit.ast) / 8;
  if (unit.openCL && t.getAddressSpace() == LangAS::opencl_local) var->space = ir::Space::Shared;
  if (unit.openCL && t.getAddressSpace() == LangAS::opencl_constant) var->space = ir::Space::Constant;
  if (decl.hasAttr<CUDASharedAttr>()) {
    var->space = ir::Space::Shared;
    var->isDynamicShared =
        decl.hasExternalStorage() || (var->type->is(ir::TypeKind::Array) && var->type->extent < 0);
  }
  return var;
}

void BodyImporter::declaration(const VarDecl& decl) {
  const ir::SourceLoc at = unit.loc(decl.getLocation());
  if (decl.isInvalidDecl())
    unit.unexpected("error in the declaration of '" + decl.getNameAsString() + "'", decl.getLocation());
  if (unit.runsDestructor(decl.getType()))
    unit.refuse("object '" + decl.getNameAsString() + "' with a destructor", decl.getLocation());
  if (isFlatArray(decl.getType(), unit.ast))
    unit.refuse("array '" + decl.getNameAsString() + "' whose length is known only at run time",
                decl.getLocation());
  noteLengths(decl.getType(), decl.getNameAsString());
  ir::VarPtr var = declareLocal(decl);
  const bool shared = var->space == ir::Space::Shared;
  if (decl.isStaticLocal() && !shared && !(decl.isConstexpr() || decl.getType().isConstQualified()) &&
      !unit.openCL)
    unit.refuse("static variable '" + decl.getNameAsString() + "' in device code", decl.getLocation());
  if (decl.isStaticLocal() && !shared && !unit.openCL) {  // a constant table
    auto table = std::make_shared<ir::Variable>(*var);
    table->isConst = true;
    var = table;
  }
  if (isa<DecompositionDecl>(decl)) unit.refuse("structured binding", decl.getLocation());
  ir::ExprPtr init;
  if (const Expr* e = decl.getInit(); e && !shared) {
    const Expr* saved = std::exchange(fullExpr, e);
    if (var->isReference) {
      const Expr* bound = unwrap(e);
      if (isa<MaterializeTemporaryExpr>(bound)) {  // const T& x = value: a value with a name
        auto held = std::make_shared<ir::Variable>(*var);
        held->isReference = false;
        held->isConst = true;
        held->type = unit.type(decl.getType().getNonReferenceType(), decl.getLocation());
        var = held;
        init = rootValue(e);
      } else {
        init = addressOf(place(e));
      }
    } else if (const auto* made = dyn_cast<CXXConstructExpr>(unwrap(e))) {
      const Expr* root = std::exchange(rootCall, made);
      init = construct(*made);
      rootCall = root;
    } else if (const auto* text = dyn_cast<StringLiteral>(unwrap(e))) {
      init = characters(*text, var->type);
    } else {
      init = rootValue(e);
    }
    fullExpr = saved;
  }
  locals[&decl] = var;
  if (decl.isStaticLocal()) unit.staticLocals[&decl] = var;
  emit(ir::Declare{var, init}, at);
  flushDeferred();
}

void BodyImporter::ifStatement(const IfStmt& s) {
  const ir::SourceLoc at = loc(&s);
  if (s.isConstexpr()) {
    if (std::optional<const Stmt*> taken = s.getNondiscardedCase(unit.ast)) {
      if (s.getInit()) statement(s.getInit());
      if (*taken) out->push_back(blockOf(*taken));
      return;
    }
  }
  if (s.isConsteval()) refuse("if consteval", &s);
  ir::StmtList own;
  ir::StmtList* outer = out;
  const bool scoped = s.getInit() || s.getConditionVariable();
  if (scoped) out = &own;
  if (s.getInit()) statement(s.getInit());
  if (s.getConditionVariable()) declaration(*s.getConditionVariable());
  ir::ExprPtr cond = condition(s.getCond());
  ir::StmtPtr yes = blockOf(s.getThen());
  ir::StmtPtr no = s.getElse() ? blockOf(s.getElse()) : nullptr;
  if (no && no->as<ir::Block>()->stmts.empty()) no = nullptr;
  emit(ir::If{cond, yes, no}, at);
  if (scoped) {
    out = outer;
    out->push_back(ir::block(std::move(own), at));
  }
}

void BodyImporter::switchStatement(const SwitchStmt& s) {
  const ir::SourceLoc at = loc(&s);
  if (s.getInit() || s.getConditionVariable()) {  // { declaration; switch … }
    ir::StmtList own;
    ir::StmtList* outerList = std::exchange(out, &own);
    if (s.getInit()) statement(s.getInit());
    if (s.getConditionVariable()) declaration(*s.getConditionVariable());
    switchCases(s);
    out = outerList;
    out->push_back(ir::block(std::move(own), at));
    return;
  }
  switchCases(s);
}

void BodyImporter::switchCases(const SwitchStmt& s) {
  const ir::SourceLoc at = loc(&s);
  ir::Switch node;
  node.value = value(s.getCond());
  const auto* compound = dyn_cast<CompoundStmt>(s.getBody());
  if (!compound) refuse("switch without braces", &s);
  ir::StmtList* outer = out;
  // Labels below other statements (a jump into a loop or block) have no place here. Clang lists the last one
  // first.
  const SwitchCase* nested = nullptr;
  for (const SwitchCase* label = s.getSwitchCaseList(); label; label = label->getNextSwitchCase()) {
    bool direct = false;
    for (const Stmt* child : compound->body())
      for (const Stmt* l = child; const auto* as = dyn_cast<SwitchCase>(l); l = as->getSubStmt())
        direct = direct || as == label;
    if (!direct) nested = label;
  }
  if (nested) refuse("case label inside a nested statement", nested);
  auto leaveLabels = [&](const Stmt* labelled) {
    // Several labels in a row belong to one case.
    ir::SwitchCase made;
    const Stmt* rest = labelled;
    while (const auto* label = dyn_cast<SwitchCase>(rest)) {
      if (const auto* c = dyn_cast<CaseStmt>(label)) {
        if (c->caseStmtIsGNURange()) refuse("case range", c);
        ir::ExprPtr v = value(c->getLHS());
        made.values.push_back(v);
      } else {
        made.isDefault = true;
      }
      rest = label->getSubStmt();
    }
    node.cases.push_back(std::move(made));
    return rest;
  };
  for (const Stmt* child : compound->body()) {
    const Stmt* rest = child;
    if (isa<SwitchCase>(child))
      rest = leaveLabels(child);
    else if (node.cases.empty())
      refuse("statement before the first case", child);
    out = &node.cases.back().body;
    commentsWithin(child);
    statement(rest);
    out = outer;
  }
  emit(std::move(node), at);
}

void BodyImporter::fullExpression(const Expr* e) {
  e = unwrap(e);
  if (e->containsErrors()) refuse("code that Clang could not understand", e);
  if (const auto* m = dyn_cast<MaterializeTemporaryExpr>(e)) e = unwrap(m->getSubExpr());
  if (assertion(e)) return;
  if (const auto* x = dyn_cast<BinaryOperator>(e)) {
    if (x->isAssignmentOp()) {
      assignment(*x, false);
      return;
    }
    if (x->getOpcode() == BO_Comma) {
      fullExpression(x->getLHS());
      flushDeferred();
      fullExpression(x->getRHS());
      return;
    }
  }
  if (const auto* x = dyn_cast<UnaryOperator>(e); x && x->isIncrementDecrementOp()) {
    increment(*x, false);
    return;
  }
  if (const auto* x = dyn_cast<CastExpr>(e);
      x && (x->getCastKind() == CK_ToVoid || x->getCastKind() == CK_NoOp ||
            x->getCastKind() == CK_LValueToRValue)) {
    fullExpression(x->getSubExpr());
    return;
  }
  if (const auto* x = dyn_cast<ConditionalOperator>(e); x && x->getType()->isVoidType()) {
    ir::ExprPtr cond = condition(x->getCond());
    const Expr* saved = std::exchange(fullExpr, nullptr);
    ir::StmtList yes, no;
    ir::StmtList* outer = std::exchange(out, &yes);
    fullExpression(x->getTrueExpr());
    out = &no;
    fullExpression(x->getFalseExpr());
    out = outer;
    fullExpr = saved;
    emit(ir::If{cond, ir::block(std::move(yes), loc(x)),
                no.empty() ? nullptr : ir::block(std::move(no), loc(x))},
         loc(x));
    return;
  }
  if (isa<CallExpr>(e)) {
    const Expr* saved = std::exchange(rootCall, e);
    ir::ExprPtr result = call(*cast<CallExpr>(e));
    rootCall = saved;
    if (const auto* c = ir::as<ir::Call>(result)) {
      const bool pure = c->intrinsic ? c->intrinsic->isPure() : c->function->isPure();
      if (!pure) emit(ir::Eval{result}, loc(e));
    }
    return;
  }
  if (e->isGLValue())
    place(e);
  else
    value(e);
}

}  // namespace hone::frontend
