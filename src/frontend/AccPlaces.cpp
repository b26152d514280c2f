// Where constructs stand in the main file.
#include "clang/AST/ASTContext.h"
#include "clang/AST/Attr.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/StmtCXX.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Lex/Lexer.h"
#include "frontend/AccReader.h"
#include "frontend/AccText.h"
#include "frontend/AccWalk.h"

namespace hone::frontend {

using namespace clang;

namespace {

/// Behind the line break that ends a directive, or the end of the text.
unsigned behindDirective(llvm::StringRef text, unsigned at) {
  bool inComment = false, inLineComment = false;
  char quote = 0;
  while (at < text.size()) {
    const char c = text[at];
    if (c == '\\') {
      // A line break behind a backslash, blanks between them or not, does not end the directive.
      size_t next = at + 1;
      while (next < text.size() && (text[next] == ' ' || text[next] == '\t' || text[next] == '\r')) ++next;
      const bool isContinued = next < text.size() && text[next] == '\n';
      at = unsigned(isContinued ? next + 1 : at + (quote ? 2 : 1));
      continue;
    }
    if (c == '\n' && !inComment) return at + 1;
    const llvm::StringRef two = text.substr(at, 2);
    if (inComment && two == "*/") {
      inComment = false;
      ++at;
    } else if (!inComment && !inLineComment) {
      if (quote) {
        if (c == quote) quote = 0;
      } else if (two == "/*") {
        inComment = true;
        ++at;
      } else if (two == "//") {
        inLineComment = true;
      } else if (c == '"' || c == '\'') {
        quote = c;
      }
    }
    ++at;
  }
  return unsigned(text.size());
}

const Stmt* lastPart(const Stmt* s) {
  for (;;) {
    const Stmt* inner = nullptr;
    if (const auto* one = dyn_cast<IfStmt>(s)) inner = one->getElse() ? one->getElse() : one->getThen();
    if (const auto* one = dyn_cast<ForStmt>(s)) inner = one->getBody();
    if (const auto* one = dyn_cast<WhileStmt>(s)) inner = one->getBody();
    if (const auto* one = dyn_cast<CXXForRangeStmt>(s)) inner = one->getBody();
    if (const auto* one = dyn_cast<SwitchStmt>(s)) inner = one->getBody();
    if (const auto* one = dyn_cast<LabelStmt>(s)) inner = one->getSubStmt();
    if (const auto* one = dyn_cast<SwitchCase>(s)) inner = one->getSubStmt();
    if (const auto* one = dyn_cast<AttributedStmt>(s)) inner = one->getSubStmt();
    if (const auto* one = dyn_cast<OpenACCConstructStmt>(s)) inner = statementOf(*one);
    if (!inner) return s;
    s = inner;
  }
}

}  // namespace

std::optional<unsigned> AccReader::behindPragma(SourceLocation begin) const {
  if (begin.isInvalid() || begin.isMacroID() || unit.sources.getFileID(begin) != unit.sources.getMainFileID())
    return std::nullopt;
  // Of _Pragma it is where that stands.
  const llvm::StringRef text = unit.sources.getBufferData(unit.sources.getMainFileID());
  const unsigned at = unit.sources.getFileOffset(begin);
  if (!text.substr(at).starts_with("#") && !text.substr(at).starts_with("%:")) return std::nullopt;
  return behindDirective(text, at);
}

std::optional<unsigned> AccReader::beginOfStatement(const Stmt& s) const {
  if (const auto* construct = dyn_cast<OpenACCConstructStmt>(&s)) {
    const Stmt* inner = statementOf(*construct);
    return inner ? beginOfStatement(*inner) : behindPragma(construct->getBeginLoc());
  }
  if (const auto* attributed = dyn_cast<AttributedStmt>(&s))
    for (const Attr* attribute : attributed->getAttrs())
      if (attribute->getLocation().isValid() && isPragma(attribute->getLocation()))
        throw Refusal{"another pragma stands between the directive and its statement; leave it out",
                      unit.loc(attributed->getBeginLoc())};
  // Its first token is enough: the rest may come out of macros.
  SourceLocation begin = s.getBeginLoc();
  if (begin.isMacroID() &&
      !Lexer::isAtStartOfMacroExpansion(begin, unit.sources, unit.ast.getLangOpts(), &begin))
    return std::nullopt;
  if (begin.isInvalid() || unit.sources.getFileID(begin) != unit.sources.getMainFileID()) return std::nullopt;
  return unit.sources.getFileOffset(begin);
}

bool AccReader::isPragma(SourceLocation at) const {
  at = unit.sources.getExpansionLoc(at);
  const llvm::StringRef text = unit.sources.getBufferData(unit.sources.getFileID(at));
  const size_t offset = unit.sources.getFileOffset(at);
  const size_t line = offset ? text.rfind('\n', offset - 1) : llvm::StringRef::npos;
  return text.substr(line == llvm::StringRef::npos ? 0 : line + 1).ltrim(" \t").starts_with("#");
}

std::optional<unsigned> AccReader::behindStatement(const Stmt& s) const {
  const Stmt* last = lastPart(&s);
  if (const auto* construct = dyn_cast<OpenACCConstructStmt>(last))
    return behindPragma(construct->getBeginLoc());
  SourceLocation end = last->getEndLoc();
  if (end.isMacroID() && !Lexer::isAtEndOfMacroExpansion(end, unit.sources, unit.ast.getLangOpts(), &end))
    return std::nullopt;
  if (end.isInvalid() || unit.sources.getFileID(end) != unit.sources.getMainFileID()) return std::nullopt;
  const unsigned behind =
      unit.sources.getFileOffset(end) + Lexer::MeasureTokenLength(end, unit.sources, unit.ast.getLangOpts());
  if (isa<CompoundStmt, NullStmt, DeclStmt, CXXTryStmt>(last)) return behind;
  const std::optional<Token> next = Lexer::findNextToken(end, unit.sources, unit.ast.getLangOpts());
  if (!next || next->isNot(tok::semi)) return std::nullopt;
  return unit.sources.getFileOffset(next->getLocation()) + 1;
}

namespace {

std::string mainFilePath(const UnitImporter& unit) {
  const OptionalFileEntryRef entry = unit.sources.getFileEntryRefForID(unit.sources.getMainFileID());
  if (!entry) return "";
  const llvm::StringRef path = entry->getFileEntry().tryGetRealPathName();
  return path.empty() ? entry->getName().str() : path.str();
}

}  // namespace

std::optional<AccPlace> AccReader::place(const OpenACCConstructStmt& construct) {
  lookAtFile();
  const auto written = writtenConstructs.find(construct.getBeginLoc().getRawEncoding());
  return writtenPlace(written == writtenConstructs.end() ? construct : *written->second);
}

std::optional<AccPlace> AccReader::writtenPlace(const OpenACCConstructStmt& construct) const {
  const std::optional<unsigned> behind = behindPragma(construct.getBeginLoc());
  if (!behind) return std::nullopt;
  const Stmt* statement = statementOf(construct);
  if (!statement) return AccPlace{mainFilePath(unit), *behind, *behind};
  const std::optional<unsigned> begin = beginOfStatement(*statement), end = behindStatement(*statement);
  if (!begin || !end) return std::nullopt;
  return AccPlace{mainFilePath(unit), *begin, *end};
}

std::optional<AccPlace> AccReader::place(const OpenACCDeclareDecl& decl, const CompoundStmt* around) const {
  const std::optional<unsigned> behind = behindPragma(decl.getLocation());
  if (!behind) return std::nullopt;
  if (!around) return AccPlace{mainFilePath(unit), *behind, *behind};
  const SourceLocation end = around->getRBracLoc();
  if (end.isInvalid() || end.isMacroID() || unit.sources.getFileID(end) != unit.sources.getMainFileID())
    return std::nullopt;
  return AccPlace{mainFilePath(unit), *behind, unit.sources.getFileOffset(end)};
}

namespace {

/// Whether the operand, and each part of it that host text repeats, has a text of its own.
bool hasOwnText(const UnitImporter& unit, const Expr* e) {
  if (!e || isa<OpenACCAsteriskSizeExpr>(plain(e))) return true;
  if (!rangeInMainFile(unit, e->getSourceRange())) return false;
  e = plain(e);
  if (const auto* section = dyn_cast<ArraySectionExpr>(e))
    return hasOwnText(unit, section->getBase()) && hasOwnText(unit, section->getLowerBound()) &&
           hasOwnText(unit, section->getLength());
  if (const auto* index = dyn_cast<ArraySubscriptExpr>(e)) return hasOwnText(unit, index->getBase());
  const AccMembers members = membersOf(*e);
  return members.fields.empty() || isa<CXXThisExpr>(members.object) || hasOwnText(unit, members.object);
}

bool haveOwnText(const UnitImporter& unit, llvm::ArrayRef<const OpenACCClause*> clauses) {
  for (const OpenACCClause* clause : clauses)
    for (const Stmt* child : clause->children())
      if (!hasOwnText(unit, dyn_cast_or_null<Expr>(child))) return false;
  return true;
}

}  // namespace

bool needsPreprocessing(const UnitImporter& unit, const Decl& decl) {
  if (const auto* construct = dyn_cast<OpenACCConstructDecl>(&decl))
    return construct->getLocation().isMacroID() ||
           unit.sources.getFileID(construct->getLocation()) != unit.sources.getMainFileID() ||
           !haveOwnText(unit, construct->clauses());
  const auto* function = dyn_cast<FunctionDecl>(&decl);
  if (!function || !function->doesThisDeclarationHaveABody()) return false;
  if (const FunctionDecl* pattern = function->getTemplateInstantiationPattern()) function = pattern;
  std::vector<AccMessage> unheard;
  UnitImporter& importer = const_cast<UnitImporter&>(unit);  // a reader of places changes nothing
  const AccReader reader(importer, unheard);
  bool isNeeded = false;
  forEachStatement(function->getBody(), [&](const Stmt& s) {
    if (isNeeded) return;
    if (const auto* declarations = dyn_cast<DeclStmt>(&s))
      for (const Decl* one : declarations->decls())
        if (isa<OpenACCConstructDecl>(one)) isNeeded = isNeeded || needsPreprocessing(unit, *one);
    const auto* construct = dyn_cast<OpenACCConstructStmt>(&s);
    if (!construct) return;
    try {
      isNeeded = !haveOwnText(unit, construct->clauses()) || !reader.writtenPlace(*construct);
      if (const auto* wait = dyn_cast<OpenACCWaitConstruct>(construct))
        for (const Stmt* child : wait->children())
          isNeeded = isNeeded || !hasOwnText(unit, dyn_cast_or_null<Expr>(child));
    } catch (const Refusal&) {
      // Whoever reads the construct reports it.
    }
  });
  return isNeeded;
}

}  // namespace hone::frontend
