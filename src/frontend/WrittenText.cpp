#include "frontend/WrittenText.h"

#include "clang/AST/ASTContext.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Lex/Lexer.h"

namespace hone::frontend {

using namespace clang;

SourceLocation writtenAt(const UnitImporter& unit, SourceLocation at) {
  while (at.isMacroID()) {
    if (!unit.sources.isMacroArgExpansion(at)) return {};
    at = unit.sources.getImmediateSpellingLoc(at);
  }
  return at;
}

std::string writtenText(const UnitImporter& unit, SourceRange range) {
  const CharSourceRange written =
      Lexer::makeFileCharRange(CharSourceRange::getTokenRange(range), unit.sources, unit.ast.getLangOpts());
  if (written.isInvalid()) return "";
  return Lexer::getSourceText(written, unit.sources, unit.ast.getLangOpts()).str();
}

// By tokens: Clang has no place in the file for the `>` that it takes out of a `>>`.
std::string writtenAngles(const UnitImporter& unit, SourceLocation opening) {
  opening = writtenAt(unit, opening);
  if (opening.isInvalid()) return "";
  const FileID file = unit.sources.getFileID(opening);
  const llvm::StringRef text = unit.sources.getBufferData(file);
  const unsigned begin = unit.sources.getFileOffset(opening);
  Lexer lexer(unit.sources.getLocForStartOfFile(file), unit.ast.getLangOpts(), text.begin(),
              text.begin() + begin, text.end());
  Token token;
  unsigned angles = 0, brackets = 0;
  for (bool atEnd = false; !atEnd;) {
    atEnd = lexer.LexFromRawLexer(token);
    const unsigned at = unit.sources.getFileOffset(token.getLocation());
    unsigned closed = 0;
    switch (token.getKind()) {
      case tok::l_paren:
      case tok::l_square:
      case tok::l_brace: ++brackets; break;
      case tok::r_paren:
      case tok::r_square:
      case tok::r_brace:
        if (brackets == 0) return "";
        --brackets;
        break;
      case tok::less: angles += brackets == 0; break;
      case tok::greater: closed = 1; break;
      case tok::greatergreater: closed = 2; break;
      case tok::greatergreatergreater: closed = 3; break;
      case tok::eof:
      case tok::semi: return "";
      default: break;
    }
    for (unsigned i = 0; brackets == 0 && i < closed; ++i)
      if (--angles == 0) return text.slice(begin, at + i + 1).str();
  }
  return "";
}

}  // namespace hone::frontend
