// Finds kernels and launches in a parsed file and imports them.
#include "frontend/Import.h"

#include <algorithm>
#include <map>
#include <utility>

#include "clang/AST/ASTContext.h"
#include "clang/AST/Attr.h"
#include "clang/AST/DeclTemplate.h"
#include "clang/AST/DynamicRecursiveASTVisitor.h"
#include "clang/AST/Mangle.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Lex/Lexer.h"
#include "frontend/BuildDependence.h"
#include "frontend/DeclaredNames.h"
#include "frontend/DeviceDefinitions.h"
#include "frontend/Directives.h"
#include "frontend/Importer.h"
#include "frontend/LaunchTemplates.h"
#include "frontend/NameExpressions.h"
#include "frontend/ReadLaunches.h"
#include "frontend/RunGuarded.h"
#include "frontend/Specialization.h"
#include "frontend/UnseenLaunches.h"
#include "ir/InferSpaces.h"

namespace hone::frontend {

using namespace clang;
namespace ir = hone::ir;

namespace {

/// Collects kernel definitions, launches, other uses of kernels, and kernel source in strings.
class Finder : public DynamicRecursiveASTVisitor {
 public:
  explicit Finder(UnitImporter& importer) : reader(importer), unit(importer) {
    ShouldVisitImplicitCode = false;
    ShouldVisitTemplateInstantiations = true;  // for the launches in them
  }

  std::vector<const FunctionDecl*> kernels;
  std::vector<const FunctionTemplateDecl*> uninstantiated;
  LaunchReader reader;
  std::vector<KernelDeclaration> declarations;
  std::set<const FunctionDecl*> addressTaken;
  std::vector<FileRange> strings;
  std::vector<FileRange> device;  // bodies of functions that run there

  bool TraverseDecl(Decl* d) override {
    if (d && !isa<TranslationUnitDecl>(d) && !unit.isUserCode(d->getLocation()) &&
        !isa<LinkageSpecDecl, NamespaceDecl>(d))
      return true;
    const HostPlace outer = place;
    if (auto* fn = dyn_cast_or_null<FunctionDecl>(d))
      place = {fn, nullptr, fn->hasAttr<CUDAGlobalAttr>() || fn->hasAttr<CUDADeviceAttr>(),
               outer.isInstantiation || fn->isTemplateInstantiation()};
    const bool goesOn = DynamicRecursiveASTVisitor::TraverseDecl(d);
    place = outer;
    return goesOn;
  }

  bool TraverseLambdaExpr(LambdaExpr* e) override {
    const HostPlace outer = place;
    place.lambda = e;
    // Clang lets every lambda be called from the device too.
    const auto* marked = e->getCallOperator()->getAttr<CUDADeviceAttr>();
    place.isDevice = place.isDevice || (marked && !marked->isImplicit());
    bool goesOn = DynamicRecursiveASTVisitor::TraverseLambdaExpr(e);
    // A generic lambda's class is implicit code, its instantiations with it.
    if (const FunctionTemplateDecl* generic = e->getCallOperator()->getDescribedFunctionTemplate())
      for (FunctionDecl* made : generic->specializations()) {
        place.function = made;
        place.isInstantiation = true;
        goesOn = goesOn && (!made->hasBody() || TraverseStmt(made->getBody()));
      }
    place = outer;
    return goesOn;
  }

  bool VisitFunctionDecl(FunctionDecl* fn) override {
    if (place.isInstantiation) return true;  // kernels are found with their templates
    if ((fn->hasAttr<CUDAGlobalAttr>() || fn->hasAttr<CUDADeviceAttr>()) &&
        fn->doesThisDeclarationHaveABody())
      device.push_back(unit.fileRange(fn->getBody()->getBeginLoc(), fn->getBody()->getEndLoc()));
    if (isKernel(*fn) && !fn->isThisDeclarationADefinition()) declared(*fn);
    if (!isKernel(*fn) || !fn->isThisDeclarationADefinition()) return true;
    if (fn->getDescribedFunctionTemplate() || fn->isDependentContext()) return true;
    kernels.push_back(fn);
    return true;
  }

  bool VisitFunctionTemplateDecl(FunctionTemplateDecl* t) override {
    if (!isKernel(*t->getTemplatedDecl()) || !t->isThisDeclarationADefinition()) return true;
    bool any = false;
    for (const FunctionDecl* spec : t->specializations()) {
      if (spec->getTemplateSpecializationKind() == TSK_ExplicitSpecialization) continue;  // visited as itself
      const FunctionDecl* definition = spec->getDefinition();
      if (!definition || !definition->hasBody()) continue;
      kernels.push_back(definition);
      any = true;
    }
    if (!any) uninstantiated.push_back(t);
    return true;
  }

  bool VisitCUDAKernelCallExpr(CUDAKernelCallExpr* e) override {
    reader.chevrons(*e, place);
    return true;
  }

  bool VisitCallExpr(CallExpr* e) override {
    reader.call(*e, place);
    return true;
  }

  bool VisitDeclRefExpr(DeclRefExpr* e) override {
    reader.use(*e);
    const auto* fn = dyn_cast<FunctionDecl>(e->getDecl());
    if (fn && isKernel(*fn) && !reader.isLaunched(e)) addressTaken.insert(fn->getCanonicalDecl());
    return true;
  }

  bool VisitStringLiteral(StringLiteral* s) override {
    if (s->getCharByteWidth() != 1 || place.isInstantiation) return true;
    const llvm::StringRef text = s->getString();
    if ((text.contains("__kernel") || text.contains("__global__")) && text.contains("void") &&
        text.contains('('))
      if (FileRange r = unit.fileRange(s->getBeginLoc(), s->getEndLoc()); r.valid()) strings.push_back(r);
    return true;
  }

 private:
  void declared(const FunctionDecl& fn) {
    if (fn.getDescribedFunctionTemplate() || fn.isDependentContext() || fn.getEndLoc().isMacroID() ||
        fn.getTemplateSpecializationInfo())
      return;
    // In a class or a function no other function can be declared behind it.
    if (!fn.getLexicalDeclContext()->getRedeclContext()->isFileContext()) return;
    const SourceLocation end =
        Lexer::findLocationAfterToken(fn.getEndLoc(), tok::semi, unit.sources, unit.ast.getLangOpts(), false);
    if (end.isInvalid()) return;
    FileRange range =
        unit.fileRange(unit.sources.getExpansionLoc(fn.getOuterLocStart()), end.getLocWithOffset(-1));
    if (range.valid()) declarations.push_back({ASTNameGenerator(unit.ast).getName(&fn), std::move(range)});
  }

  UnitImporter& unit;
  HostPlace place;  // of what is being walked
};

ImportedKernel describe(const FunctionDecl& fn, UnitImporter& unit) {
  ImportedKernel k;
  k.name = fn.getNameAsString();
  k.qualifiedName = fn.getQualifiedNameAsString();
  const FunctionDecl* written = &fn;
  if (const FunctionDecl* pattern = fn.getTemplateInstantiationPattern())
    written = pattern->getDefinition() ? pattern->getDefinition() : pattern;
  k.loc = unit.loc(written->getLocation());
  k.isTemplate = written != &fn;
  k.isOutsideNamespace = !written->getDeclContext()->getRedeclContext()->Equals(
      written->getLexicalDeclContext()->getRedeclContext());
  if (const TemplateArgumentList* args = fn.getTemplateSpecializationArgs())
    k.templateArgs = templateArgumentTexts(*args, unit);
  if (const auto* body = dyn_cast_or_null<CompoundStmt>(written->getBody())) {
    k.fromMacro = body->getLBracLoc().isMacroID() || body->getRBracLoc().isMacroID();
    k.body = unit.fileRange(body->getLBracLoc(), body->getRBracLoc());
    SourceLocation begin = written->getOuterLocStart();
    if (const FunctionTemplateDecl* t = written->getDescribedFunctionTemplate())
      begin = t->getSourceRange().getBegin();
    // __global__ itself is a macro.
    k.definition = unit.fileRange(unit.sources.getExpansionLoc(begin), body->getRBracLoc());
  }
  return k;
}

void importKernel(ImportedKernel& k, const FunctionDecl& fn, UnitImporter& unit, Directives& directives) {
  try {
    if (isa<CXXMethodDecl>(fn)) unit.refuse("kernel that is a class member", fn.getLocation());
    k.kernel = unit.kernel(fn);
    if (!unit.toRun && !k.fromMacro) {
      auto made = std::make_shared<ir::Kernel>(*k.kernel);
      k.runnable = std::exchange(k.kernel, nullptr);
      made->reliesOn = buildConditions(fn, *made, unit, directives);
      k.runnable = nullptr;
      k.kernel = std::move(made);
    }
    if (k.isTemplate) specializationHead(k, fn, unit, directives);
    const bool isChosen = std::any_of(k.kernel->reliesOn.begin(), k.kernel->reliesOn.end(),
                                      [](const ir::BuildCondition& one) { return one.isDirective; });
    if (k.newTextAfter && isChosen) {
      k.specializationHead.clear();
      k.specializationRefusal = "#if chooses text of it, and a template argument is declared after it";
    }
    describeLaunchTemplate(k, fn, unit);
  } catch (const Refusal& refusal) {
    k.kernel = nullptr;
    k.reason = refusal.reason;
    k.reasonLoc = refusal.loc;
  }
}

/// Kernels whose launches all stand in loops that do the same know their iteration.
void giveIterations(ImportResult& result) {
  for (size_t i = 0, next = 0; i < result.kernels.size(); ++i) {
    ImportedKernel& k = result.kernels[i];
    if (!k.kernel) continue;
    const size_t place = next++;
    std::shared_ptr<ir::Kernel> copy;
    bool all = true;
    for (const ImportedLaunch& launch : result.launches) {
      if (launch.linkageName != k.linkageName || k.linkageName.empty()) continue;
      all = all && launch.iteration && launch.unpatchable.empty() &&
            launch.iteration->params.size() == k.kernel->params.size();
      if (!all) break;
      if (!copy) {
        copy = std::make_shared<ir::Kernel>(*k.kernel);
        copy->iteration =
            std::make_shared<const ir::HostIteration>(iterationOver(*launch.iteration, copy->params));
      }
      all = isIterationOf(*launch.iteration, *copy);
    }
    if (all && copy) result.module.kernels[place] = k.kernel = copy;
  }
}

/// Kernels that were refused, once more by the rules of what is run and never printed in its place.
void importToRun(const std::map<size_t, const FunctionDecl*>& refused, const ParsedSource& source,
                 ImportResult& result) {
  UnitImporter unit(source, result.runnableModule);
  unit.toRun = unit.kernelsToRun = true;
  std::vector<size_t> taken;
  for (const auto& [index, fn] : refused) {
    const Crash crash = runGuarded([&] {
      try {
        if (isa<CXXMethodDecl>(fn)) return;
        result.runnableModule.kernels.push_back(unit.kernel(*fn));
        taken.push_back(index);
      } catch (const Refusal&) {
        // The reason that counts is the one that was found first.
      }
    });
    (void)crash;
  }
  if (!unit.openCL) ir::inferSpaces(result.runnableModule);
  for (size_t i = 0; i < taken.size(); ++i)
    result.kernels[taken[i]].runnable = result.runnableModule.kernels[i];
}

void importParsed(const ParsedSource& source, const SourceRequest& request, ImportResult& result) {
  UnitImporter unit(source, result.module);
  const bool toRun = unit.toRun = unit.kernelsToRun = request.toRun;
  unit.linksDevice = request.linksDevice;
  Finder finder(unit);
  for (Decl* d : source.ast().getTranslationUnitDecl()->noload_decls()) finder.TraverseDecl(d);
  finder.reader.checkArgumentArrays();
  Directives directives(source);
  result.arithmeticMacros = directives.arithmeticMacros();
  std::set<const FunctionDecl*> seen;
  std::map<size_t, const FunctionDecl*> refused;
  for (const FunctionDecl* fn : finder.kernels) {
    if (!seen.insert(fn).second) continue;
    ImportedKernel k = describe(*fn, unit);
    k.linkageName = ASTNameGenerator(unit.ast).getName(fn);
    if (k.body.valid()) k.conditions = directives.conditionsAt(k.body);
    if (k.body.valid()) k.conditionalLine = directives.conditionalIn(k.body);
    k.addressTaken = finder.addressTaken.contains(fn->getCanonicalDecl());
    // A crash costs one kernel, not the file.
    const Crash crash = runGuarded([&] { importKernel(k, *fn, unit, directives); });
    if (crash) {
      k.kernel = nullptr;
      k.reason = crash.isDeep
                     ? crash.what
                     : "internal: hone failed while importing it (" + crash.what + "); please report";
      k.reasonLoc = k.loc;
    }
    if (!k.kernel && !k.runnable && !crash) refused.emplace(result.kernels.size(), fn);
    result.kernels.push_back(std::move(k));
  }
  if (!toRun && !refused.empty()) importToRun(refused, source, result);
  for (const FunctionTemplateDecl* t : finder.uninstantiated) {
    ImportedKernel k = describe(*t->getTemplatedDecl(), unit);
    k.isTemplate = true;
    k.isUninstantiated = true;
    k.reason = "template that nothing in this file instantiates";
    k.reasonLoc = k.loc;
    result.kernels.push_back(std::move(k));
  }
  std::map<std::string, size_t>
      fileOrder;  // files in order of first appearance, kernels in source order within
  for (const ImportedKernel& k : result.kernels) fileOrder.emplace(k.body.file, fileOrder.size());
  std::vector<size_t> order(result.kernels.size());
  for (size_t i = 0; i < order.size(); ++i) order[i] = i;
  std::sort(order.begin(), order.end(), [&](size_t a, size_t b) {
    auto key = [&](size_t i) {
      return std::tuple(fileOrder[result.kernels[i].body.file], result.kernels[i].body.begin, i);
    };
    return key(a) < key(b);
  });
  std::vector<ImportedKernel> sorted;
  sorted.reserve(order.size());
  for (size_t i : order) sorted.push_back(std::move(result.kernels[i]));
  result.kernels = std::move(sorted);
  for (const ImportedKernel& k : result.kernels)
    if (k.kernel) result.module.kernels.push_back(k.kernel);
  if (request.linksDevice) {
    result.deviceDefinitions = deviceDefinitions(unit);
    result.deviceDeclarations = variablesFromElsewhere(unit);
  } else if (!unit.openCL) {
    ir::inferSpaces(result.module);
    size_t next = 0;
    for (ImportedKernel& k : result.kernels)
      if (k.kernel) k.kernel = result.module.kernels[next++];
  }
  result.launches = std::move(finder.reader.launches);
  joinLaunches(result.launches);
  if (!unit.openCL)
    for (ImportedLaunch& launch : unseenLaunches(unit, result.kernels, result.launches, finder.device))
      result.launches.push_back(std::move(launch));
  giveIterations(result);
  result.declarations = std::move(finder.declarations);
  for (ImportedLaunch& l : result.launches)
    if (l.call.valid()) l.conditions = directives.conditionsAt(l.call);
  for (const ImportedLaunch& l : result.launches) result.module.launches.push_back(l.launch);
  result.declared = declaredNames(source.ast());
  result.kernelsInStrings = std::move(finder.strings);
}

}  // namespace

ImportResult importFile(const SourceRequest& asked) {
  ImportResult result;
  SourceRequest request = asked;
  if (request.contents) *request.contents += nameExpressionText(request.nameExpressions);
  result.path = request.path;
  ParsedSource source = parse(request);
  result.language = source.language();
  result.notes = source.notes();
  result.diagnostics = source.diagnostics();
  result.renderedDiagnostics = source.renderedErrors();
  result.parsed = source.hasAst();
  if (!result.parsed) {
    result.failure = source.failure();
    return result;
  }
  for (const MacroDefinition& macro : source.record().definitions)
    if (macro.isFunctionLike)
      result.functionMacros.insert(macro.name);
    else
      result.macros[macro.name] = macro.body;
  for (const Inclusion& one : source.record().inclusions)
    if (!one.resolved.empty()) result.included.push_back(one.resolved);
  result.hasErrorsOutsideHostCode = source.hasErrorsOutsideHostCode();
  result.namedInObjects = namedInObjects(source, request.nameExpressions.size());
  const Crash crash = runGuarded([&] { importParsed(source, request, result); });
  if (crash) {
    result.parsed = false;
    result.failure = crash.isDeep ? request.path + ": " + crash.what
                                  : request.path + ": internal error while importing: " + crash.what;
    result.kernels.clear();
    result.module = {};
  }
  return result;
}

}  // namespace hone::frontend
