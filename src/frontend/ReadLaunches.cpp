#include "frontend/ReadLaunches.h"

#include <algorithm>

#include "clang/AST/ASTContext.h"
#include "clang/AST/Attr.h"
#include "clang/AST/DynamicRecursiveASTVisitor.h"
#include "clang/AST/Mangle.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Lex/Lexer.h"
#include "frontend/HostLoops.h"
#include "frontend/LaunchConfiguration.h"
#include "frontend/LaunchOrder.h"
#include "frontend/LaunchTemplates.h"
#include "frontend/Specialization.h"
#include "frontend/WrittenText.h"

namespace hone::frontend {

using namespace clang;
namespace ir = hone::ir;

namespace {

const ValueDecl* kernelOf(const Expr* callee) {
  const Expr* e = callee->IgnoreParenCasts();
  if (const auto* unary = dyn_cast<UnaryOperator>(e); unary && unary->getOpcode() == UO_AddrOf)
    e = unary->getSubExpr()->IgnoreParenCasts();
  const auto* ref = dyn_cast<DeclRefExpr>(e);
  return ref ? ref->getDecl() : nullptr;
}

/// Whether something below the expression means another thing, or nothing, in the body of a closure, or lives
/// longer than a statement of it.
std::string obstacleInClosure(const Stmt& s, bool isStatement) {
  if (const auto* ref = dyn_cast<DeclRefExpr>(&s); ref && isa<BindingDecl>(ref->getDecl()))
    return "its arguments, which must be evaluated last, name a structured binding";
  if (const auto* ref = dyn_cast<DeclRefExpr>(&s); ref && ref->getDecl()->getDeclName().isEmpty())
    return "its arguments, which must be evaluated last, name a member of a union without a name";
  if (isa<ReturnStmt, BreakStmt, ContinueStmt, GotoStmt, IndirectGotoStmt, LabelStmt>(s))
    return "its arguments, which must be evaluated last, may leave the statement";
  if (isa<PredefinedExpr>(s)) return "its arguments, which must be evaluated last, name the function";
  if (isa<CoroutineSuspendExpr>(s)) return "its arguments, which must be evaluated last, wait";
  if (isa<CXXBindTemporaryExpr>(s) && !isStatement)
    return "its arguments, which must be evaluated last, make objects that live on behind it";
  if (const auto* closure = dyn_cast<LambdaExpr>(&s)) {
    // Its body is a function of its own.
    for (const Expr* captured : closure->capture_inits())
      if (captured)
        if (std::string why = obstacleInClosure(*captured, isStatement); !why.empty()) return why;
    return "";
  }
  for (const Stmt* child : s.children())
    if (child)
      if (std::string why = obstacleInClosure(*child, isStatement); !why.empty()) return why;
  return "";
}

/// There closures may capture nothing.
bool isInDefaultArgument(const Expr& e, const FunctionDecl& function, const SourceManager& sources) {
  return std::any_of(function.param_begin(), function.param_end(), [&](const ParmVarDecl* one) {
    return one->hasDefaultArg() && !sources.isBeforeInTranslationUnit(e.getBeginLoc(), one->getBeginLoc()) &&
           !sources.isBeforeInTranslationUnit(one->getEndLoc(), e.getBeginLoc());
  });
}

/// Other declarations of a name whose scope holds a place.
class HiddenBy : public ConstDynamicRecursiveASTVisitor {
 public:
  HiddenBy(const ValueDecl& named, SourceLocation place, const SourceManager& manager)
      : meant(named), at(place), sources(manager) {}
  bool found = false;

  bool TraverseStmt(const Stmt* s) override {
    if (!s || found) return true;
    const bool holds = !sources.isBeforeInTranslationUnit(at, s->getBeginLoc()) &&
                       !sources.isBeforeInTranslationUnit(s->getEndLoc(), at);
    // Declarations of a statement that ends before the place are out of scope there, but for those of a
    // declaration itself.
    if (!holds && !isa<DeclStmt>(s)) return true;
    return ConstDynamicRecursiveASTVisitor::TraverseStmt(s);
  }
  bool VisitNamedDecl(const NamedDecl* d) override {
    if (d->getCanonicalDecl() != meant.getCanonicalDecl() && d->getDeclName() == meant.getDeclName() &&
        sources.isBeforeInTranslationUnit(d->getLocation(), at) &&
        sources.isBeforeInTranslationUnit(meant.getLocation(), d->getLocation()))
      found = true;
    return true;
  }

 private:
  const ValueDecl& meant;
  SourceLocation at;
  const SourceManager& sources;
};

}  // namespace

bool isKernel(const FunctionDecl& fn) {
  return fn.hasAttr<CUDAGlobalAttr>() || fn.hasAttr<DeviceKernelAttr>();
}

void LaunchReader::chevrons(const CUDAKernelCallExpr& e, const HostPlace& place) {
  ImportedLaunch found;
  found.launch.form = ir::Launch::Form::Chevrons;
  nameKernel(e.getCallee(), found, e);
  const CallExpr* config = e.getConfig();
  std::string* parts[4] = {&found.launch.grid, &found.launch.block, &found.launch.shared,
                           &found.launch.stream};
  std::array<const Expr*, 4> written = {};
  for (unsigned i = 0, part = 0; config && i < config->getNumArgs() && part < 4; ++i) {
    const Expr* arg = config->getArg(i);
    // Where Clang takes the launch for one of the device, as in a lambda, it adds arguments of its own.
    if (arg->getBeginLoc() == config->getBeginLoc()) continue;
    if (!isa<CXXDefaultArgExpr>(arg)) {
      *parts[part] = writtenText(unit, arg->getSourceRange());
      written[part] = arg;
    }
    ++part;
  }
  std::vector<const Expr*> args(e.arguments().begin(), e.arguments().end());
  for (const Expr* arg : args) found.launch.args.push_back(writtenText(unit, arg->getSourceRange()));
  Layout layout;
  if (config && writtenAt(unit, e.getBeginLoc()).isValid() && writtenAt(unit, e.getEndLoc()).isValid()) {
    found.callee = writtenText(unit, {e.getCallee()->getBeginLoc(), kernelName});
    readArguments(found, layout, *config, e);
    for (unsigned i = 0; i < 4; ++i) {
      if (!written[i]) continue;
      if (parts[i]->empty()) found.unpatchable = "parts of it come out of a macro";
      keep(layout, *written[i]);
    }
  }
  order(found, written, args, e, place);
  if (place.function && !place.lambda && !place.isInstantiation)
    found.iteration = hostIteration(e, *place.function, unit);
  add(std::move(found), layout, e, place);
}

void LaunchReader::call(const CallExpr& e, const HostPlace& place) {
  const FunctionDecl* callee = e.getDirectCallee();
  if (isa<CUDAKernelCallExpr>(e) || !callee || !callee->getDeclName().isIdentifier()) return;
  if (callee->getName() == "cudaLaunchKernelEx" && e.getNumArgs() >= 2) return configured(e, place);
  if (e.getNumArgs() < 4) return;
  const bool plain = callee->getName() == "cudaLaunchKernel",
             cooperative = callee->getName() == "cudaLaunchCooperativeKernel";
  if (!plain && !cooperative) return;
  ImportedLaunch found;
  found.launch.form = plain ? ir::Launch::Form::LaunchKernel : ir::Launch::Form::Cooperative;
  nameKernel(e.getArg(0), found, e);
  std::string* parts[] = {nullptr, &found.launch.grid,   &found.launch.block,
                          nullptr, &found.launch.shared, &found.launch.stream};
  std::array<const Expr*, 4> written = {};
  bool isWhole = true;
  Layout layout;
  for (unsigned i = 1; i < e.getNumArgs() && i < 6; ++i) {
    if (isa<CXXDefaultArgExpr>(e.getArg(i))) continue;
    std::string text = writtenText(unit, e.getArg(i)->getSourceRange());
    if (i == 3) {
      found.launch.args.push_back(text);
      continue;
    }
    isWhole = isWhole && !text.empty();
    *parts[i] = text;
    written[i < 3 ? i - 1 : i - 2] = e.getArg(i);
    keep(layout, *e.getArg(i));
  }
  const std::vector<const Expr*> args = readPointers(found, e, place);
  if (!isWhole) found.unpatchable = "parts of it come out of a macro";
  order(found, written, args, e, place);
  add(std::move(found), layout, e, place);
}

void LaunchReader::configured(const CallExpr& e, const HostPlace& place) {
  ImportedLaunch found;
  found.launch.form = ir::Launch::Form::LaunchKernel;
  nameKernel(e.getArg(1), found, e);
  Layout layout;
  bool isWhole = true;
  for (unsigned i = 2; i < e.getNumArgs(); ++i) {
    found.launch.args.push_back(writtenText(unit, e.getArg(i)->getSourceRange()));
    found.arguments += (i > 2 ? ", " : "") + found.launch.args.back();
    isWhole = isWhole && !found.launch.args.back().empty();
    keep(layout, *e.getArg(i));
  }
  found.hasArguments = !found.arguments.empty();
  const auto* fn = dyn_cast_or_null<FunctionDecl>(kernelOf(e.getArg(1)));
  if (fn) found.callee = fn->getNameAsString();
  const VarDecl* config =
      place.function && !place.lambda ? plainConfiguration(*e.getArg(0), *place.function) : nullptr;
  if (!fn || !isWhole || fn->getNumParams() != found.launch.args.size())
    found.unpatchable = "its arguments cannot be read off";
  else if (!config)
    found.unpatchable = "its configuration may have attributes, which a launch function does not take";
  if (config) {
    const std::string name = config->getNameAsString();
    found.launch.grid = name + ".gridDim", found.launch.block = name + ".blockDim";
    found.launch.shared = name + ".dynamicSmemBytes", found.launch.stream = name + ".stream";
  }
  add(std::move(found), layout, e, place);
}

void LaunchReader::use(const DeclRefExpr& e) {
  const auto* var = dyn_cast<VarDecl>(e.getDecl());
  if (var && var->isLocalVarDecl() && var->getType()->isArrayType() && !argumentArrays.contains(&e))
    ++otherUses[var];
}

void LaunchReader::checkArgumentArrays() {
  for (const auto& [launch, var] : pointerLaunches)
    if (otherUses.contains(var)) launches[launch].unpatchable = "its arguments cannot be read off";
}

void LaunchReader::keep(Layout& layout, const Expr& part) const {
  const CharSourceRange written = Lexer::makeFileCharRange(
      CharSourceRange::getTokenRange(part.getSourceRange()), unit.sources, unit.ast.getLangOpts());
  if (written.isValid())
    layout.kept.emplace_back(unit.sources.getFileOffset(written.getBegin()),
                             unit.sources.getFileOffset(written.getEnd()));
}

/// The text between the parentheses of a launch with chevrons, and where these stand.
void LaunchReader::readArguments(ImportedLaunch& found, Layout& layout, const CallExpr& config,
                                 const CUDAKernelCallExpr& e) {
  for (const Expr* arg : e.arguments()) {
    const auto* absent = dyn_cast<CXXDefaultArgExpr>(arg);
    if (!absent) found.hasArguments = true;
    if (!absent) continue;
    const std::string value = leftOut(*absent);
    if (value.empty()) found.defaultsObstacle = "it leaves out an argument whose default is no plain number";
    found.defaults += (found.hasArguments || !found.defaults.empty() ? ", " : "") + value;
  }
  const SourceLocation close = writtenAt(unit, config.getRParenLoc()),
                       opening = writtenAt(unit, config.getBeginLoc()),
                       end = writtenAt(unit, e.getRParenLoc()),
                       callee = writtenAt(unit, e.getCallee()->getEndLoc());
  const auto open =
      close.isValid() ? Lexer::findNextToken(close, unit.sources, unit.ast.getLangOpts()) : std::nullopt;
  // The end of `k<vec<T>>` has no place of its own.
  const SourceLocation angle = found.writtenArguments.empty() ? callee : writtenAt(unit, kernelAngle);
  if (opening.isInvalid() || (callee.isInvalid() && angle.isInvalid()) || end.isInvalid() || !open ||
      open->isNot(tok::l_paren) || found.launch.grid.empty() || found.launch.block.empty()) {
    found.unpatchable = "parts of it come out of a macro";
    return;
  }
  const CharSourceRange between = CharSourceRange::getCharRange(open->getLocation().getLocWithOffset(1), end);
  found.arguments = Lexer::getSourceText(between, unit.sources, unit.ast.getLangOpts()).str();
  layout.hasChevrons = true;
  layout.calleeEnd =
      callee.isValid()
          ? unit.sources.getFileOffset(callee) +
                Lexer::MeasureTokenLength(callee, unit.sources, unit.ast.getLangOpts())
          : unit.sources.getFileOffset(angle) + static_cast<unsigned>(found.writtenArguments.size());
  layout.open = unit.sources.getFileOffset(opening);
  layout.close = unit.sources.getFileOffset(close);
  layout.parenthesis = unit.sources.getFileOffset(open->getLocation());
  layout.kept.emplace_back(layout.parenthesis, unit.sources.getFileOffset(end));
  if (!found.writtenArguments.empty() && angle.isValid())
    layout.kept.emplace_back(unit.sources.getFileOffset(angle),
                             unit.sources.getFileOffset(angle) + found.writtenArguments.size());
}

/// A number that a launch leaves to the declaration of the kernel.
std::string LaunchReader::leftOut(const CXXDefaultArgExpr& argument) const {
  if (argument.getParam()->hasUninstantiatedDefaultArg() || argument.getParam()->hasUnparsedDefaultArg())
    return "";
  const Expr* value = argument.getExpr()->IgnoreImpCasts();
  const Expr* number = value;
  if (const auto* sign = dyn_cast<UnaryOperator>(value); sign && sign->getOpcode() == UO_Minus)
    number = sign->getSubExpr()->IgnoreImpCasts();
  const bool isPlain =
      isa<IntegerLiteral, FloatingLiteral, CXXBoolLiteralExpr, CXXNullPtrLiteralExpr, CharacterLiteral>(
          number);
  return isPlain ? unit.text(value->getSourceRange()) : "";
}

/// Whether the bytes of a variable are those of the parameter that it would be passed for by value.
bool LaunchReader::isSameArgument(QualType given, QualType wanted) const {
  if (unit.ast.hasSameUnqualifiedType(given, wanted)) return true;
  // float* for const float*.
  const auto* from = given->getAs<PointerType>();
  const auto* to = wanted->getAs<PointerType>();
  return from && to && unit.ast.hasSameUnqualifiedType(from->getPointeeType(), to->getPointeeType()) &&
         to->getPointeeType().isAtLeastAsQualifiedAs(from->getPointeeType(), unit.ast);
}

/// cudaLaunchKernel: the arguments where an array of addresses stands for them that is made where it is
/// declared and used for launches only.
std::vector<const Expr*> LaunchReader::readPointers(ImportedLaunch& found, const CallExpr& e,
                                                    const HostPlace& place) {
  found.unpatchable = "its arguments cannot be read off";
  if (found.launch.grid.empty() || found.launch.block.empty()) return {};
  const auto* fn = dyn_cast_or_null<FunctionDecl>(kernelOf(e.getArg(0)));
  if (!fn) return {};
  const Expr* list = e.getArg(3)->IgnoreParenCasts();
  if (const auto* first = dyn_cast<UnaryOperator>(list); first && first->getOpcode() == UO_AddrOf)
    if (const auto* element = dyn_cast<ArraySubscriptExpr>(first->getSubExpr()->IgnoreParens())) {
      const auto* index = dyn_cast<IntegerLiteral>(element->getIdx()->IgnoreParenImpCasts());
      if (!index || index->getValue() != 0) return {};
      list = element->getBase()->IgnoreParenCasts();
    }
  const auto* ref = dyn_cast<DeclRefExpr>(list);
  const auto* var = ref ? dyn_cast<VarDecl>(ref->getDecl()) : nullptr;
  const Expr* init = var && var->isLocalVarDecl() && var->hasLocalStorage() ? var->getInit() : nullptr;
  const auto* parts = init ? dyn_cast<InitListExpr>(init->IgnoreParenImpCasts()) : nullptr;
  if (!parts || parts->getNumInits() < fn->getNumParams()) return {};
  argumentArrays[ref] = var;
  // A closure may hold copies of the variables, and need not hold them at all.
  if (ref->refersToEnclosingVariableOrCapture()) return {};
  std::string text;
  std::vector<const Expr*> args;
  for (unsigned i = 0; i < fn->getNumParams(); ++i) {
    const auto* address = dyn_cast<UnaryOperator>(parts->getInit(i)->IgnoreParenCasts());
    if (!address || address->getOpcode() != UO_AddrOf) return {};
    const Expr* variable = address->getSubExpr()->IgnoreParens();
    const auto* named = dyn_cast<DeclRefExpr>(variable);
    if (!named || !isSameArgument(variable->getType(), fn->getParamDecl(i)->getType())) return {};
    const std::string name = writtenText(unit, named->getSourceRange());
    if (name.empty()) return {};
    if (isHidden(*named, e, place)) {
      found.unpatchable = "`" + name + "` means another variable there than in the array of its arguments";
      return {};
    }
    text += (i ? ", " : "") + name;
    args.push_back(variable);
  }
  found.arguments = text;
  found.hasArguments = !args.empty();
  found.argumentArray = writtenText(unit, ref->getSourceRange());
  found.callee = fn->getNameAsString();
  found.unpatchable.clear();
  pointerLaunches.emplace_back(launches.size(), var);
  return args;
}

bool LaunchReader::isHidden(const DeclRefExpr& named, const CallExpr& launch, const HostPlace& place) const {
  if (!place.function || !place.function->hasBody()) return true;
  HiddenBy finder(*named.getDecl(), launch.getBeginLoc(), unit.sources);
  // What stands before the array was in sight there too.
  finder.TraverseStmt(place.function->getBody());
  return finder.found;
}

void LaunchReader::order(ImportedLaunch& found, const std::array<const Expr*, 4>& configuration,
                         const std::vector<const Expr*>& arguments, const CallExpr& e,
                         const HostPlace& place) const {
  std::vector<const Expr*> parts;
  for (const Expr* part : configuration)
    if (part) parts.push_back(part);
  const LaunchOrder order = launchOrder(parts, arguments, place.lambda ? nullptr : place.function);
  found.orderMatters = order.matters;
  for (unsigned i = 0, part = 0; i < 4; ++i) found.isFixed[i] = !configuration[i] || order.fixed[part++];
  if (!order.matters || !found.unpatchable.empty()) return;
  const SourceLocation end = writtenAt(unit, e.getEndLoc());
  const auto next =
      end.isInvalid() ? std::nullopt : Lexer::findNextToken(end, unit.sources, unit.ast.getLangOpts());
  if (!place.function)
    found.unpatchable = "it stands outside of functions, and the order of its parts matters";
  else if (isInDefaultArgument(e, *place.function, unit.sources))
    found.unpatchable = "it stands in a default argument, and the order of its parts matters";
  for (const Expr* argument : arguments)
    if (std::string why = obstacleInClosure(*argument, next && next->is(tok::semi)); !why.empty())
      found.unpatchable = why;
}

void LaunchReader::nameKernel(const Expr* callee, ImportedLaunch& found, const CallExpr& at) {
  ir::Launch& launch = found.launch;
  kernelName = callee->getEndLoc(), kernelAngle = {};
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
      seesDefinition(found, *fn, at);
      writtenArguments(found, ref->getLocation(), ref->getLAngleLoc());
    }
  } else if (const auto* overloads = dyn_cast<OverloadExpr>(e)) {
    const auto* only = overloads->getNumDecls() == 1
                           ? dyn_cast<FunctionTemplateDecl>((*overloads->decls_begin())->getUnderlyingDecl())
                           : nullptr;
    if (only) seesDefinition(found, *only->getTemplatedDecl(), at);
    writtenArguments(found, overloads->getNameLoc(), overloads->getLAngleLoc());
    launch.kernel = overloads->getName().getAsString();
    // In a template, whose own parameters may be among them.
    for (const TemplateArgumentLoc& arg : overloads->template_arguments())
      launch.templateArgs.push_back(unit.text(arg.getSourceRange()));
  } else {
    launch.kernel = unit.text(e->getSourceRange());
  }
}

/// Whether the kernel, or the template that it is made from, is defined before the launch.
void LaunchReader::seesDefinition(ImportedLaunch& found, const FunctionDecl& fn, const CallExpr& at) const {
  const FunctionDecl* definition = &fn;
  if (const FunctionDecl* pattern = fn.getTemplateInstantiationPattern()) definition = pattern;
  definition = definition->getDefinition();
  found.primary = templateBody(fn, unit);
  found.seesDefinition =
      definition && definition->hasBody() &&
      unit.sources.isBeforeInTranslationUnit(definition->getBody()->getEndLoc(), at.getBeginLoc());
}

void LaunchReader::writtenArguments(ImportedLaunch& found, SourceLocation name, SourceLocation angle) {
  kernelName = name, kernelAngle = angle;
  found.writtenArguments = angle.isValid() ? writtenAngles(unit, angle) : "";
  if (writtenAt(unit, name).isInvalid() || (angle.isValid() && found.writtenArguments.empty()))
    found.templateObstacle = "a macro names its kernel";
}

/// Why a launch that stands in the arguments of macros cannot be changed there.
std::string LaunchReader::macroObstacle(const CallExpr& e, const FileRange& call) const {
  if (!e.getBeginLoc().isMacroID() && !e.getEndLoc().isMacroID()) return "";
  if (!call.valid()) return "it comes out of a macro";
  for (SourceLocation begin = e.getBeginLoc(), end = e.getEndLoc(); begin.isMacroID() || end.isMacroID();
       begin = unit.sources.getImmediateSpellingLoc(begin), end = unit.sources.getImmediateSpellingLoc(end))
    if (begin.isMacroID() != end.isMacroID() || unit.sources.getImmediateExpansionRange(begin).getBegin() !=
                                                    unit.sources.getImmediateExpansionRange(end).getBegin())
      return "it stands in several arguments of a macro";
  const PreprocessorRecord& record = unit.source.record();
  for (const MacroExpansion& one : record.expansions) {
    if (one.range.file >= record.files.size() || one.range.begin > call.begin || one.range.end < call.end)
      continue;
    const auto entry = unit.sources.getFileManager().getOptionalFileRef(record.files[one.range.file]);
    const auto own =
        unit.sources.getFileEntryRefForID(unit.sources.getFileID(writtenAt(unit, e.getBeginLoc())));
    if (!entry || !own || &entry->getFileEntry() != &own->getFileEntry()) continue;
    if (one.spellsLaunch) return "the macro `" + one.name + "` around it may turn it into text";
  }
  return "";
}

/// Comments between the parts of a launch, and lines of the preprocessor anywhere in it.
void LaunchReader::readComments(ImportedLaunch& found, const Layout& layout) const {
  const auto entry = unit.sources.getFileManager().getOptionalFileRef(found.call.file);
  const FileID file = entry ? unit.source.fileId(entry->getFileEntry()) : FileID();
  if (file.isInvalid()) return;
  const llvm::StringRef text = unit.sources.getBufferData(file);
  Lexer lexer(unit.sources.getLocForStartOfFile(file), unit.ast.getLangOpts(), text.begin(),
              text.begin() + found.call.begin, text.end());
  lexer.SetCommentRetentionState(true);
  Token token;
  bool any = false;
  while (!lexer.LexFromRawLexer(token)) {
    const unsigned begin = unit.sources.getFileOffset(token.getLocation()), end = begin + token.getLength();
    if (begin >= found.call.end) break;
    if (token.is(tok::hash) && token.isAtStartOfLine()) {
      found.unpatchable = "lines of the preprocessor stand inside it";
      return;
    }
    if (token.isNot(tok::comment) ||
        std::any_of(layout.kept.begin(), layout.kept.end(),
                    [&](const auto& part) { return part.first <= begin && end <= part.second; }))
      continue;
    any = true;
    const llvm::StringRef comment = text.slice(begin, end);
    found.comments += comment.str() + (comment.starts_with("//") ? "\n" : " ");
  }
  if (!any || !layout.hasChevrons || !text.substr(layout.open).starts_with("<<<") ||
      !text.substr(layout.close).starts_with(">>>"))
    return;
  auto cut = [](llvm::StringRef part) { return part.contains('\n') ? part : part.rtrim(); };
  found.beforeComma = text.slice(layout.calleeEnd, layout.open).str() + "(" +
                      cut(text.slice(layout.open + 3, layout.close)).str();
  for (const std::string& part : {found.launch.shared, found.launch.stream})
    if (part.empty()) found.beforeComma += ", 0";
  const llvm::StringRef behind = text.slice(layout.close + 3, layout.parenthesis);
  if (!behind.trim().empty()) found.behindComma = behind.str();
}

void LaunchReader::add(ImportedLaunch found, const Layout& layout, const CallExpr& e,
                       const HostPlace& place) {
  const SourceLocation begin = writtenAt(unit, e.getBeginLoc()), end = writtenAt(unit, e.getEndLoc());
  if (begin.isValid() && end.isValid()) found.call = unit.fileRange(begin, end);
  found.isInstantiated = place.isInstantiation;
  if (place.isInstantiation) found.templateNumbers = templateNumbers(place.function);
  found.launch.inMacro = !found.call.valid();
  found.launch.loc = unit.loc(begin.isValid() ? begin : e.getBeginLoc());
  if (found.launch.inMacro)
    found.unpatchable = "it comes out of a macro";
  else if (place.isDevice)
    found.unpatchable = launchInDeviceCode;
  else if (const std::string why = macroObstacle(e, found.call); !why.empty())
    found.unpatchable = why;
  if (found.unpatchable.empty()) readComments(found, layout);
  launches.push_back(std::move(found));
}

}  // namespace hone::frontend
