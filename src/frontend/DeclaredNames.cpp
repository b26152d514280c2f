#include "frontend/DeclaredNames.h"

#include <clang/AST/ASTContext.h>
#include <clang/AST/Decl.h>
#include <clang/AST/DeclCXX.h>
#include <clang/Basic/SourceManager.h>

namespace hone::frontend {

namespace {

class NameCollector {
 public:
  explicit NameCollector(const clang::SourceManager& manager) : sources(manager) {}
  std::map<std::string, std::set<std::string>> names;

  void visit(const clang::DeclContext& scope, const std::string& space) {
    for (const clang::Decl* decl : scope.noload_decls()) {
      if (sources.isInSystemHeader(decl->getLocation())) continue;
      if (const auto* inner = llvm::dyn_cast<clang::NamespaceDecl>(decl)) {
        const bool isTransparent = inner->isAnonymousNamespace() || inner->isInline();
        visit(*inner, isTransparent ? space : inner->getQualifiedNameAsString());
      } else if (const auto* directive = llvm::dyn_cast<clang::UsingDirectiveDecl>(decl)) {
        open(*directive->getNominatedNamespace(), space);
      } else if (const auto* linkage = llvm::dyn_cast<clang::LinkageSpecDecl>(decl)) {
        visit(*linkage, space);
      } else if (const auto* list = llvm::dyn_cast<clang::EnumDecl>(decl)) {
        note(*list, space);
        if (!list->isScoped())
          for (const clang::EnumConstantDecl* one : list->enumerators()) note(*one, space);
      } else if (const auto* named = llvm::dyn_cast<clang::NamedDecl>(decl)) {
        note(*named, space);
      }
    }
  }

 private:
  // Names of a namespace that `using namespace` makes seen in another one.
  void open(const clang::NamespaceDecl& used, const std::string& space) {
    if (!opened.insert({used.getCanonicalDecl(), space}).second) return;
    for (const clang::NamespaceDecl* part : used.redecls())
      if (!sources.isInSystemHeader(part->getLocation())) visit(*part, space);
  }

  void note(const clang::NamedDecl& decl, const std::string& space) {
    if (const clang::IdentifierInfo* name = decl.getIdentifier()) names[space].insert(name->getName().str());
  }
  const clang::SourceManager& sources;
  std::set<std::pair<const clang::NamespaceDecl*, std::string>> opened;
};

}  // namespace

std::map<std::string, std::set<std::string>> declaredNames(const clang::ASTContext& context) {
  NameCollector collector(context.getSourceManager());
  collector.visit(*context.getTranslationUnitDecl(), "");
  return collector.names;
}

}  // namespace hone::frontend
