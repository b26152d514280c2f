// Which named constant stands behind an expression, so that the output can keep the name.
#include "clang/AST/ASTContext.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Lex/Lexer.h"
#include "clang/Lex/MacroInfo.h"
#include "clang/Lex/Preprocessor.h"
#include "frontend/Importer.h"

namespace hone::frontend {

using namespace clang;

std::string UnitImporter::macroName(const Expr& e) const { return macroName(e.getSourceRange()); }

// Follows both ends outwards through the macro expansions that consist of exactly these tokens.
std::string UnitImporter::macroName(SourceRange range) const {
  SourceLocation begin = range.getBegin(), end = range.getEnd();
  std::string found;
  while (begin.isMacroID() && end.isMacroID()) {
    if (sources.isMacroArgExpansion(begin) && sources.isMacroArgExpansion(end)) {
      begin = sources.getImmediateSpellingLoc(begin);
      end = sources.getImmediateSpellingLoc(end);
      continue;
    }
    if (sources.getFileID(begin) != sources.getFileID(end)) break;
    std::string name = Lexer::getImmediateMacroName(begin, sources, ast.getLangOpts()).str();
    SourceLocation outerBegin, outerEnd;
    unsigned length = Lexer::MeasureTokenLength(sources.getSpellingLoc(end), sources, ast.getLangOpts());
    // Parentheses around a macro's body belong to the expression; Clang's ranges leave them out, so step over
    // them.
    if (!sources.isAtStartOfImmediateMacroExpansion(begin, &outerBegin)) {
      SourceLocation before = begin.getLocWithOffset(-1);
      if (sources.getFileID(before) != sources.getFileID(begin) ||
          *sources.getCharacterData(sources.getSpellingLoc(before)) != '(')
        break;
      if (!sources.isAtStartOfImmediateMacroExpansion(before, &outerBegin)) break;
      SourceLocation after = end.getLocWithOffset(int(length));
      if (!sources.isAtEndOfImmediateMacroExpansion(after.getLocWithOffset(1), &outerEnd)) break;
      if (*sources.getCharacterData(sources.getSpellingLoc(after)) != ')') break;
    } else if (!sources.isAtEndOfImmediateMacroExpansion(end.getLocWithOffset(int(length)), &outerEnd)) {
      break;
    }
    const IdentifierInfo* id = source.preprocessor().getIdentifierInfo(name);
    const MacroInfo* info = id ? source.preprocessor().getMacroInfo(id) : nullptr;
    if (!info || info->isFunctionLike() || info->isBuiltinMacro()) break;
    found = name;
    begin = outerBegin;
    end = outerEnd;
  }
  return found;
}

}  // namespace hone::frontend
