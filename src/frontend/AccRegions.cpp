// Compute constructs to regions: clauses, the body, and data in the order in which it is entered.
#include <algorithm>

#include "clang/AST/ASTContext.h"
#include "clang/AST/ExprCXX.h"
#include "frontend/AccBodies.h"
#include "llvm/ADT/StringExtras.h"

namespace hone::frontend {

using namespace clang;
namespace ir = hone::ir;

namespace {

std::string identifierOf(const FunctionDecl& function) {
  std::string name = function.getDeclName().isIdentifier() ? function.getNameAsString() : "function";
  std::replace_if(name.begin(), name.end(), [](char c) { return !llvm::isAlnum(c) && c != '_'; }, '_');
  return name;
}

/// Variables that a statement names other than to read their value.
void findChanged(const Stmt* s, bool isRead, std::set<const ValueDecl*>& changed) {
  if (!s) return;
  if (const auto* name = dyn_cast<DeclRefExpr>(s)) {
    if (!isRead) noteKey(changed, name->getDecl());
    return;
  }
  const auto* cast = dyn_cast<CastExpr>(s);
  const bool reads = (cast && cast->getCastKind() == CK_LValueToRValue) || (isRead && isa<ParenExpr>(s));
  for (const Stmt* child : s->children()) findChanged(child, reads, changed);
}

}  // namespace

// What the body declares, and what names in it stand for.
void AccBodies::findNames(const Stmt* s) {
  if (!s) return;
  if (const auto* declarations = dyn_cast<DeclStmt>(s))
    for (const Decl* d : declarations->decls()) {
      if (const auto* var = dyn_cast<VarDecl>(d)) scope->inside.insert(var);
      scope->hasOwnNames = scope->hasOwnNames || !isa<VarDecl, StaticAssertDecl, EmptyDecl>(d);
    }
  if (const auto* given = dyn_cast<SubstNonTypeTemplateParmExpr>(s)) {
    const Expr* object = given->getReplacement()->IgnoreParenImpCasts();
    const auto* address = dyn_cast<UnaryOperator>(object);
    if (address && address->getOpcode() == UO_AddrOf) object = address->getSubExpr()->IgnoreParenImpCasts();
    const auto* name = dyn_cast<DeclRefExpr>(object);
    if (name)
      (given->isReferenceParameter() ? scope->givenReferences : scope->givenPointers)
          .emplace(cast<ValueDecl>(name->getDecl()->getCanonicalDecl()), reader.writtenText(*given));
  }
  for (const Stmt* child : s->children()) findNames(child);
}

AccRegion AccBodies::region(const OpenACCConstructStmt& construct, const AccSite& site) {
  Scope own;
  own.site = site;
  own.body = std::make_unique<BodyImporter>(unit, *site.function);
  Scope* outer = std::exchange(scope, &own);
  AccRegion& made = own.made;
  made.function = unit.qualifiedName(*site.function);
  const std::string base = identifierOf(*site.function);
  made.name = base + "_" + std::to_string(++ordinals[base]);
  made.loc = unit.loc(construct.getBeginLoc());
  const bool wasToRun = std::exchange(unit.toRun, true);
  try {
    if (auto place = reader.place(construct)) made.place = *place;
    own.clauses = reader.compute(construct);
    importBody(construct);
  } catch (const Refusal& refusal) {
    made.reason = refusal.reason;
    made.reasonLoc = refusal.loc;
    // Whoever runs it on the host has to know what it may touch.
    try {
      captureAll(own.statement);
    } catch (const Refusal&) {  // it has a reason already
    }
    if (!own.areClausesRead) made.kept.clear();
  }
  unit.toRun = wasToRun;
  if (made.place.file.empty())
    result.messages.push_back(
        {made.loc,
         made.reason.empty() ? "where the statement of this construct ends is not found" : made.reason,
         true});
  placeData();
  scope = outer;
  return std::move(own.made);
}

void AccBodies::importBody(const OpenACCConstructStmt& construct) {
  AccComputeClauses& clauses = scope->clauses;
  AccRegion& made = scope->made;
  made.construct = clauses.construct;
  made.isCombined = clauses.isCombined;
  std::copy(std::begin(clauses.numGangs), std::end(clauses.numGangs), std::begin(made.numGangs));
  made.numWorkers = clauses.numWorkers;
  made.vectorLength = clauses.vectorLength;
  made.condition = clauses.condition;
  made.isSelf = clauses.isSelf;
  made.selfIf = clauses.selfIf;
  made.async = clauses.async;
  made.wait = clauses.wait;
  const auto parts = static_cast<const Stmt&>(construct).children();
  scope->statement = parts.begin() != parts.end() ? *parts.begin() : nullptr;
  if (!scope->statement) unit.unexpected("construct without a statement", construct.getBeginLoc());
  findChanged(scope->statement, false, scope->changed);
  findNames(scope->statement);
  if (made.construct == AccConstruct::Kernels) noteHiddenChanges();
  const auto notePrivates = [&](const std::vector<AccListed>& list, std::set<const ValueDecl*>& to,
                                bool isFirst) {
    for (const AccListed& listed : list) {
      noteKey(to, listed.var);
      if (auto section = ownSection(listed, isFirst, false))
        scope->ownSections[cast<ValueDecl>(listed.var->getCanonicalDecl())] = std::move(*section);
    }
  };
  notePrivates(clauses.privates, scope->privates, false);
  notePrivates(clauses.firstPrivates, scope->firstPrivates, true);
  for (const AccListedReduction& listed : clauses.reductions) noteKey(scope->reduced, listed.of.var);
  for (const AccListedReduction& listed : clauses.loop.reductions) noteKey(scope->reduced, listed.of.var);
  noteUnread(scope->statement, clauses.loop);
  noteReductions(scope->statement, clauses.isCombined && !clauses.loop.isSeq);
  for (const ValueDecl* declared : scope->site.declared) noteKey(scope->visible, declared);
  if (scope->site.declaredAtFile)
    for (const auto& [var, kind] : *scope->site.declaredAtFile) noteKey(scope->visible, var);
  for (const OpenACCConstructStmt* around : scope->site.around)
    for (const AccOperand& operand : reader.data(around->clauses())) noteKey(scope->visible, operand.root);

  scope->areClausesRead = true;
  refuseUnread(clauses.loop);
  BodyImporter& body = *scope->body;
  body.checkTemporaries(scope->statement);
  ir::StmtList list;
  body.out = &list;
  const ir::SourceLoc at = unit.loc(scope->statement->getBeginLoc());
  made.reductions = reductions(body, clauses.reductions);
  if (clauses.isCombined)
    loop(body, scope->statement, clauses.loop);
  else
    list.push_back(body.blockOf(scope->statement));
  body.out = nullptr;
  made.body = ir::block(std::move(list), at);
}

void AccBodies::captureAll(const Stmt* s) {
  if (!s) return;
  std::set<const ValueDecl*> inside = scope->inside;
  const auto walk = [&](const auto& again, const Stmt* at) -> void {
    if (!at) return;
    if (isa<CXXThisExpr>(at)) captureSelf(unit.loc(at->getBeginLoc()));
    const auto* name = dyn_cast<DeclRefExpr>(at);
    const auto* member = dyn_cast<MemberExpr>(at);
    if (const ValueDecl* named = name ? name->getDecl() : member ? member->getMemberDecl() : nullptr)
      if (const auto* var = dyn_cast<VarDecl>(named); var && inside.insert(var).second) try {
          captureVariable(*var, hostName(*var, cast<Expr>(at)), at->getBeginLoc());
        } catch (const Refusal&) {  // the others matter all the same
        }
    for (const Stmt* child : at->children()) again(again, child);
  };
  walk(walk, s);
}

// What pointers point to is looked up behind everything that clauses enter, objects before it.
void AccBodies::placeData() {
  AccRegion& made = scope->made;
  const size_t first = scope->firstData.size(), given = scope->clauses.data.size();
  made.data = std::move(scope->firstData);
  for (AccOperand& operand : scope->clauses.data) made.data.push_back(std::move(operand.data));
  std::move(scope->lastData.begin(), scope->lastData.end(), std::back_inserter(made.data));
  for (size_t i = 0; i < made.captured.size(); ++i) {
    const auto [from, index] = scope->dataOf[i];
    switch (from) {
      case Scope::From::None: break;
      case Scope::From::First: made.captured[i].data = int(index); break;
      case Scope::From::Clauses: made.captured[i].data = int(first + index); break;
      case Scope::From::Last: made.captured[i].data = int(first + given + index); break;
    }
  }
}

}  // namespace hone::frontend
