#include "frontend/DispatchTargets.h"

#include <algorithm>
#include <set>

#include "clang/AST/ASTContext.h"
#include "clang/AST/Attr.h"
#include "clang/AST/DynamicRecursiveASTVisitor.h"
#include "clang/AST/Mangle.h"
#include "clang/AST/RecordLayout.h"
#include "clang/Basic/SourceManager.h"

namespace hone::frontend {

using namespace clang;

namespace {

class TargetFinder : public DynamicRecursiveASTVisitor {
 public:
  explicit TargetFinder(const std::function<bool(SourceLocation)>& isUserCode) : isUserCode(isUserCode) {
    ShouldVisitImplicitCode = false;
    ShouldVisitTemplateInstantiations = true;
  }
  std::vector<const CXXRecordDecl*> classes;
  std::vector<const FunctionDecl*> functions;

  bool TraverseDecl(Decl* d) override {
    if (d && !isa<TranslationUnitDecl>(d) && !isUserCode(d->getLocation()) &&
        !isa<LinkageSpecDecl, NamespaceDecl>(d))
      return true;
    return DynamicRecursiveASTVisitor::TraverseDecl(d);
  }
  bool VisitCXXRecordDecl(CXXRecordDecl* record) override {
    if (record->isThisDeclarationADefinition() && !record->isDependentContext() && !record->isInvalidDecl() &&
        record->isPolymorphic())
      classes.push_back(record);
    return true;
  }
  bool VisitCallExpr(CallExpr* call) override {
    called.insert(call->getCallee()->IgnoreParenImpCasts());
    return true;
  }
  // As written, a list names templates; the instances stand in its other form.
  bool VisitInitListExpr(InitListExpr* list) override {
    InitListExpr* complete = list->isSemanticForm() ? nullptr : list->getSemanticForm();
    for (unsigned i = 0; complete && i < complete->getNumInits(); ++i)
      if (complete->getInit(i)) TraverseStmt(complete->getInit(i));
    return true;
  }
  bool VisitVarTemplateDecl(VarTemplateDecl* variables) override {
    for (VarTemplateSpecializationDecl* one : variables->specializations())
      if (one->hasInit()) TraverseStmt(one->getInit());
    return true;
  }
  bool VisitDeclRefExpr(DeclRefExpr* name) override {
    const auto* fn = dyn_cast<FunctionDecl>(name->getDecl());
    if (fn && !called.contains(name) && fn->hasAttr<CUDADeviceAttr>() && !fn->hasAttr<CUDAGlobalAttr>() &&
        !fn->isDependentContext() && isUserCode(fn->getLocation()) &&
        seen.insert(fn->getCanonicalDecl()).second)
      functions.push_back(fn);
    return true;
  }

 private:
  const std::function<bool(SourceLocation)>& isUserCode;
  std::set<const Expr*> called;
  std::set<const FunctionDecl*> seen;
};

}  // namespace

uint64_t dispatchId(const NamedDecl& decl) {
  ASTContext& ast = decl.getASTContext();
  std::string text;
  if (const auto* record = dyn_cast<CXXRecordDecl>(&decl))
    text = "class " + QualType(ast.getCanonicalTagType(record)).getAsString();
  else
    text = ASTNameGenerator(ast).getName(&decl);
  // What other files cannot name may be something else there.
  if (!decl.isExternallyVisible()) {
    const SourceManager& sources = ast.getSourceManager();
    if (const OptionalFileEntryRef file = sources.getFileEntryRefForID(sources.getMainFileID()))
      text += "@" + file->getName().str();
  }
  uint64_t id = 0xcbf29ce484222325u;
  for (const char c : text) id = (id ^ uint8_t(c)) * 0x100000001b3u;
  return id | 1;
}

bool hasOwnClassId(const RecordDecl& record) {
  const auto* cxx = dyn_cast<CXXRecordDecl>(&record);
  return cxx && cxx->hasDefinition() && !cxx->isDependentContext() && cxx->isPolymorphic() &&
         cxx->getASTContext().getASTRecordLayout(cxx->getDefinition()).hasOwnVFPtr();
}

std::string obstacleToDispatch(const CXXRecordDecl& record) {
  const ASTRecordLayout& layout = record.getASTContext().getASTRecordLayout(record.getDefinition());
  for (const CXXBaseSpecifier& specifier : record.bases()) {
    const CXXRecordDecl* base = specifier.getType()->getAsCXXRecordDecl();
    if (!base) continue;
    const bool isFirst = layout.getBaseClassOffset(base).isZero();
    if (base->isPolymorphic() && !isFirst) return "with several bases that have virtual functions";
    if (!base->isPolymorphic() && !base->isEmpty())
      return "with virtual functions and a base without, which holds data";
  }
  return "";
}

DispatchTargets::DispatchTargets(ASTContext& context, const std::function<bool(SourceLocation)>& isUserCode)
    : ast(context) {
  TargetFinder finder(isUserCode);
  for (Decl* d : ast.getTranslationUnitDecl()->noload_decls()) finder.TraverseDecl(d);
  classes = std::move(finder.classes);
  functions = std::move(finder.functions);
}

std::vector<const CXXRecordDecl*> DispatchTargets::objectsOf(const CXXRecordDecl& base) const {
  std::vector<const CXXRecordDecl*> found;
  for (const CXXRecordDecl* one : classes)
    if (!one->isAbstract() &&
        (one->getCanonicalDecl() == base.getCanonicalDecl() || one->isDerivedFrom(base.getDefinition())))
      found.push_back(one);
  return found;
}

std::vector<const FunctionDecl*> DispatchTargets::functionsOf(QualType type) const {
  std::vector<const FunctionDecl*> found;
  const auto* wanted = type->getAs<FunctionProtoType>();
  for (const FunctionDecl* fn : functions) {
    const auto* own = fn->getType()->getAs<FunctionProtoType>();
    if (wanted && own && ast.hasSameFunctionTypeIgnoringExceptionSpec(type, fn->getType()))
      found.push_back(fn);
  }
  return found;
}

}  // namespace hone::frontend
