// declare and routine, and what the whole file says of a variable or a function.
#include "clang/AST/ASTContext.h"
#include "clang/AST/Attr.h"
#include "clang/AST/Mangle.h"
#include "frontend/AccKinds.h"
#include "frontend/AccReader.h"
#include "frontend/AccText.h"
#include "frontend/AccWalk.h"
#include "frontend/ConstantValues.h"

namespace hone::frontend {

using namespace clang;

void AccReader::lookAtFile() {
  if (std::exchange(hasLooked, true)) return;
  const auto take = [&](llvm::ArrayRef<const OpenACCClause*> clauses, bool isDeclare) {
    for (const OpenACCClause* clause : clauses) {
      const std::optional<AccDataKind> kind = dataKindOf(clause->getClauseKind());
      if (!kind) continue;
      const bool brings = *kind == AccDataKind::Copy || *kind == AccDataKind::CopyIn ||
                          *kind == AccDataKind::CopyOut || *kind == AccDataKind::Create ||
                          *kind == AccDataKind::DeviceResident || *kind == AccDataKind::Link;
      for (const Expr* e : operandsOf(*clause)) {
        const Expr* whole = plain(e);
        while (const auto* section = dyn_cast<ArraySectionExpr>(whole)) {
          if (!isDeclare) break;
          whole = plain(section->getBase());
        }
        const auto* name = dyn_cast<DeclRefExpr>(whole);
        const auto* var = name ? dyn_cast<VarDecl>(name->getDecl()) : nullptr;
        if (!var) continue;
        const bool isPointer = var->getType().getNonReferenceType()->isPointerType();
        if (isDeclare && var->hasGlobalStorage()) declaredVariables.emplace(var->getFirstDecl(), *kind);
        if (isPointer && brings && (!isDeclare || var->hasGlobalStorage()))
          pointersNamed.insert(var->getFirstDecl());
      }
    }
  };
  const auto takeDecl = [&](const Decl& decl) {
    if (const auto* declare = dyn_cast<OpenACCDeclareDecl>(&decl)) take(declare->clauses(), true);
    const auto* routine = dyn_cast<OpenACCRoutineDecl>(&decl);
    if (!routine || !routine->getFunctionReference()) return;
    if (const auto* name = dyn_cast<DeclRefExpr>(plain(routine->getFunctionReference())))
      if (const auto* fn = dyn_cast<FunctionDecl>(name->getDecl()))
        routinesByName[fn->getCanonicalDecl()].push_back(routine);
  };
  forEachAccDecl(*unit.ast.getTranslationUnitDecl(), [&](const Decl& decl) {
    takeDecl(decl);
    const auto* fn = dyn_cast<FunctionDecl>(&decl);
    if (!fn || !unit.isUserCode(fn->getLocation())) return;
    forEachStatement(fn->getBody(), [&](const Stmt& s) {
      if (const auto* declarations = dyn_cast<DeclStmt>(&s))
        for (const Decl* one : declarations->decls()) takeDecl(*one);
      const auto* construct = dyn_cast<OpenACCConstructStmt>(&s);
      if (!construct) return;
      take(construct->clauses(), false);
      // Templates come before their instantiations.
      writtenConstructs.emplace(construct->getBeginLoc().getRawEncoding(), construct);
    });
  });
}

bool AccReader::namesPointer(const VarDecl& var) {
  lookAtFile();
  return pointersNamed.contains(var.getFirstDecl());
}

const std::map<const VarDecl*, AccDataKind>& AccReader::declared() {
  lookAtFile();
  return declaredVariables;
}

AccDirective AccReader::declare(const OpenACCDeclareDecl& decl, const CompoundStmt* around) {
  AccDirective made;
  made.kind = AccDirectiveKind::Declare;
  made.loc = unit.loc(decl.getLocation());
  made.isGlobal = !around;
  const std::optional<AccPlace> where = place(decl, around);
  if (!where) throw Refusal{"the declare directive comes out of a macro or a header", made.loc};
  made.place = *where;
  for (AccOperand& one : data(decl.clauses())) {
    const auto* var = dyn_cast_or_null<VarDecl>(one.root);
    if (var && var->hasGlobalStorage()) one.data.linkName = ASTNameGenerator(unit.ast).getName(var);
    made.data.push_back(std::move(one.data));
  }
  return made;
}

std::optional<AccRoutine> AccReader::routine(const FunctionDecl& function) {
  lookAtFile();
  std::vector<const OpenACCClause*> clauses;
  bool isRoutine = false;
  const auto take = [&](llvm::ArrayRef<const OpenACCClause*> more) {
    isRoutine = true;
    for (const OpenACCClause* one : chosen(more)) clauses.push_back(one);
  };
  const FunctionDecl* pattern = function.getTemplateInstantiationPattern();
  for (const FunctionDecl* fn : {&function, pattern}) {
    if (!fn || isRoutine) continue;
    for (const FunctionDecl* one : fn->redecls())
      for (const auto* attribute : one->specific_attrs<OpenACCRoutineDeclAttr>()) take(attribute->Clauses);
    if (const auto named = routinesByName.find(fn->getCanonicalDecl()); named != routinesByName.end())
      take(named->second.front()->clauses());
  }
  if (!isRoutine) return std::nullopt;
  return routineOf(clauses);
}

// Of a function's directives: where they stand, and that they say the same.
void AccReader::checkRoutine(const FunctionDecl& function) {
  lookAtFile();
  std::optional<AccLevel> level;
  const auto look = [&](SourceLocation at, llvm::ArrayRef<const OpenACCClause*> clauses) {
    const AccLevel here = routineOf(chosen(clauses)).level;
    if (level && *level != here)
      error(at, "the 'routine' directives of '" + function.getNameAsString() + "' name different levels");
    level = here;
  };
  for (const FunctionDecl* one : function.redecls())
    for (const auto* attribute : one->specific_attrs<OpenACCRoutineDeclAttr>())
      look(one->getLocation(), attribute->Clauses);
  const auto named = routinesByName.find(function.getCanonicalDecl());
  if (named == routinesByName.end()) return;
  for (const OpenACCRoutineDecl* one : named->second) {
    look(one->getBeginLoc(), one->clauses());
    if (unit.sources.isBeforeInTranslationUnit(function.getLocation(), one->getBeginLoc()))
      error(one->getBeginLoc(), "the 'routine' directive stands behind the definition of '" +
                                    function.getNameAsString() + "'; it has to stand in front of it");
  }
}

AccRoutine AccReader::routineOf(llvm::ArrayRef<const OpenACCClause*> clauses) const {
  AccRoutine made;
  for (const OpenACCClause* one : clauses) {
    switch (one->getClauseKind()) {
      case OpenACCClauseKind::Gang: {
        made.level = AccLevel::Gang;
        const auto* gang = cast<OpenACCGangClause>(one);
        for (unsigned i = 0; i < gang->getNumExprs(); ++i)
          if (const auto [kind, e] = gang->getExpr(i); kind == OpenACCGangKind::Dim && !e->isValueDependent())
            made.gangDim = unsigned(constantInt(*e, unit.ast).value_or(1));
        break;
      }
      case OpenACCClauseKind::Worker: made.level = AccLevel::Worker; break;
      case OpenACCClauseKind::Vector: made.level = AccLevel::Vector; break;
      case OpenACCClauseKind::Seq: made.level = AccLevel::Seq; break;
      case OpenACCClauseKind::NoHost: made.noHost = true; break;
      case OpenACCClauseKind::Bind: {
        const auto* bind = cast<OpenACCBindClause>(one);
        made.bind = bind->isStringArgument() ? bind->getStringArgument()->getString().str()
                                             : bind->getIdentifierArgument()->getName().str();
        break;
      }
      default: break;
    }
  }
  return made;
}

}  // namespace hone::frontend
