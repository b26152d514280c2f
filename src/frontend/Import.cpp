// Finds kernels and launches in a parsed file and imports them.
#include "frontend/Import.h"

#include <algorithm>

#include "clang/AST/ASTContext.h"
#include "clang/AST/Attr.h"
#include "clang/AST/DeclTemplate.h"
#include "clang/AST/DynamicRecursiveASTVisitor.h"
#include "clang/AST/Mangle.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Lex/Lexer.h"
#include "frontend/DeclaredNames.h"
#include "frontend/HostLoops.h"
#include "frontend/Importer.h"
#include "frontend/Specialization.h"
#include "ir/InferSpaces.h"

namespace hone::frontend {

using namespace clang;
namespace ir = hone::ir;

namespace {

bool isKernel(const FunctionDecl& fn) {
  return fn.hasAttr<CUDAGlobalAttr>() || fn.hasAttr<DeviceKernelAttr>();
}

/// Collects kernel definitions, launches, other uses of kernels, and kernel source in strings.
class Finder : public DynamicRecursiveASTVisitor {
 public:
  explicit Finder(UnitImporter& importer) : unit(importer) { ShouldVisitImplicitCode = false; }

  std::vector<const FunctionDecl*> kernels;
  std::vector<const FunctionTemplateDecl*> uninstantiated;
  std::vector<ImportedLaunch> launches;
  std::vector<KernelDeclaration> declarations;
  std::set<const FunctionDecl*> addressTaken;
  std::vector<FileRange> strings;

  bool TraverseDecl(Decl* d) override {
    if (d && !isa<TranslationUnitDecl>(d) && !unit.isUserCode(d->getLocation()) &&
        !isa<LinkageSpecDecl, NamespaceDecl>(d))
      return true;
    const FunctionDecl* outer = inside;
    if (auto* fn = dyn_cast_or_null<FunctionDecl>(d)) inside = fn;
    const bool goesOn = DynamicRecursiveASTVisitor::TraverseDecl(d);
    inside = outer;
    return goesOn;
  }

  bool VisitFunctionDecl(FunctionDecl* fn) override {
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
    ImportedLaunch found;
    found.launch.form = ir::Launch::Form::Chevrons;
    nameKernel(e->getCallee(), found, *e);
    const CallExpr* config = e->getConfig();
    std::string* parts[4] = {&found.launch.grid, &found.launch.block, &found.launch.shared,
                             &found.launch.stream};
    for (unsigned i = 0; config && i < config->getNumArgs() && i < 4; ++i)
      if (!isa<CXXDefaultArgExpr>(config->getArg(i)))
        *parts[i] = launchText(config->getArg(i)->getSourceRange());
    for (const Expr* arg : e->arguments()) found.launch.args.push_back(launchText(arg->getSourceRange()));
    if (config && !e->getBeginLoc().isMacroID() && !e->getEndLoc().isMacroID()) {
      found.callee = launchText(e->getCallee()->getSourceRange());
      readArguments(found, *config, *e);
    }
    if (inside) found.iteration = hostIteration(*e, *inside, unit);
    add(std::move(found), *e);
    return true;
  }

  bool VisitCallExpr(CallExpr* e) override {
    const FunctionDecl* callee = e->getDirectCallee();
    if (isa<CUDAKernelCallExpr>(e) || !callee || !callee->getDeclName().isIdentifier() || e->getNumArgs() < 4)
      return true;
    const bool plain = callee->getName() == "cudaLaunchKernel",
               cooperative = callee->getName() == "cudaLaunchCooperativeKernel";
    if (!plain && !cooperative) return true;
    ImportedLaunch found;
    found.launch.form = plain ? ir::Launch::Form::LaunchKernel : ir::Launch::Form::Cooperative;
    nameKernel(e->getArg(0), found, *e);
    std::string* parts[] = {nullptr, &found.launch.grid,   &found.launch.block,
                            nullptr, &found.launch.shared, &found.launch.stream};
    for (unsigned i = 1; i < e->getNumArgs() && i < 6; ++i) {
      if (isa<CXXDefaultArgExpr>(e->getArg(i))) continue;
      std::string text = launchText(e->getArg(i)->getSourceRange());
      if (i == 3)
        found.launch.args.push_back(text);
      else
        *parts[i] = text;
    }
    readPointers(found, *e);
    add(std::move(found), *e);
    return true;
  }

  bool VisitDeclRefExpr(DeclRefExpr* e) override {
    if (const auto* var = dyn_cast<VarDecl>(e->getDecl());
        var && var->isLocalVarDecl() && var->getType()->isArrayType())
      if (!argumentArrays.contains(e)) ++otherUses[var];
    const auto* fn = dyn_cast<FunctionDecl>(e->getDecl());
    if (fn && isKernel(*fn) && !launched.contains(e)) addressTaken.insert(fn->getCanonicalDecl());
    return true;
  }

  bool VisitStringLiteral(StringLiteral* s) override {
    if (s->getCharByteWidth() != 1) return true;
    const llvm::StringRef text = s->getString();
    if ((text.contains("__kernel") || text.contains("__global__")) && text.contains("void") &&
        text.contains('('))
      if (FileRange r = unit.fileRange(s->getBeginLoc(), s->getEndLoc()); r.valid()) strings.push_back(r);
    return true;
  }

  /// After the walk: an array of arguments that is used for anything but launches may hold something else by
  /// then.
  void checkArgumentArrays() {
    for (const auto& [launch, var] : pointerLaunches)
      if (otherUses.contains(var)) launches[launch].unpatchable = "its arguments cannot be read off";
  }

 private:
  // As written, also where all of it comes out of a macro: `THREADS`, not what that stands for.
  std::string launchText(SourceRange range) const {
    const CharSourceRange written =
        Lexer::makeFileCharRange(CharSourceRange::getTokenRange(range), unit.sources, unit.ast.getLangOpts());
    if (written.isInvalid()) return "";
    return Lexer::getSourceText(written, unit.sources, unit.ast.getLangOpts()).str();
  }

  void declared(const FunctionDecl& fn) {
    if (fn.getDescribedFunctionTemplate() || fn.isDependentContext() || fn.getEndLoc().isMacroID() ||
        fn.getTemplateSpecializationInfo())
      return;
    const SourceLocation end =
        Lexer::findLocationAfterToken(fn.getEndLoc(), tok::semi, unit.sources, unit.ast.getLangOpts(), false);
    if (end.isInvalid()) return;
    FileRange range =
        unit.fileRange(unit.sources.getExpansionLoc(fn.getOuterLocStart()), end.getLocWithOffset(-1));
    if (range.valid()) declarations.push_back({ASTNameGenerator(unit.ast).getName(&fn), std::move(range)});
  }

  /// The text between the parentheses of a launch with chevrons.
  void readArguments(ImportedLaunch& found, const CallExpr& config, const CUDAKernelCallExpr& e) {
    for (const Expr* arg : e.arguments())
      if (isa<CXXDefaultArgExpr>(arg)) found.unpatchable = "it leaves out arguments that have a default";
    const auto open = Lexer::findNextToken(config.getRParenLoc(), unit.sources, unit.ast.getLangOpts());
    if (config.getRParenLoc().isMacroID() || !open || open->isNot(tok::l_paren) ||
        found.launch.grid.empty() || found.launch.block.empty()) {
      found.unpatchable = "parts of it come out of a macro";
      return;
    }
    const CharSourceRange between =
        CharSourceRange::getCharRange(open->getLocation().getLocWithOffset(1), e.getRParenLoc());
    found.arguments = Lexer::getSourceText(between, unit.sources, unit.ast.getLangOpts()).str();
  }

  /// Whether the bytes of a variable are those of the parameter that it would be passed for by value.
  bool isSameArgument(QualType given, QualType wanted) const {
    if (unit.ast.hasSameUnqualifiedType(given, wanted)) return true;
    // float* for const float*.
    const auto* from = given->getAs<PointerType>();
    const auto* to = wanted->getAs<PointerType>();
    return from && to && unit.ast.hasSameUnqualifiedType(from->getPointeeType(), to->getPointeeType()) &&
           to->getPointeeType().isAtLeastAsQualifiedAs(from->getPointeeType(), unit.ast);
  }

  /// cudaLaunchKernel: the arguments where an array of addresses stands for them that is made where it is
  /// declared and used for launches only.
  void readPointers(ImportedLaunch& found, const CallExpr& e) {
    found.unpatchable = "its arguments cannot be read off";
    if (found.launch.grid.empty() || found.launch.block.empty()) return;
    const auto* fn = dyn_cast_or_null<FunctionDecl>(kernelOf(e.getArg(0)));
    if (!fn) return;
    const Expr* list = e.getArg(3)->IgnoreParenCasts();
    if (const auto* first = dyn_cast<UnaryOperator>(list); first && first->getOpcode() == UO_AddrOf)
      if (const auto* element = dyn_cast<ArraySubscriptExpr>(first->getSubExpr()->IgnoreParens()))
        list = element->getBase()->IgnoreParenCasts();
    const auto* ref = dyn_cast<DeclRefExpr>(list);
    const auto* var = ref ? dyn_cast<VarDecl>(ref->getDecl()) : nullptr;
    const Expr* init = var && var->isLocalVarDecl() ? var->getInit() : nullptr;
    const auto* parts = init ? dyn_cast<InitListExpr>(init->IgnoreParenImpCasts()) : nullptr;
    if (!parts || parts->getNumInits() < fn->getNumParams()) return;
    argumentArrays[ref] = var;
    std::string text;
    for (unsigned i = 0; i < fn->getNumParams(); ++i) {
      const auto* address = dyn_cast<UnaryOperator>(parts->getInit(i)->IgnoreParenCasts());
      if (!address || address->getOpcode() != UO_AddrOf) return;
      const Expr* place = address->getSubExpr()->IgnoreParens();
      const auto* named = dyn_cast<DeclRefExpr>(place);
      if (!named || !isSameArgument(place->getType(), fn->getParamDecl(i)->getType())) return;
      text += (i ? ", " : "") + named->getDecl()->getNameAsString();
    }
    found.arguments = text;
    found.callee = fn->getNameAsString();
    found.unpatchable.clear();
    pointerLaunches.emplace_back(launches.size(), var);
  }

  static const ValueDecl* kernelOf(const Expr* callee) {
    const Expr* e = callee->IgnoreParenCasts();
    if (const auto* unary = dyn_cast<UnaryOperator>(e); unary && unary->getOpcode() == UO_AddrOf)
      e = unary->getSubExpr()->IgnoreParenCasts();
    const auto* ref = dyn_cast<DeclRefExpr>(e);
    return ref ? ref->getDecl() : nullptr;
  }

  void nameKernel(const Expr* callee, ImportedLaunch& found, const CallExpr& at) {
    ir::Launch& launch = found.launch;
    const Expr* e = callee;
    while (true) {
      e = e->IgnoreParenImpCasts();
      if (const auto* cast = dyn_cast<ExplicitCastExpr>(e))
        e = cast->getSubExpr();
      else if (const auto* unary = dyn_cast<UnaryOperator>(e); unary && unary->getOpcode() == UO_AddrOf)
        e = unary->getSubExpr();
      else
        break;
    }
    if (const auto* ref = dyn_cast<DeclRefExpr>(e)) {
      launched.insert(ref);
      launch.kernel = ref->getDecl()->getQualifiedNameAsString();
      if (const auto* fn = dyn_cast<FunctionDecl>(ref->getDecl())) {
        if (const TemplateArgumentList* args = fn->getTemplateSpecializationArgs())
          launch.templateArgs = templateArgumentTexts(*args, unit);
        if (isKernel(*fn) && !fn->isDependentContext())
          found.linkageName = ASTNameGenerator(unit.ast).getName(fn);
        const FunctionDecl* definition = fn;
        if (const FunctionDecl* pattern = fn->getTemplateInstantiationPattern()) definition = pattern;
        definition = definition->getDefinition();
        found.seesDefinition =
            definition && definition->hasBody() &&
            unit.sources.isBeforeInTranslationUnit(definition->getBody()->getEndLoc(), at.getBeginLoc());
      }
    } else if (const auto* overloads = dyn_cast<OverloadExpr>(e)) {
      launch.kernel = overloads->getName().getAsString();
      // In a template, whose own parameters may be among them.
      for (const TemplateArgumentLoc& arg : overloads->template_arguments())
        launch.templateArgs.push_back(unit.text(arg.getSourceRange()));
    } else {
      launch.kernel = unit.text(e->getSourceRange());
    }
  }

  void add(ImportedLaunch found, const CallExpr& e) {
    found.launch.inMacro = e.getBeginLoc().isMacroID() || e.getEndLoc().isMacroID();
    found.launch.loc = unit.loc(e.getBeginLoc());
    if (!found.launch.inMacro) found.call = unit.fileRange(e.getBeginLoc(), e.getEndLoc());
    if (found.launch.inMacro || !found.call.valid())
      found.unpatchable = "it comes out of a macro";
    else if (inside && (inside->hasAttr<CUDAGlobalAttr>() || inside->hasAttr<CUDADeviceAttr>()))
      found.unpatchable = "it stands in device code";
    launches.push_back(std::move(found));
  }

  UnitImporter& unit;
  std::set<const DeclRefExpr*> launched;
  const FunctionDecl* inside = nullptr;  // the function being walked
  std::map<const DeclRefExpr*, const VarDecl*>
      argumentArrays;                            // uses of an array as the arguments of a launch
  std::map<const VarDecl*, unsigned> otherUses;  // of local variables
  std::vector<std::pair<size_t, const VarDecl*>> pointerLaunches;
};

/// The first conditional directive inside a range, as a line; 0 when there is none.
unsigned conditionalInside(const FileRange& range, const PreprocessorRecord& record,
                           const SourceManager& sources, const FileID file) {
  for (const Conditional& c : record.conditionals) {
    if (c.range.file >= record.files.size()) continue;
    if (c.range.begin < range.begin || c.range.begin >= range.end) continue;
    auto entry = sources.getFileManager().getOptionalFileRef(record.files[c.range.file]);
    auto own = sources.getFileEntryRefForID(file);
    if (entry && own && &entry->getFileEntry() == &own->getFileEntry())
      return sources.getLineNumber(file, c.range.begin);
  }
  return 0;
}

ImportedKernel describe(const FunctionDecl& fn, UnitImporter& unit) {
  ImportedKernel k;
  k.name = fn.getNameAsString();
  k.qualifiedName = fn.getQualifiedNameAsString();
  const FunctionDecl* written = &fn;
  if (const FunctionDecl* pattern = fn.getTemplateInstantiationPattern())
    written = pattern->getDefinition() ? pattern->getDefinition() : pattern;
  k.loc = unit.loc(written->getLocation());
  k.isTemplate = written != &fn;
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

void importKernel(ImportedKernel& k, const FunctionDecl& fn, UnitImporter& unit, const ParsedSource& source) {
  const FunctionDecl* written =
      fn.getTemplateInstantiationPattern() ? fn.getTemplateInstantiationPattern() : &fn;
  if (written->getDefinition()) written = written->getDefinition();
  try {
    if (k.body.valid() && !unit.toRun) {
      const FileID file =
          unit.sources.getFileID(unit.sources.getExpansionLoc(written->getBody()->getBeginLoc()));
      if (unsigned line = conditionalInside(k.body, source.record(), unit.sources, file)) {
        if (!isa<CXXMethodDecl>(fn)) {
          try {
            k.runnable = unit.kernel(fn);
          } catch (const Refusal&) {
            k.runnable = nullptr;
          }
        }
        throw Refusal{"#if inside the kernel body", {k.loc.file, line, 1}};
      }
    }
    if (isa<CXXMethodDecl>(fn)) unit.refuse("kernel that is a class member", fn.getLocation());
    k.kernel = unit.kernel(fn);
    if (k.isTemplate) specializationHead(k, fn, unit);
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

void importParsed(const ParsedSource& source, bool toRun, ImportResult& result) {
  UnitImporter unit(source, result.module);
  unit.toRun = toRun;
  Finder finder(unit);
  for (Decl* d : source.ast().getTranslationUnitDecl()->noload_decls()) finder.TraverseDecl(d);
  finder.checkArgumentArrays();
  std::set<const FunctionDecl*> seen;
  for (const FunctionDecl* fn : finder.kernels) {
    if (!seen.insert(fn).second) continue;
    ImportedKernel k = describe(*fn, unit);
    k.linkageName = ASTNameGenerator(unit.ast).getName(fn);
    k.addressTaken = finder.addressTaken.contains(fn->getCanonicalDecl());
    // A crash costs one kernel, not the file.
    const std::string crash = runGuarded([&] { importKernel(k, *fn, unit, source); });
    if (!crash.empty()) {
      k.kernel = nullptr;
      k.reason = "internal: hone failed while importing it (" + crash + "); please report";
      k.reasonLoc = k.loc;
    }
    result.kernels.push_back(std::move(k));
  }
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
  if (!unit.openCL) {
    ir::inferSpaces(result.module);
    size_t next = 0;
    for (ImportedKernel& k : result.kernels)
      if (k.kernel) k.kernel = result.module.kernels[next++];
  }
  result.launches = std::move(finder.launches);
  giveIterations(result);
  result.declarations = std::move(finder.declarations);
  for (const ImportedLaunch& l : result.launches) result.module.launches.push_back(l.launch);
  result.declared = declaredNames(source.ast());
  result.kernelsInStrings = std::move(finder.strings);
}

}  // namespace

ImportResult importFile(const SourceRequest& request) {
  ImportResult result;
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
    if (!macro.isFunctionLike) result.macros[macro.name] = macro.body;
  result.hasErrorsOutsideHostCode = source.hasErrorsOutsideHostCode();
  std::string crash = runGuarded([&] { importParsed(source, request.toRun, result); });
  if (!crash.empty()) {
    result.parsed = false;
    result.failure = request.path + ": internal error while importing: " + crash;
    result.kernels.clear();
    result.module = {};
  }
  return result;
}

}  // namespace hone::frontend
