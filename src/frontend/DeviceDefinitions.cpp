#include "frontend/DeviceDefinitions.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/Attr.h"
#include "clang/AST/DeclTemplate.h"
#include "clang/AST/DynamicRecursiveASTVisitor.h"
#include "clang/AST/Mangle.h"
#include "frontend/RunGuarded.h"

namespace hone::frontend {

using namespace clang;

namespace {

bool isOnDevice(const VarDecl& var) {
  return (var.hasAttr<CUDADeviceAttr>() || var.hasAttr<CUDAConstantAttr>()) && var.hasGlobalStorage() &&
         !var.isStaticLocal() && !var.isInline() && !var.hasAttr<CUDASharedAttr>() &&
         var.hasExternalFormalLinkage();
}

class DefinitionFinder : public DynamicRecursiveASTVisitor {
 public:
  explicit DefinitionFinder(const UnitImporter& importer) : unit(importer) {
    ShouldVisitTemplateInstantiations = true;  // explicit ones are definitions
  }
  std::vector<const FunctionDecl*> functions;
  std::vector<const VarDecl*> variables, elsewhere;

  bool TraverseDecl(Decl* d) override {
    if (d && !isa<TranslationUnitDecl>(d) && !unit.isUserCode(d->getLocation()) &&
        !isa<LinkageSpecDecl, NamespaceDecl>(d))
      return true;
    return DynamicRecursiveASTVisitor::TraverseDecl(d);
  }
  bool TraverseStmt(Stmt*) override { return true; }

  bool VisitFunctionDecl(FunctionDecl* fn) override {
    if (!fn->hasAttr<CUDADeviceAttr>() || fn->hasAttr<CUDAGlobalAttr>() || fn->isDependentContext() ||
        !fn->doesThisDeclarationHaveABody() || !fn->hasExternalFormalLinkage())
      return true;
    const GVALinkage linkage = unit.ast.GetGVALinkageForFunction(fn);
    if (linkage == GVA_StrongExternal || linkage == GVA_StrongODR) functions.push_back(fn);
    return true;
  }

  bool VisitVarDecl(VarDecl* var) override {
    if (!isOnDevice(*var) || var->getDeclContext()->isDependentContext()) return true;
    const VarDecl* definition = var->getDefinition();
    if (definition == var)
      variables.push_back(var);
    else if (!definition && var->getCanonicalDecl() == var)
      elsewhere.push_back(var);
    return true;
  }

 private:
  const UnitImporter& unit;
};

void findDefinitions(DefinitionFinder& finder, const UnitImporter& unit) {
  for (Decl* d : unit.ast.getTranslationUnitDecl()->noload_decls()) finder.TraverseDecl(d);
}

template <class Import>
DeviceDefinition definitionOf(const NamedDecl& decl, UnitImporter& unit, const Import& import) {
  DeviceDefinition made;
  made.linkageName = ASTNameGenerator(unit.ast).getName(&decl);
  made.name = unit.qualifiedName(decl);
  made.loc = unit.loc(decl.getLocation());
  const Crash crash = runGuarded([&] {
    try {
      import(made);
    } catch (const Refusal& refusal) {
      made.reason = refusal.reason;
      made.reasonLoc = refusal.loc;
    }
  });
  if (crash) {
    made.reason = "internal: hone failed while importing it (" + crash.what + "); please report";
    made.reasonLoc = made.loc;
  }
  return made;
}

}  // namespace

std::vector<DeviceDefinition> deviceDefinitions(UnitImporter& unit) {
  DefinitionFinder finder(unit);
  findDefinitions(finder, unit);
  std::vector<DeviceDefinition> out;
  for (const FunctionDecl* fn : finder.functions)
    out.push_back(definitionOf(
        *fn, unit, [&](DeviceDefinition& made) { made.function = unit.function(*fn, fn->getLocation()); }));
  for (const VarDecl* var : finder.variables)
    out.push_back(definitionOf(
        *var, unit, [&](DeviceDefinition& made) { made.variable = unit.global(*var, var->getLocation()); }));
  return out;
}

std::vector<ir::VarPtr> variablesFromElsewhere(UnitImporter& unit) {
  DefinitionFinder finder(unit);
  findDefinitions(finder, unit);
  std::vector<ir::VarPtr> out;
  for (const VarDecl* var : finder.elsewhere) {
    if (!var->isReferenced() && !var->isUsed()) continue;
    try {
      out.push_back(unit.global(*var, var->getLocation()));
    } catch (const Refusal&) {
      // Kernels that use it have the reason.
    }
  }
  return out;
}

}  // namespace hone::frontend
