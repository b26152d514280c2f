#include "frontend/AccWalk.h"

#include <algorithm>
#include <vector>

#include "clang/AST/DeclCXX.h"
#include "clang/AST/DeclOpenACC.h"
#include "clang/AST/DeclTemplate.h"
#include "clang/AST/StmtCXX.h"

namespace hone::frontend {

using namespace clang;

const Stmt* statementOf(const OpenACCConstructStmt& construct) {
  if (const auto* one = dyn_cast<OpenACCComputeConstruct>(&construct)) return one->getStructuredBlock();
  if (const auto* one = dyn_cast<OpenACCCombinedConstruct>(&construct)) return one->getLoop();
  if (const auto* one = dyn_cast<OpenACCLoopConstruct>(&construct)) return one->getLoop();
  if (const auto* one = dyn_cast<OpenACCDataConstruct>(&construct)) return one->getStructuredBlock();
  if (const auto* one = dyn_cast<OpenACCHostDataConstruct>(&construct)) return one->getStructuredBlock();
  if (const auto* one = dyn_cast<OpenACCAtomicConstruct>(&construct)) return one->getAssociatedStmt();
  return nullptr;
}

// Not by recursion: expressions may be nested deeply.
void forEachStatement(const Stmt* s, const std::function<void(const Stmt&)>& visit) {
  std::vector<const Stmt*> open = {s};
  while (!open.empty()) {
    const Stmt* one = open.back();
    open.pop_back();
    if (!one) continue;
    visit(*one);
    const size_t first = open.size();
    if (const auto* construct = dyn_cast<OpenACCConstructStmt>(one))
      open.push_back(statementOf(*construct));
    else
      for (const Stmt* child : one->children()) open.push_back(child);
    std::reverse(open.begin() + ptrdiff_t(first), open.end());
  }
}

void forEachAccDecl(const DeclContext& context, const std::function<void(const Decl&)>& visit) {
  for (const Decl* decl : context.noload_decls()) {
    if (isa<OpenACCConstructDecl>(decl)) visit(*decl);
    if (const auto* made = dyn_cast<FunctionTemplateDecl>(decl)) {
      if (made->getTemplatedDecl()->doesThisDeclarationHaveABody()) visit(*made->getTemplatedDecl());
      for (const FunctionDecl* one : made->specializations())
        if (one->doesThisDeclarationHaveABody()) visit(*one);
    }
    if (const auto* made = dyn_cast<ClassTemplateDecl>(decl)) {
      forEachAccDecl(*made->getTemplatedDecl(), visit);
      for (const ClassTemplateSpecializationDecl* one : made->specializations()) forEachAccDecl(*one, visit);
    }
    if (const auto* fn = dyn_cast<FunctionDecl>(decl)) {
      if (fn->doesThisDeclarationHaveABody()) visit(*fn);
    } else if (const auto* inner = dyn_cast<DeclContext>(decl);
               inner && (isa<NamespaceDecl, LinkageSpecDecl, RecordDecl>(decl))) {
      forEachAccDecl(*inner, visit);
    }
  }
}

bool isInstance(const FunctionDecl& fn) {
  if (fn.isTemplateInstantiation()) return true;
  for (const DeclContext* c = fn.getDeclContext(); c; c = c->getParent()) {
    if (const auto* around = dyn_cast<FunctionDecl>(c); around && around->isTemplateInstantiation())
      return true;
    if (const auto* record = dyn_cast<ClassTemplateSpecializationDecl>(c);
        record && !record->isExplicitSpecialization())
      return true;
  }
  return false;
}

}  // namespace hone::frontend
