#include "frontend/UnseenLaunches.h"

#include <algorithm>

#include "clang/AST/ASTContext.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Lex/Lexer.h"

namespace hone::frontend {

using namespace clang;
namespace ir = hone::ir;

namespace {

struct PlainToken {
  tok::TokenKind kind = tok::unknown;
  unsigned begin = 0, end = 0;
};

/// The tokens of one file and the launches among them.
class TokenReader {
 public:
  TokenReader(const UnitImporter& importer, FileID id, std::string name)
      : unit(importer), path(std::move(name)), text(importer.sources.getBufferData(id)), file(id) {
    Lexer lexer(unit.sources.getLocForStartOfFile(file), unit.ast.getLangOpts(), text.begin(), text.begin(),
                text.end());
    Token token;
    for (bool atEnd = false; !atEnd;) {
      atEnd = lexer.LexFromRawLexer(token);
      if (token.is(tok::eof)) break;
      const unsigned begin = unit.sources.getFileOffset(token.getLocation());
      tokens.push_back({token.getKind(), begin, begin + token.getLength()});
      join(tok::lessless, tok::less, tok::lesslessless);
      join(tok::greatergreater, tok::greater, tok::greatergreatergreater);
    }
  }

  std::vector<size_t> openings() const {
    std::vector<size_t> found;
    for (size_t i = 1; i < tokens.size(); ++i)
      if (tokens[i].kind == tok::lesslessless) found.push_back(i);
    return found;
  }

  unsigned offsetOf(size_t token) const { return tokens[token].begin; }

  ImportedLaunch read(size_t opening, const std::vector<ImportedKernel>& kernels) const {
    ImportedLaunch found;
    found.launch.loc = unit.loc(unit.sources.getLocForStartOfFile(file).getLocWithOffset(
        static_cast<int>(tokens[opening - 1].begin)));
    const ImportedKernel* kernel = nullptr;
    size_t callee = opening - 1;
    if (tokens[callee].kind == tok::raw_identifier) {
      found.launch.kernel = word(callee);
      for (const ImportedKernel& k : kernels)
        if (k.name == word(callee)) kernel = kernel || k.isTemplate ? nullptr : &k;
      while (callee >= 2 && tokens[callee - 1].kind == tok::coloncolon &&
             tokens[callee - 2].kind == tok::raw_identifier)
        callee -= 2;
    }
    if (!kernel || std::count_if(kernels.begin(), kernels.end(),
                                 [&](const ImportedKernel& k) { return k.name == kernel->name; }) != 1) {
      found.unpatchable = "Clang cannot read it";
      return found;
    }
    found.linkageName = kernel->linkageName;
    found.launch.kernel = kernel->qualifiedName;
    found.seesDefinition =
        kernel->body.valid() && (kernel->body.file != path || kernel->body.end <= tokens[callee].begin);
    found.unpatchable = "Clang cannot read it";
    std::vector<std::pair<size_t, size_t>> parts, arguments;
    const size_t close = split(opening + 1, tok::greatergreatergreater, parts);
    if (close + 1 >= tokens.size() || tokens[close + 1].kind != tok::l_paren) return found;
    const size_t end = split(close + 2, tok::r_paren, arguments);
    if (end >= tokens.size() || parts.size() < 2 || parts.size() > 4) return found;
    std::string* texts[4] = {&found.launch.grid, &found.launch.block, &found.launch.shared,
                             &found.launch.stream};
    for (size_t i = 0; i < parts.size(); ++i) *texts[i] = textOf(parts[i]);
    for (const auto& one : arguments) found.launch.args.push_back(textOf(one));
    found.callee = text.slice(tokens[callee].begin, tokens[opening - 1].end).str();
    found.call = {path, tokens[callee].begin, tokens[end].end};
    found.arguments = text.slice(tokens[close + 1].end, tokens[end].begin).str();
    found.hasArguments = !arguments.empty();
    if (!kernel->kernel || arguments.size() != kernel->kernel->params.size()) return found;
    if (!isQuiet(opening + 1, end)) {
      found.unpatchable = "Clang cannot read it, and its parts may have to be evaluated in order";
    } else if (hasMoreThanTokens(callee, close + 1)) {
      found.unpatchable = "Clang cannot read it, and comments or lines of the preprocessor stand inside it";
    } else {
      found.unpatchable.clear();
    }
    return found;
  }

 private:
  /// nvcc takes `<< <` for `<<<`; no expression has these in a row.
  void join(tok::TokenKind first, tok::TokenKind second, tok::TokenKind both) {
    if (tokens.size() < 2 || tokens.back().kind != second || tokens[tokens.size() - 2].kind != first) return;
    const unsigned end = tokens.back().end;
    tokens.pop_back();
    tokens.back().kind = both;
    tokens.back().end = end;
  }

  std::string word(size_t i) const { return text.slice(tokens[i].begin, tokens[i].end).str(); }
  std::string textOf(const std::pair<size_t, size_t>& range) const {
    return text.slice(tokens[range.first].begin, tokens[range.second - 1].end).str();
  }

  /// Where the list that begins at a token ends; its elements as ranges of tokens.
  size_t split(size_t begin, tok::TokenKind closing, std::vector<std::pair<size_t, size_t>>& elements) const {
    int depth = 0;
    size_t first = begin;
    for (size_t i = begin; i < tokens.size(); ++i) {
      const tok::TokenKind kind = tokens[i].kind;
      if (depth == 0 && (kind == closing || kind == tok::comma)) {
        if (i > first) elements.emplace_back(first, i);
        first = i + 1;
        if (kind == closing) return i;
      }
      if (kind == tok::l_paren || kind == tok::l_brace || kind == tok::l_square) ++depth;
      if (kind == tok::r_paren || kind == tok::r_brace || kind == tok::r_square) --depth;
      if (kind == tok::semi || depth < 0) break;
    }
    return tokens.size();
  }

  /// Names, numbers, arithmetic, elements, members and dim3: nothing that is called or assigned.
  bool isQuiet(size_t begin, size_t end) const {
    for (size_t i = begin; i < end; ++i) {
      switch (tokens[i].kind) {
        case tok::raw_identifier: {
          const bool isCalled = i + 1 < end && tokens[i + 1].kind == tok::l_paren;
          if (isCalled && word(i) != "dim3") return false;
          if (!isQuietMacro(word(i))) return false;
          break;
        }
        case tok::numeric_constant:
        case tok::char_constant:
        case tok::comma:
        case tok::l_paren:
        case tok::r_paren:
        case tok::l_brace:
        case tok::r_brace:
        case tok::l_square:
        case tok::r_square:
        case tok::plus:
        case tok::minus:
        case tok::star:
        case tok::slash:
        case tok::percent:
        case tok::lessless:
        case tok::greatergreater:
        case tok::less:
        case tok::greater:
        case tok::lessequal:
        case tok::greaterequal:
        case tok::equalequal:
        case tok::exclaimequal:
        case tok::question:
        case tok::colon:
        case tok::coloncolon:
        case tok::period:
        case tok::arrow:
        case tok::amp:
        case tok::ampamp:
        case tok::pipe:
        case tok::pipepipe:
        case tok::caret:
        case tok::tilde:
        case tok::exclaim:
        case tok::greatergreatergreater: break;
        default: return false;
      }
    }
    return true;
  }

  bool isQuietMacro(const std::string& name) const {
    const auto& macros = unit.source.record().definitions;
    return std::all_of(macros.begin(), macros.end(), [&](const MacroDefinition& macro) {
      return macro.name != name ||
             (!macro.isFunctionLike &&
              macro.body.find_first_not_of("0123456789xXuUlLfF.()+-*/ ") == std::string::npos &&
              macro.body.find("++") == std::string::npos && macro.body.find("--") == std::string::npos);
    });
  }

  bool hasMoreThanTokens(size_t begin, size_t end) const {
    for (size_t i = begin; i < end; ++i)
      if (!text.slice(tokens[i].end, tokens[i + 1].begin).trim().empty() || tokens[i].kind == tok::hash)
        return true;
    return false;
  }

  const UnitImporter& unit;
  std::string path;
  llvm::StringRef text;
  FileID file;
  std::vector<PlainToken> tokens;
};

bool holds(const FileRange& range, const std::string& file, unsigned offset) {
  return range.valid() && range.file == file && range.begin <= offset && offset < range.end;
}

}  // namespace

std::vector<ImportedLaunch> unseenLaunches(const UnitImporter& unit,
                                           const std::vector<ImportedKernel>& kernels,
                                           const std::vector<ImportedLaunch>& known,
                                           const std::vector<FileRange>& device) {
  std::vector<ImportedLaunch> found;
  const PreprocessorRecord& record = unit.source.record();
  for (unsigned f = 0; f < record.files.size(); ++f) {
    const auto entry = unit.sources.getFileManager().getOptionalFileRef(record.files[f]);
    const FileID file = entry ? unit.source.fileId(entry->getFileEntry()) : FileID();
    if (file.isInvalid() || !unit.sources.getBufferData(file).contains("<<")) continue;
    const llvm::StringRef real = entry->getFileEntry().tryGetRealPathName();
    const std::string path = real.empty() ? entry->getName().str() : real.str();
    const TokenReader reader(unit, file, path);
    for (size_t opening : reader.openings()) {
      const unsigned at = reader.offsetOf(opening);
      auto isIn = [&](const ByteRange& range) {
        return range.file == f && range.begin <= at && at < range.end;
      };
      const bool isElsewhere =
          std::any_of(record.skipped.begin(), record.skipped.end(), isIn) ||
          std::any_of(record.definitions.begin(), record.definitions.end(),
                      [&](const MacroDefinition& macro) { return isIn(macro.range); }) ||
          std::any_of(known.begin(), known.end(),
                      [&](const ImportedLaunch& launch) { return holds(launch.call, path, at); }) ||
          std::any_of(device.begin(), device.end(),
                      [&](const FileRange& range) { return holds(range, path, at); }) ||
          std::any_of(record.expansions.begin(), record.expansions.end(),
                      [&](const MacroExpansion& one) { return isIn(one.range); });
      if (!isElsewhere) found.push_back(reader.read(opening, kernels));
    }
  }
  return found;
}

}  // namespace hone::frontend
