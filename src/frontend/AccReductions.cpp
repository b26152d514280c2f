// Variables, and parts of variables, that loops and constructs reduce.
#include <algorithm>

#include "clang/AST/ASTContext.h"
#include "clang/AST/ExprCXX.h"
#include "frontend/AccBodies.h"
#include "frontend/AccText.h"
#include "frontend/ConstantValues.h"

namespace hone::frontend {

using namespace clang;
namespace ir = hone::ir;

// A scalar that loops of the region reduce has to come back, unless a loop around them is shared out: then
// each of its iterations has its own.
void AccBodies::noteReductions(const Stmt* s, bool isInLoop) {
  if (!s) return;
  if (const auto* construct = dyn_cast<OpenACCLoopConstruct>(s)) {
    const AccLoopClauses clauses = reader.loop(*construct);
    if (!isInLoop || clauses.gang) {
      for (const AccListedReduction& listed : clauses.reductions) noteKey(scope->reduced, listed.of.var);
      noteUnread(construct, clauses);
    }
    isInLoop = isInLoop || !clauses.isSeq;
  }
  for (const Stmt* child : s->children()) noteReductions(child, isInLoop);
}

// Clauses that Clang leaves out say what is reduced all the same.
void AccBodies::noteUnread(const Stmt* s, const AccLoopClauses& clauses) {
  if (!s || clauses.unread.empty()) return;
  if (const auto* name = dyn_cast<DeclRefExpr>(s); name && !scope->inside.contains(name->getDecl()))
    if (std::any_of(clauses.unread.begin(), clauses.unread.end(),
                    [&](const AccUnread& one) { return one.name == name->getDecl()->getNameAsString(); }))
      noteKey(scope->reduced, name->getDecl());
  for (const Stmt* child : s->children()) noteUnread(child, clauses);
}

void AccBodies::refuseUnread(const AccLoopClauses& clauses) {
  if (!clauses.unread.empty()) throw Refusal{clauses.unread.front().why, clauses.loc};
}

ir::VarPtr AccBodies::reductionVariable(BodyImporter& body, const AccListed& listed) {
  const auto* decl = dyn_cast_or_null<VarDecl>(listed.var);
  const SourceLocation at = listed.written ? listed.written->getBeginLoc() : SourceLocation();
  const bool isRegion = scope && scope->body.get() == &body;
  if (decl && (listed.isWhole || isWholeArray(*decl, listed.written))) {
    if (const auto local = body.locals.find(decl); local != body.locals.end()) return local->second;
    if (!isRegion) unit.refuse("reduction of a variable of another function", at);
    const ir::ExprPtr seen =
        captureVariable(*decl, hostName(*decl, listed.isWhole ? listed.written : nullptr), at);
    if (scope->held.contains(decl->getCanonicalDecl()))
      unit.refuse("reduction of the firstprivate array '" + decl->getNameAsString() + "'", at);
    return ir::rootVariable(seen);
  }
  if (!isRegion || !decl || body.locals.contains(decl) || !listed.written)
    unit.refuse("reduction over a part of a variable that is no element, member or section known before", at);
  return reducedPart(*decl, *listed.written->IgnoreParens());
}

bool AccBodies::isWholeArray(const VarDecl& decl, const Expr* written) const {
  const auto* section = dyn_cast_or_null<ArraySectionExpr>(written ? written->IgnoreParens() : nullptr);
  const auto* array = unit.ast.getAsConstantArrayType(decl.getType());
  if (!section || !array || !isa<DeclRefExpr>(section->getBase()->IgnoreParenImpCasts())) return false;
  const Expr* lower = section->getLowerBound();
  const Expr* length = section->getLength();
  return (!lower || constantInt(*lower, unit.ast) == 0) &&
         (!length || constantInt(*length, unit.ast) == array->getSize().getSExtValue());
}

// A part that is the same all through the region: the region sees it as an object of its own, wherever the
// body writes the same expression. A section through a pointer is an array, which the pointer then points to.
ir::VarPtr AccBodies::reducedPart(const VarDecl& decl, const Expr& written) {
  const SourceLocation at = written.getBeginLoc();
  const auto* section = dyn_cast<ArraySectionExpr>(&written);
  std::optional<int64_t> count;
  if (section) {
    const Expr* lower = section->getLowerBound();
    if (section->getLength() && isa<DeclRefExpr>(section->getBase()->IgnoreParenImpCasts()) &&
        decl.getType()->isPointerType() && (!lower || constantInt(*lower, unit.ast) == 0))
      count = constantInt(*section->getLength(), unit.ast);
  }
  if (scope->hasOwnNames || (section ? !count || *count <= 0 : !isFixedPlace(written)))
    unit.refuse("reduction over a part of a variable that is no element, member or section known before", at);
  const QualType type = section ? decl.getType()->getPointeeType() : written.getType();
  ir::TypePtr object = unit.type(type, at);
  if (section) object = ir::arrayType(object, *count);
  const auto var = parameterFor(decl);
  var->name += "_part";
  var->type = ir::pointerType(object, ir::Space::Global);
  AccData data = reader.operand(AccDataKind::Copy, written).data;
  data.isImplicit = true;
  AccCaptured captured{data.name, AccSeen::Object, var, "", -1, var->loc};
  captured.mayLieInOther = true;
  captured.host =
      section ? "(" + hostName(decl, plain(section->getBase())) + ")" : "&" + reader.hostText(written);
  scope->firstData.push_back(std::move(data));
  add(std::move(captured), Scope::From::First, scope->firstData.size() - 1);
  if (section) {
    scope->sections[decl.getCanonicalDecl()] = var;
  } else {
    llvm::FoldingSetNodeID id;
    written.Profile(id, unit.ast, true);
    scope->parts.emplace_back(id, var);
  }
  return var;
}

/// Elements and members of variables whose indices are known before the region.
bool AccBodies::isFixedPlace(const Expr& e) const {
  const Expr* at = e.IgnoreParenImpCasts();
  if (const auto* element = dyn_cast<ArraySubscriptExpr>(at))
    return isKnownBefore(element->getIdx()) && isFixedPlace(*element->getBase());
  if (const auto* member = dyn_cast<MemberExpr>(at))
    return isa<FieldDecl>(member->getMemberDecl()) && isFixedPlace(*member->getBase());
  return isa<DeclRefExpr>(at);
}

ir::ExprPtr AccBodies::part(BodyImporter& body, const Expr& e) {
  if (!scope || scope->body.get() != &body || scope->parts.empty()) return nullptr;
  llvm::FoldingSetNodeID id;
  e.Profile(id, unit.ast, true);
  const ir::SourceLoc at = unit.loc(e.getBeginLoc());
  for (const auto& [known, var] : scope->parts)
    if (known == id) return ir::deref(ir::ref(var, at), at);
  return nullptr;
}

std::vector<AccReduction> AccBodies::reductions(BodyImporter& body,
                                                const std::vector<AccListedReduction>& listed) {
  std::vector<AccReduction> made;
  for (const AccListedReduction& one : listed)
    made.push_back({one.op, reductionVariable(body, one.of), one.of.loc});
  return made;
}

}  // namespace hone::frontend
