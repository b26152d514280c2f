// One C or C++ file with OpenACC: parses it and walks over everything that may hold constructs.
#include <algorithm>

#include "clang/AST/ASTContext.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/DeclFriend.h"
#include "clang/AST/DeclTemplate.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/StmtOpenACC.h"
#include "frontend/AccBodies.h"
#include "frontend/AccFirstPrivate.h"
#include "frontend/AccUnit.h"
#include "frontend/AccWalk.h"
#include "frontend/RunGuarded.h"
#include "frontend/SourceText.h"

namespace hone::frontend {

using namespace clang;
namespace ir = hone::ir;

namespace {

bool isCompute(const Stmt& s) { return isa<OpenACCComputeConstruct, OpenACCCombinedConstruct>(s); }

bool isDataConstruct(const Stmt& s) { return isa<OpenACCDataConstruct, OpenACCHostDataConstruct>(s); }

/// Finds constructs in definitions of functions, instantiations of templates included.
class AccWalk {
 public:
  AccWalk(UnitImporter& importer, AccUnit& into)
      : unit(importer), result(into), reader(importer, into.messages), bodies(importer, reader, into) {
    unit.extension = &bodies;
  }
  ~AccWalk() { unit.extension = nullptr; }
  AccWalk(const AccWalk&) = delete;
  AccWalk& operator=(const AccWalk&) = delete;

  void walk(const Decl* d) {
    if (!d || d->isInvalidDecl()) return;
    if (const auto* directive = dyn_cast<OpenACCDeclareDecl>(d)) {
      fileDeclare(*directive);
    } else if (const auto* function = dyn_cast<FunctionDecl>(d)) {
      for (const ParmVarDecl* one : function->parameters())
        if (one->hasDefaultArg() && !one->hasInheritedDefaultArg() && !one->hasUnparsedDefaultArg() &&
            !one->hasUninstantiatedDefaultArg() && !function->isDependentContext())
          lambdas(one->getDefaultArg());
      functionBody(*function);
    } else if (const auto* made = dyn_cast<FunctionTemplateDecl>(d)) {
      for (const FunctionDecl* one : made->specializations())
        if (one->getTemplateSpecializationKind() != TSK_ExplicitSpecialization)
          if (const FunctionDecl* definition = one->getDefinition()) functionBody(*definition);
    } else if (const auto* classes = dyn_cast<ClassTemplateDecl>(d)) {
      for (const ClassTemplateSpecializationDecl* one : classes->specializations())
        if (one->getTemplateSpecializationKind() != TSK_ExplicitSpecialization) walkAll(*one);
    } else if (const auto* friends = dyn_cast<FriendDecl>(d)) {
      walk(friends->getFriendDecl());
    } else if (const auto* var = dyn_cast<VarDecl>(d)) {
      if (var->hasInit() && !var->getDeclContext()->isDependentContext()) lambdas(var->getInit());
    } else if (const auto* variables = dyn_cast<VarTemplateDecl>(d)) {
      for (const VarTemplateSpecializationDecl* one : variables->specializations())
        if (one->getTemplateSpecializationKind() != TSK_ExplicitSpecialization) lambdas(one->getInit());
    } else if (const auto* field = dyn_cast<FieldDecl>(d)) {
      if (field->hasInClassInitializer()) lambdas(field->getInClassInitializer());
    } else if (isa<NamespaceDecl, LinkageSpecDecl, CXXRecordDecl>(d)) {
      if (const auto* record = dyn_cast<CXXRecordDecl>(d); record && record->isDependentContext()) return;
      walkAll(*cast<DeclContext>(d));
    }
  }

  void walkAll(const DeclContext& context) {
    for (const Decl* d : context.decls()) walk(d);
  }

  void finish() { bodies.globals(); }

 private:
  void fileDeclare(const OpenACCDeclareDecl& decl) {
    if (needsPreprocessing(unit, decl)) result.needsPreprocessing = true;
    try {
      AccDirective made = reader.declare(decl, nullptr);
      made.isGlobal = true;
      result.directives.push_back(std::move(made));
    } catch (const Refusal& refusal) {
      result.messages.push_back({refusal.loc, refusal.reason, true});
    }
  }

  void functionBody(const FunctionDecl& fn) {
    if (!fn.doesThisDeclarationHaveABody() || fn.isDependentContext() || !seen.insert(&fn).second) return;
    if (!unit.isUserCode(fn.getLocation())) return;
    if (needsPreprocessing(unit, fn)) result.needsPreprocessing = true;
    reader.check(fn);
    bodies.routine(fn);
    const AccSite outer = std::exchange(site, {});
    site.function = &fn;
    statement(fn.getBody());
    site = outer;
  }

  /// Lambdas in the initializer of a variable at file scope or a member, or in a default argument.
  void lambdas(const Stmt* s) {
    if (!s) return;
    if (const auto* lambda = dyn_cast<LambdaExpr>(s)) return closure(*lambda);
    for (const Stmt* child : s->children()) lambdas(child);
  }

  void closure(const LambdaExpr& lambda) {
    if (const FunctionTemplateDecl* generic = lambda.getCallOperator()->getDescribedFunctionTemplate()) {
      for (const FunctionDecl* one : generic->specializations())
        if (const FunctionDecl* definition = one->getDefinition()) functionBody(*definition);
      return;
    }
    if (!seen.insert(lambda.getCallOperator()).second) return;
    const AccSite outer = site;
    site.function = lambda.getCallOperator();
    statement(lambda.getBody());
    site = outer;
  }

  void statement(const Stmt* s) {
    if (!s) return;
    if (isCompute(*s)) return compute(*cast<OpenACCConstructStmt>(s));
    if (const auto* lambda = dyn_cast<LambdaExpr>(s)) return closure(*lambda);
    if (const auto* declarations = dyn_cast<DeclStmt>(s)) {
      for (const Decl* d : declarations->decls())
        if (const auto* record = dyn_cast<CXXRecordDecl>(d)) walk(record);
    }
    const bool isData = isDataConstruct(*s);
    const AccSite outer = site;
    if (const auto* construct = dyn_cast<OpenACCConstructStmt>(s)) directive(*construct);
    if (isData) site.around.push_back(cast<OpenACCConstructStmt>(s));
    if (const auto* compound = dyn_cast<CompoundStmt>(s)) blockDeclares(*compound);
    for (const Stmt* child : s->children()) statement(child);
    if (isData || isa<CompoundStmt>(s)) site = outer;
  }

  /// Declare directives among the statements of a block hold for all of it.
  void blockDeclares(const CompoundStmt& compound) {
    for (const Stmt* child : compound.body()) {
      const auto* declarations = dyn_cast<DeclStmt>(child);
      if (!declarations) continue;
      for (const Decl* d : declarations->decls()) {
        const auto* directive = dyn_cast<OpenACCDeclareDecl>(d);
        if (!directive) continue;
        for (const OpenACCClause* clause : directive->clauses())
          if (const auto* listed = dyn_cast<OpenACCClauseWithVarList>(clause))
            for (const Expr* e : listed->getVarList())
              if (const ValueDecl* root = reader.rootOf(*e)) site.declared.insert(root);
        if (!places.insert(directive->getBeginLoc().getRawEncoding()).second) continue;
        try {
          AccDirective made = reader.declare(*directive, &compound);
          made.function = unit.qualifiedName(*site.function);
          result.directives.push_back(std::move(made));
        } catch (const Refusal& refusal) {
          result.messages.push_back({refusal.loc, refusal.reason, true});
        }
      }
    }
  }

  void directive(const OpenACCConstructStmt& construct) {
    // Instantiations of a template have one text.
    const unsigned at = construct.getBeginLoc().getRawEncoding();
    const bool isNew = places.insert(at).second;
    if (!isNew && !isInstance(*site.function)) return;
    try {
      std::optional<AccDirective> made = reader.directive(construct);
      if (!made) return;
      if (!isNew) return compare(*made);
      noteUnplaced(construct);
      made->function = unit.qualifiedName(*site.function);
      result.directives.push_back(std::move(*made));
    } catch (const Refusal& refusal) {
      result.messages.push_back({refusal.loc, refusal.reason, true});
    }
  }

  // What was read for one instantiation of a template stands in the text of all.
  void compare(const AccDirective& other) {
    for (AccDirective& known : result.directives) {
      if (known.kind != other.kind || known.place.begin != other.place.begin ||
          known.loc.line != other.loc.line || known.loc.column != other.loc.column)
        continue;
      if (!takeCommonText(known.data, other.data))
        result.messages.push_back({other.loc,
                                   "the variables and sections of this directive differ between " +
                                       known.function + " and " + unit.qualifiedName(*site.function) +
                                       ", which have one text",
                                   true});
      return;
    }
  }

  void compute(const OpenACCConstructStmt& construct) {
    noteUnplaced(construct);
    site.declaredAtFile = &reader.declared();
    AccRegion made = bodies.region(construct, site);
    if (isInstance(*site.function))
      made.instance = PredefinedExpr::ComputeName(PredefinedIdentKind::PrettyFunction, site.function);
    // Instantiations are found where their template is used.
    const auto after = [](const AccRegion& a, const AccRegion& b) {
      return a.place.file == b.place.file && a.place.begin < b.place.begin;
    };
    result.regions.insert(std::upper_bound(result.regions.begin(), result.regions.end(), made, after),
                          std::move(made));
  }

  void noteUnplaced(const OpenACCConstructStmt& construct) {
    if (!reader.place(construct)) result.needsPreprocessing = true;
  }

  UnitImporter& unit;
  AccUnit& result;
  AccReader reader;
  AccBodies bodies;
  AccSite site;
  std::set<const FunctionDecl*> seen;
  std::set<unsigned> places;  ///< of directives that were read
};

void importConstructs(const ParsedSource& source, AccUnit& result) {
  UnitImporter unit(source, result.module);
  result.isCpp = unit.ast.getLangOpts().CPlusPlus;
  AccWalk walk(unit, result);
  for (const Decl* d : source.declarations()) walk.walk(d);
  walk.finish();
}

}  // namespace

AccUnit importAcc(const SourceRequest& request) {
  AccUnit result;
  SourceRequest asked = request;
  asked.language = Language::Acc;
  asked.useCache = false;
  // Kept alive where a crash leaves it half walked over.
  auto source = std::make_unique<ParsedSource>(parse(asked));
  result.path = request.path;
  std::string text = asked.contents.value_or("");
  if (!source->hasAst() && (asked.contents || readSource(asked.path, text).empty()))
    if (std::string other = withoutFirstPrivate(text); !other.empty()) {
      asked.contents = std::move(other);
      auto again = std::make_unique<ParsedSource>(parse(asked));
      if (again->hasAst()) source = std::move(again);
    }
  if (!source->hasAst()) {
    result.failure = source->failure();
    return result;
  }
  for (const Diagnostic& diagnostic : source->diagnostics())
    result.renderedDiagnostics += diagnostic.rendering;
  const std::vector<Diagnostic>& said = source->diagnostics();
  result.hasErrors = std::any_of(said.begin(), said.end(),
                                 [](const Diagnostic& one) { return one.severity >= Severity::Error; });
  if (result.hasErrors) {
    result.parsed = true;
    return result;
  }
  if (const Crash crash = runGuarded([&] { importConstructs(*source, result); })) {
    (void)source.release();
    AccUnit failed;
    failed.path = request.path;
    failed.failure = request.path + ": " + crash.what;
    return failed;
  }
  result.parsed = true;
  return result;
}

}  // namespace hone::frontend
