#include "frontend/BuildDependence.h"

#include <algorithm>
#include <map>

#include "clang/AST/ASTContext.h"
#include "clang/AST/Attr.h"
#include "clang/AST/DeclTemplate.h"
#include "clang/AST/DynamicRecursiveASTVisitor.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Lex/Lexer.h"
#include "clang/Lex/MacroInfo.h"
#include "clang/Lex/Preprocessor.h"
#include "frontend/ChosenText.h"
#include "frontend/ConstantValues.h"
#include "ir/InlineCalls.h"
#include "ir/Walk.h"

namespace hone::frontend {

using namespace clang;
namespace ir = hone::ir;

namespace {

/// Macros of one body that the IR knows by name: new text names them too.
std::set<std::string> namesKept(const ir::StmtPtr& body) {
  std::set<std::string> names;
  ir::walkExprs(body, [&](const ir::Expr& e) {
    if (const auto* number = e.as<ir::IntLiteral>()) names.insert(number->name);
    if (const auto* number = e.as<ir::FloatLiteral>()) names.insert(number->name);
  });
  ir::walkStmts(body, [&](const ir::Stmt& s) {
    if (const auto* d = s.as<ir::Declare>())
      for (ir::TypePtr t = d->var->type; t; t = t->element) names.merge(wordsIn(t->extentName));
  });
  return names;
}

/// Words that say how a function is compiled or a pointer used; what they stand for is no fact of the kernel.
bool areAttributes(const std::set<std::string>& words) {
  static const std::set<std::string> plain = {"const", "restrict", "static", "inline", "extern"};
  return std::all_of(words.begin(), words.end(),
                     [](const std::string& word) { return word.starts_with("__") || plain.contains(word); });
}

class BuildReader : public DynamicRecursiveASTVisitor {
 public:
  BuildReader(const FunctionDecl& fn, const ir::Kernel& made, UnitImporter& importer, Directives& scanned)
      : unit(importer), directives(scanned), chosen(importer, scanned, bodyOf(fn)) {
    around = directives.conditionsAt(written(fn).getLocation());
    kernelFile = unit.sources.getFileID(unit.sources.getExpansionLoc(written(fn).getLocation()));
    function(fn, made.body, true);
    if (const auto* size = fn.getAttr<ReqdWorkGroupSizeAttr>())
      for (Expr* extent : {size->getXDim(), size->getYDim(), size->getZDim()}) blockExtent(*extent);
    // Callees of callees are found while the list grows.
    for (size_t i = 0; i < callees.size(); ++i) {
      const ir::Function* body = unit.imported(*callees[i]);
      // Others stay calls, and nobody looks into them.
      if (body && body->body && ir::concernsAddresses(*body)) function(*callees[i], body->body, false);
    }
  }

  std::vector<ir::BuildCondition> result() const {
    std::vector<ir::BuildCondition> all;
    for (const std::string& term : chosen.terms()) all.push_back({term, true, true});
    for (const auto& [text, mayVary] : conditions) all.push_back({text, mayVary, false});
    return all;
  }

  bool VisitDeclRefExpr(DeclRefExpr* e) override {
    if (const auto* callee = dyn_cast<FunctionDecl>(e->getDecl()))
      call(*callee);
    else
      constant(*e->getDecl());
    return true;
  }

  bool VisitMemberExpr(MemberExpr* e) override {
    if (const auto* callee = dyn_cast<FunctionDecl>(e->getMemberDecl()))
      call(*callee);
    else
      constant(*e->getMemberDecl());
    return true;
  }

  bool VisitCXXConstructExpr(CXXConstructExpr* e) override {
    call(*e->getConstructor());
    return true;
  }

  bool VisitTypeLoc(TypeLoc loc) override {
    type(loc.getType());
    return true;
  }

 private:
  static const FunctionDecl& written(const FunctionDecl& fn) {
    const FunctionDecl* pattern = fn.getTemplateInstantiationPattern();
    if (!pattern) pattern = &fn;
    return pattern->getDefinition() ? *pattern->getDefinition() : *pattern;
  }

  static SourceRange bodyOf(const FunctionDecl& fn) {
    const Stmt* body = written(fn).getBody();
    return body ? body->getSourceRange() : SourceRange(written(fn).getLocation());
  }

  // Whether a declaration stands in the main file, and the kernel in one that it includes: others may include
  // that one too, and say something else.
  bool isOfIncluder(SourceLocation at) const {
    const FileID main = unit.sources.getMainFileID();
    return kernelFile != main && unit.sources.getFileID(unit.sources.getExpansionLoc(at)) == main;
  }

  bool isChosen(SourceLocation at) const {
    if (isOfIncluder(at)) return true;
    for (const std::string& condition : directives.conditionsAt(at))
      if (!around.contains(condition)) return true;
    return false;
  }

  // The words that decide what a declaration says.
  std::set<std::string> wordsOf(const Decl& decl) const {
    std::set<std::string> words;
    for (const std::string& condition : directives.conditionsAt(decl.getLocation()))
      words.merge(wordsIn(condition));
    const CharSourceRange range = unit.sources.getExpansionRange(decl.getSourceRange());
    words.merge(wordsIn(Lexer::getSourceText(range, unit.sources, unit.ast.getLangOpts()).str()));
    return words;
  }

  // Whether another build may give a declaration another meaning: it is chosen by #if, or names what may be.
  bool mayVary(const NamedDecl& decl) const {
    static const std::set<std::string> plain = {
        "constexpr",  "const",      "static", "inline", "typedef", "using",    "enum",
        "__device__", "__constant", "int",    "long",   "short",   "char",     "unsigned",
        "signed",     "bool",       "float",  "double", "size_t",  "uint32_t", "int32_t",
        "uint64_t",   "int64_t",    "true",   "false"};
    if (isChosen(decl.getLocation())) return true;
    const CharSourceRange range = unit.sources.getExpansionRange(decl.getSourceRange());
    const llvm::StringRef text = Lexer::getSourceText(range, unit.sources, unit.ast.getLangOpts());
    for (const std::string& word : wordsIn(text.str()))
      if (word != decl.getName() && !plain.contains(word)) return true;
    return text.empty();
  }

  [[noreturn]] void refuseForPass(const std::string& what, SourceLocation at) const {
    unit.refuse(what +
                    " hangs on __CUDA_ARCH__, so that the passes for the host and for the device differ: "
                    "choose inside of the code, or give each architecture a kernel of its own",
                at);
  }

  // Initializers of a constructor stand before its body.
  static SourceLocation beginOfCode(const FunctionDecl& text) {
    const FunctionTypeLoc type =
        isa<CXXConstructorDecl>(text) ? text.getFunctionTypeLoc() : FunctionTypeLoc();
    return type ? type.getRParenLoc() : text.getBody()->getBeginLoc();
  }

  void function(const FunctionDecl& fn, const ir::StmtPtr& body, bool isKernel) {
    const FunctionDecl& text = written(fn);
    const auto* block = text.getBody();
    if (!block) return;
    const std::string name = "`" + unit.qualifiedName(text) + "`";
    const SourceLocation begin = text.getOuterLocStart(), open = beginOfCode(text), end = block->getEndLoc();
    auto refuseAt = [&](const std::string& reason, unsigned line) {
      throw Refusal{reason, {unit.loc(text.getLocation()).file, line, 1}};
    };
    chosen.require(directives.choicesBetween(open, end),
                   isKernel ? "inside the kernel body" : "inside the body of " + name, around);
    if (unsigned line = directives.conditionalBetween(begin, open))
      refuseAt(isKernel ? "#if inside the kernel's declaration" : "#if inside the declaration of " + name,
               line);
    if (!isKernel && isOfIncluder(text.getLocation())) refuseIncluders(name, text.getLocation());
    if (!isKernel) chosen.require(directives.choicesAround(text.getLocation()), "around " + name, around);
    macros(open, end, namesKept(body), false);
    for (const ParmVarDecl* p : text.parameters()) macros(p->getBeginLoc(), p->getEndLoc(), {}, true);
    for (ParmVarDecl* p : const_cast<FunctionDecl&>(fn).parameters()) TraverseDecl(p);
    TraverseStmt(fn.getBody());
  }

  // The attribute is not copied, and the new kernel relies on what it says.
  void blockExtent(Expr& extent) {
    TraverseStmt(&extent);
    const std::string macro = unit.macroName(extent);
    const std::optional<int64_t> value = constantInt(extent, unit.ast);
    if (!macro.empty() && value) conditions.emplace(macro + " == " + std::to_string(*value), true);
    macros(extent.getBeginLoc(), extent.getEndLoc(), {macro}, false);
  }

  void call(const FunctionDecl& callee) {
    const FunctionDecl* definition = callee.getDefinition();
    if (!definition || !unit.isUserCode(written(callee).getLocation())) return;
    if (std::find(callees.begin(), callees.end(), definition) == callees.end()) callees.push_back(definition);
  }

  std::string bodyOf(const MacroExpansion& expansion) const {
    if (expansion.definition >= 0) return unit.source.record().definitions[size_t(expansion.definition)].body;
    const MacroInfo* info = infoOf(expansion.name);
    std::string body;
    for (unsigned i = 0; info && i < info->getNumTokens(); ++i)
      body += Lexer::getSpelling(info->getReplacementToken(i), unit.sources, unit.ast.getLangOpts()) + " ";
    return body;
  }

  const MacroInfo* infoOf(const std::string& name) const {
    const IdentifierInfo* id = unit.source.preprocessor().getIdentifierInfo(name);
    return id ? unit.source.preprocessor().getMacroInfo(id) : nullptr;
  }

  // The macros between two places of one file. In a declaration only those count that stand for types.
  void macros(SourceLocation begin, SourceLocation end, const std::set<std::string>& kept, bool declaration) {
    auto [id, from] = unit.sources.getDecomposedExpansionLoc(begin);
    const unsigned to = unit.sources.getDecomposedExpansionLoc(end).second;
    const auto entry = unit.sources.getFileEntryRefForID(id);
    if (!entry) return;
    const PreprocessorRecord& record = unit.source.record();
    const llvm::StringRef text = unit.sources.getBufferData(id);
    std::optional<unsigned> outer;  // where the macro begins whose expansion is looked at
    std::set<std::string> inside;   // macros in it that are expanded only inside of those that are spoken for
    for (const MacroExpansion& one : record.expansions) {
      if (one.range.begin < from || one.range.begin > to || record.files[one.range.file] != entry->getName())
        continue;
      const size_t lineBreak = text.rfind('\n', one.range.begin);
      const size_t lineStart = lineBreak == llvm::StringRef::npos ? 0 : lineBreak + 1;
      if (text.substr(lineStart).ltrim(" \t").starts_with("#")) continue;  // a pragma
      if (record.isInDirective(one.range.file, one.range.begin)) continue;
      if (!one.isArgumentOrBody || outer != one.range.begin) {
        outer = one.range.begin;
        inside.clear();
      } else if (inside.contains(one.name)) {
        inside.merge(wordsIn(bodyOf(one)));
        continue;
      }
      const SourceLocation at = unit.sources.getComposedLoc(id, one.range.begin);
      const MacroInfo* info = infoOf(one.name);
      if (info && info->isBuiltinMacro())
        unit.refuse("`" + one.name + "`, whose value is another in new text", at);
      if (directives.hangsOnPass({one.name})) refuseForPass("`" + one.name + "`", at);
      const bool isUsers =
          one.definition >= 0 || (info && unit.sources.isWrittenInCommandLineFile(info->getDefinitionLoc()));
      if (!isUsers || (!one.isFunctionLike && kept.contains(one.name))) {
        inside.merge(wordsIn(bodyOf(one)));
        continue;
      }
      // A type that the macro names is written out in the new kernel, and the macro may be edited.
      if (const QualType is = one.isFunctionLike ? QualType() : numberType(bodyOf(one)); !is.isNull()) {
        conditions.emplace(typeTest(one.name, is), true);
        continue;
      }
      // What comes from -D is what the user said of this build.
      if (one.definition < 0) continue;
      const bool isGiven = info && isOfIncluder(info->getDefinitionLoc());
      if (!isGiven && !directives.varies(one.name, around)) continue;
      if (declaration && areAttributes(wordsIn(bodyOf(one)))) continue;
      if (const SourceLocation made = definitionOf(one); !isGiven && directives.isChosenOnce(one.name)) {
        chosen.require(directives.choicesAround(made), "around macro `" + one.name + "`", around);
        continue;
      }
      unit.refuse("macro `" + one.name + "` can be another in another build (" +
                      (isGiven ? "defined by the file that includes this one" : whyVaries(one)) +
                      "), and the new kernel would have what it stands for in this one: use a constant, a "
                      "function or a typedef",
                  at);
    }
  }

  SourceLocation definitionOf(const MacroExpansion& one) const {
    const MacroDefinition& made = unit.source.record().definitions[size_t(one.definition)];
    const auto entry =
        unit.sources.getFileManager().getOptionalFileRef(unit.source.record().files[made.range.file]);
    return entry ? unit.sources.getComposedLoc(unit.source.fileId(entry->getFileEntry()), made.range.begin)
                 : SourceLocation();
  }

  std::string whyVaries(const MacroExpansion& one) const {
    const MacroDefinition& made = unit.source.record().definitions[size_t(one.definition)];
    const std::string& file = unit.source.record().files[made.range.file];
    const auto entry = unit.sources.getFileManager().getOptionalFileRef(file);
    if (!entry) return "it is defined under #if";
    const FileID id = unit.source.fileId(entry->getFileEntry());
    return "defined under #if, " + file.substr(file.rfind('/') + 1) + ":" +
           std::to_string(unit.sources.getLineNumber(id, made.range.begin));
  }

  void constant(const ValueDecl& decl) {
    if (!unit.isUserCode(decl.getLocation()) || !isNameableEverywhere(decl) ||
        (decl.getAccess() != AS_public && decl.getAccess() != AS_none))
      return;
    std::string name = unit.qualifiedName(decl);
    std::optional<int64_t> value;
    if (const auto* enumerator = dyn_cast<EnumConstantDecl>(&decl)) {
      value = asInt64(enumerator->getInitVal());
      const auto* list = dyn_cast<EnumDecl>(enumerator->getDeclContext());
      if (list && list->isScoped()) name = "(int)" + name;
    } else if (const auto* var = dyn_cast<VarDecl>(&decl)) {
      const bool isWhole = var->getType()->isIntegerType() && !var->getType()->isEnumeralType();
      const auto* held = var->getAttr<CUDAConstantAttr>();
      const bool isFixed = unit.openCL ? var->getType().isConstQualified() && var->hasInit()
                                       : var->isUsableInConstantExpressions(unit.ast);
      if (!isWhole || !isFixed || (held && !held->isImplicit())) return;
      if (const APValue* known = var->evaluateValue(); known && known->isInt())
        value = asInt64(known->getInt());
    }
    if (!value || name.empty()) return;
    if (directives.hangsOnPass(wordsOf(decl))) refuseForPass("`" + name + "`", decl.getLocation());
    conditions.emplace(name + " == " + std::to_string(*value), mayVary(decl));
  }

  void type(QualType t) {
    for (;;) {
      if (const auto* alias = dyn_cast<TypedefType>(t.getTypePtr())) {
        named(*alias->getDecl());
        t = alias->getDecl()->getUnderlyingType();
      } else if (const auto* record = t->getAsRecordDecl()) {
        return structure(*record);
      } else if (t->isPointerType() || t->isReferenceType()) {
        t = t->getPointeeType();
      } else if (const auto* array = t->getAsArrayTypeUnsafe()) {
        t = array->getElementType();
      } else {
        const QualType next = t.getSingleStepDesugaredType(unit.ast);
        if (next == t) return;
        t = next;
      }
    }
  }

  void named(const TypedefNameDecl& decl) {
    if (!seenTypes.insert(&decl).second || !unit.isUserCode(decl.getLocation())) return;
    const QualType is = decl.getUnderlyingType().getCanonicalType();
    if (is->isDependentType() || !isNameableEverywhere(decl)) return;
    const std::string name = unit.qualifiedName(decl);
    const bool isNumber = is->isBooleanType() || (is->isIntegerType() && !is->isEnumeralType()) ||
                          is->isSpecificBuiltinType(BuiltinType::Float) ||
                          is->isSpecificBuiltinType(BuiltinType::Double);
    if (directives.hangsOnPass(wordsOf(decl))) refuseForPass("type `" + name + "`", decl.getLocation());
    if (!isNumber || name.empty()) {
      requireChoice("type `" + name + "`", decl.getLocation());
      return;
    }
    conditions.emplace(typeTest(name, is), mayVary(decl));
  }

  // Whether a name still stands for the number type that the new kernel has in its place.
  std::string typeTest(const std::string& name, QualType is) const {
    // Of floats C has no whole constant expression, and drivers of OpenCL take no other in an assertion.
    if (unit.ast.getLangOpts().OpenCL)
      return "__builtin_types_compatible_p(" + name + ", " + is.getAsString(unit.ast.getPrintingPolicy()) +
             ")";
    std::string test =
        "sizeof(" + name + ") == " + std::to_string(unit.ast.getTypeSizeInChars(is).getQuantity());
    const std::string cast = "(" + name + ")";
    if (is->isRealFloatingType())
      test += " && " + cast + "0.5 != 0";
    else if (!is->isBooleanType())
      test += " && " + cast + "0.5 == 0 && " + cast + "-1 " + (is->isSignedIntegerType() ? "<" : ">") + " 0";
    return test;
  }

  // The number type that a macro's body spells; null: it is something else.
  QualType numberType(std::string body) const {
    while (!body.empty() && body.back() == ' ') body.pop_back();
    const ASTContext& ast = unit.ast;
    const std::map<std::string, QualType> known = {{"float", ast.FloatTy},
                                                   {"double", ast.DoubleTy},
                                                   {"char", ast.CharTy},
                                                   {"signed char", ast.SignedCharTy},
                                                   {"short", ast.ShortTy},
                                                   {"unsigned char", ast.UnsignedCharTy},
                                                   {"int", ast.IntTy},
                                                   {"unsigned short", ast.UnsignedShortTy},
                                                   {"long", ast.LongTy},
                                                   {"unsigned int", ast.UnsignedIntTy},
                                                   {"long long", ast.LongLongTy},
                                                   {"unsigned", ast.UnsignedIntTy},
                                                   {"long int", ast.LongTy},
                                                   {"unsigned long", ast.UnsignedLongTy},
                                                   {"bool", ast.BoolTy},
                                                   {"unsigned long long", ast.UnsignedLongLongTy}};
    const auto found = known.find(body);
    return found == known.end() ? QualType() : found->second;
  }

  void structure(const RecordDecl& record) {
    const RecordDecl* text = record.getDefinition();
    if (const auto* made = dyn_cast<CXXRecordDecl>(&record))
      if (const CXXRecordDecl* pattern = made->getTemplateInstantiationPattern())
        text = pattern->getDefinition();
    if (!text || !seenTypes.insert(text).second || !unit.isUserCode(text->getLocation())) return;
    const std::string name = "`" + unit.qualifiedName(record) + "`";
    chosen.require(directives.choicesBetween(text->getBeginLoc(), text->getEndLoc()),
                   "inside the definition of " + name, around);
    requireChoice(name, text->getLocation());
    if (record.getDefinition())
      for (const FieldDecl* field : record.getDefinition()->fields()) type(field->getType());
  }

  [[noreturn]] void refuseIncluders(const std::string& what, SourceLocation at) const {
    unit.refuse(what +
                    " is declared by the file that includes this one, and another that does may declare "
                    "it otherwise: declare it here",
                at);
  }

  void requireChoice(const std::string& what, SourceLocation at) {
    if (isOfIncluder(at)) refuseIncluders(what, at);
    chosen.require(directives.choicesAround(at), "around " + what, around);
  }

  UnitImporter& unit;
  Directives& directives;
  ChosenText chosen;
  FileID kernelFile;
  std::set<std::string> around;            // conditions that the kernel stands under or asks for
  std::map<std::string, bool> conditions;  // and whether another build of the text may see it otherwise
  std::vector<const FunctionDecl*> callees;
  std::set<const Decl*> seenTypes;
};

}  // namespace

std::vector<ir::BuildCondition> buildConditions(const FunctionDecl& fn, const ir::Kernel& kernel,
                                                UnitImporter& unit, Directives& directives) {
  return BuildReader(fn, kernel, unit, directives).result();
}

}  // namespace hone::frontend
