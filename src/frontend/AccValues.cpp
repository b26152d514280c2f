// Expressions in pragmas as text for the host's file.
#include <utility>

#include "clang/AST/ASTContext.h"
#include "clang/AST/DeclTemplate.h"
#include "clang/AST/ExprCXX.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Lex/Lexer.h"
#include "frontend/AccReader.h"
#include "frontend/AccText.h"
#include "frontend/ConstantValues.h"

namespace hone::frontend {

using namespace clang;

AccReader::AccReader(UnitImporter& importer, std::vector<AccMessage>& into)
    : unit(importer), messages(into) {}

QualType typeIn(QualType type) {
  if (const ArrayType* array = type->getAsArrayTypeUnsafe()) return array->getElementType();
  return type->getPointeeType();
}

std::string elementText(QualType type, std::string text) {
  for (; type->isArrayType(); type = typeIn(type)) text += "[0]";
  return text;
}

std::string onOneLine(llvm::StringRef text, const LangOptions& language) {
  // The lexer wants a zero behind its text.
  const std::string copy = text.str();
  Lexer lexer(SourceLocation(), language, copy.data(), copy.data(), copy.data() + copy.size());
  std::string out;
  Token token;
  for (bool atEnd = false; !atEnd;) {
    atEnd = lexer.LexFromRawLexer(token);
    if (token.is(tok::eof)) break;
    const size_t end = size_t(lexer.getBufferLocation() - copy.data());
    if (!out.empty() && (token.hasLeadingSpace() || token.isAtStartOfLine())) out += ' ';
    // Line breaks may stand within a token too, each behind a backslash.
    for (size_t at = end - token.getLength(); at < end; ++at) {
      size_t behind = at + 1;
      while (copy[at] == '\\' && behind < end && (copy[behind] == ' ' || copy[behind] == '\r')) ++behind;
      if (copy[at] == '\\' && behind < end && copy[behind] == '\n')
        at = behind;
      else
        out += copy[at];
    }
  }
  return out;
}

std::optional<CharSourceRange> rangeInMainFile(const UnitImporter& unit, SourceRange range) {
  if (range.isInvalid()) return std::nullopt;
  const CharSourceRange written =
      Lexer::makeFileCharRange(CharSourceRange::getTokenRange(range), unit.sources, unit.ast.getLangOpts());
  if (written.isInvalid() || unit.sources.getFileID(written.getBegin()) != unit.sources.getMainFileID())
    return std::nullopt;
  return written;
}

const Expr* plain(const Expr* e) {
  for (;;) {
    const Expr* inner = e->IgnoreParenImpCasts();
    if (const auto* constant = dyn_cast<ConstantExpr>(inner)) inner = constant->getSubExpr();
    if (const auto* cleanups = dyn_cast<ExprWithCleanups>(inner)) inner = cleanups->getSubExpr();
    if (const auto* temporary = dyn_cast<MaterializeTemporaryExpr>(inner)) inner = temporary->getSubExpr();
    if (const auto* given = dyn_cast<SubstNonTypeTemplateParmExpr>(inner)) inner = given->getReplacement();
    if (inner == e) return e;
    e = inner;
  }
}

std::string AccReader::writtenText(const Expr& e) const {
  const std::optional<CharSourceRange> written = rangeInMainFile(unit, e.getSourceRange());
  if (!written)
    throw Refusal{"an operand comes out of a macro; write it into the directive", unit.loc(e.getBeginLoc())};
  return onOneLine(Lexer::getSourceText(*written, unit.sources, unit.ast.getLangOpts()),
                   unit.ast.getLangOpts());
}

std::string AccReader::hostText(const Expr& e) {
  const std::string text = writtenText(e);
  const Expr* root = e.IgnoreImpCasts();
  const bool isPrimary =
      isa<DeclRefExpr, MemberExpr, ArraySubscriptExpr, IntegerLiteral, ParenExpr, CallExpr, CXXThisExpr>(
          root) &&
      !isa<CXXOperatorCallExpr>(root) && !e.getBeginLoc().isMacroID();
  return isPrimary ? text : "(" + text + ")";
}

std::string AccReader::hostName(const VarDecl& var, const Expr* written) const {
  if (!unit.ast.getLangOpts().CPlusPlus || var.getDeclContext()->isFunctionOrMethod() ||
      var.isLocalExternDecl())
    return var.getNameAsString();
  // All instantiations of a template have one text.
  bool isInstance = isa<VarTemplateSpecializationDecl>(var);
  for (const DeclContext* c = var.getDeclContext(); c; c = c->getParent())
    isInstance = isInstance || isa<ClassTemplateSpecializationDecl>(c);
  if (!isInstance) return "::" + unit.qualifiedName(var);
  const std::string text = written ? unit.text(written->getSourceRange()) : "";
  return text.empty() ? var.getNameAsString() : onOneLine(text, unit.ast.getLangOpts());
}

AccValue AccReader::value(const Expr& e) {
  AccValue made{hostText(e), std::nullopt};
  if (!e.isValueDependent() && !e.isTypeDependent()) made.constant = constantInt(e, unit.ast);
  return made;
}

bool AccReader::hasSideEffects(const Expr& e) const { return e.HasSideEffects(unit.ast); }

void AccReader::say(SourceLocation at, std::string text, bool isError) {
  const ir::SourceLoc loc = unit.loc(at);
  // Instantiations of a template repeat what is wrong with it.
  for (const AccMessage& known : messages)
    if (known.text == text && known.loc.line == loc.line && known.loc.column == loc.column) return;
  messages.push_back({loc, std::move(text), isError});
}

}  // namespace hone::frontend
