#include "frontend/Directives.h"

#include <algorithm>
#include <cctype>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "clang/AST/ASTContext.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Lex/Lexer.h"
#include "clang/Lex/MacroInfo.h"
#include "clang/Lex/Preprocessor.h"

namespace hone::frontend {

using namespace clang;

std::set<std::string> wordsIn(const std::string& text) {
  std::set<std::string> words;
  auto isPart = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; };
  for (size_t i = 0; i < text.size();) {
    if (!isPart(text[i])) {
      ++i;
      continue;
    }
    size_t end = i;
    while (end < text.size() && isPart(text[end])) ++end;
    if (!std::isdigit(static_cast<unsigned char>(text[i]))) words.insert(text.substr(i, end - i));
    i = end;
  }
  return words;
}

namespace {

std::string negated(const std::string& condition) {
  if (condition.starts_with("!(") && condition.ends_with(")"))
    return condition.substr(2, condition.size() - 3);
  return "!(" + condition + ")";
}

/// Without parentheses around all of it.
std::string bared(std::string text) {
  while (text.size() > 1 && text.front() == '(') {
    int depth = 0;
    size_t at = 0;
    do depth += text[at] == '(' ? 1 : text[at] == ')' ? -1 : 0;
    while (depth > 0 && ++at < text.size());
    if (at + 1 != text.size()) break;
    text = text.substr(1, text.size() - 2);
  }
  return text;
}

/// The macro that `#ifndef X` or `#if !defined(X)` asks for; "": something else is asked.
std::string guardName(const std::string& condition) {
  constexpr std::string_view begin = "!(defined(", end = "))";
  if (!condition.starts_with(begin) || !condition.ends_with(end)) return "";
  std::string name = condition.substr(begin.size(), condition.size() - begin.size() - end.size());
  return wordsIn(name) == std::set<std::string>{name} ? name : "";
}

/// Whether a word of a replacement list is a whole number or an operator that binds tighter than comparisons.
bool isArithmeticWord(const std::string& word) {
  static const std::set<std::string> operators = {"(", ")", "+", "-", "*", "/", "%", "<<", ">>"};
  if (operators.contains(word)) return true;
  if (word.empty() || !std::isdigit(static_cast<unsigned char>(word[0]))) return false;
  const bool isHex = word.starts_with("0x") || word.starts_with("0X");
  const size_t end = word.find_first_not_of(isHex ? "0123456789abcdefABCDEF" : "0123456789", isHex ? 2 : 0);
  return end == std::string::npos || word.find_first_not_of("lL", end) == std::string::npos;
}

/// The same or a name, of all of them.
bool isArithmeticText(const std::vector<std::string>& words) {
  return !words.empty() && std::all_of(words.begin(), words.end(), [](const std::string& word) {
    return isArithmeticWord(word) || wordsIn(word) == std::set<std::string>{word};
  });
}

/// Whether a directive stands behind the mark of a body that hone put in place of another, which it keeps.
bool isOwnGuard(llvm::StringRef text, unsigned directive) {
  const llvm::StringRef before = text.substr(0, directive).rtrim();
  const llvm::StringRef line = before.substr(before.rfind('\n') + 1).ltrim();  // npos + 1 is 0
  return line.starts_with("// hone: begin, in place of ");
}

/// Operators that conditions have blanks around.
bool isComparison(const std::string& word) {
  static const std::set<std::string> spaced = {"&&", "||", "==", "!=", "<=", ">=", "<", ">"};
  return spaced.contains(word);
}

/// Conditions with the same answer wherever the language is compiled.
bool holdsAlways(const std::string& condition) {
  static const std::set<std::string> known = {"1",
                                              "!(0)",
                                              "!(defined(HONE_OFF))",
                                              "!(defined(__DEVICE_EMULATION__))",
                                              "defined(__CUDACC__)",
                                              "defined(__NVCC__)",
                                              "defined(__cplusplus)",
                                              "defined(__OPENCL_VERSION__)",
                                              "defined(__OPENCL_C_VERSION__)"};
  return known.contains(condition);
}

}  // namespace

/// Walks the tokens of one file; Clang's own lexer knows comments, strings and continued lines.
class DirectiveScanner {
 public:
  DirectiveScanner(Directives& result, const FileEntry* scanned, FileID id)
      : out(result), entry(scanned), into(result.files[scanned]) {
    const SourceManager& sources = result.source.sources();
    text = sources.getBufferData(id);
    Lexer lexer(sources.getLocForStartOfFile(id), result.source.ast().getLangOpts(), text.begin(),
                text.begin(), text.end());
    Token token;
    bool atEnd = lexer.LexFromRawLexer(token);
    while (!atEnd) {
      if (token.isNot(tok::hash) || !token.isAtStartOfLine()) {
        anyCode();
        atEnd = lexer.LexFromRawLexer(token);
        continue;
      }
      const unsigned begin = sources.getFileOffset(token.getLocation());
      std::vector<Token> line;
      while (!(atEnd = lexer.LexFromRawLexer(token)) && !token.isAtStartOfLine()) line.push_back(token);
      std::vector<std::string> words;
      words.reserve(line.size());
      for (const Token& t : line) words.push_back(Lexer::getSpelling(t, sources, {}));
      const unsigned end = line.empty()
                               ? begin + 1
                               : sources.getFileOffset(line.back().getLocation()) + line.back().getLength();
      const bool isFunctionLike = line.size() > 2 && line[2].is(tok::l_paren) && !line[2].hasLeadingSpace();
      if (!words.empty()) directive(words, begin, end, isFunctionLike);
    }
    // A guard is one only when nothing follows it.
    if (guardEnd && !codeBehindGuard) {
      std::erase_if(into.branches, [&](const auto& b) { return b.opener == guardBegin; });
      std::erase_if(into.conditionals, [&](unsigned at) { return at == guardBegin || at == *guardEnd; });
    }
  }

 private:
  struct Open {
    std::vector<std::string> conditions;  // of the branches so far
    unsigned begin = 0;                   // of the branch
    unsigned opener = 0;                  // of the #if
    bool isGuard = false;
    bool isOwn = false;  // hone's, around a body in place of another
  };

  static std::string conditionOf(const std::string& kind, const std::vector<std::string>& words) {
    if (kind.ends_with("ifdef")) return "defined(" + (words.size() > 1 ? words[1] : "") + ")";
    if (kind.ends_with("ifndef")) return "!(defined(" + (words.size() > 1 ? words[1] : "") + "))";
    // `defined X` and `defined(X)` are one; so are `!defined(X)` and #ifndef.
    std::string text;
    for (size_t i = 1; i < words.size(); ++i) {
      if (words[i] == "defined" && i + 1 < words.size() && words[i + 1] != "(") {
        text += "defined(" + words[++i] + ")";
        continue;
      }
      const bool apart = !text.empty() && !wordsIn(text.substr(text.size() - 1)).empty() &&
                         !wordsIn(words[i].substr(0, 1)).empty();
      const bool isSpaced = isComparison(words[i]);
      text += (apart || isSpaced ? " " : "") + words[i] + (isSpaced ? " " : "");
    }
    text = bared(std::move(text));
    const bool isOne =
        text.starts_with("!defined(") && text.find(')') == text.size() - 1 && text.find("&&") == text.npos;
    return isOne ? "!(" + text.substr(1) + ")" : text;
  }

  void anyCode() {
    isFirst = false;
    awaitsGuard.clear();
    if (guardEnd) codeBehindGuard = true;
  }

  void close(unsigned end) {
    const Open& top = stack.back();
    if (top.isOwn) return;
    Directives::Branch branch{top.begin, end, {}, top.opener, false};
    for (size_t i = 0; i + 1 < top.conditions.size(); ++i)
      branch.conditions.insert(negated(top.conditions[i]));
    if (!top.conditions.empty() && !top.conditions.back().empty())
      branch.conditions.insert(top.conditions.back());
    std::erase_if(branch.conditions, holdsAlways);
    into.branches.push_back(std::move(branch));
  }

  void directive(const std::vector<std::string>& words, unsigned begin, unsigned end, bool isFunctionLike) {
    const std::string& kind = words[0];
    const std::string awaited = std::exchange(awaitsGuard, "");
    const bool wasFirst = isFirst;
    if (kind != "pragma") isFirst = false;
    if (guardEnd) codeBehindGuard = true;
    if (kind == "if" || kind == "ifdef" || kind == "ifndef") {
      const bool isOwn = isOwnGuard(text, begin);
      if (!isOwn) into.conditionals.push_back(begin);
      stack.push_back({{conditionOf(kind, words)}, end, begin, false, isOwn});
      if (wasFirst) {
        awaitsGuard = guardName(stack.back().conditions[0]);
        guardBegin = begin;
      }
    } else if (kind.starts_with("el") && !stack.empty()) {
      if (!stack.back().isOwn) into.conditionals.push_back(begin);
      close(begin);
      stack.back().isGuard = false;
      stack.back().begin = end;
      stack.back().conditions.push_back(kind == "else" ? "" : conditionOf(kind, words));
    } else if (kind == "endif" && !stack.empty()) {
      if (!stack.back().isOwn) into.conditionals.push_back(begin);
      close(begin);
      if (!stack.back().conditions.back().empty()) {
        stack.back().conditions.emplace_back();
        stack.back().begin = begin;
        close(begin);
        if (!stack.back().isOwn) into.branches.back().isEmpty = true;
      }
      if (stack.back().isGuard) guardEnd = begin;
      stack.pop_back();
    } else if (kind == "define" && words.size() > 1) {
      if (!awaited.empty() && words[1] == awaited) stack.back().isGuard = true;
      std::string body;
      for (size_t i = 2; i < words.size(); ++i) body += words[i] + " ";
      out.definitions[words[1]].push_back(
          {entry, begin, isFunctionLike, isArithmeticText({words.begin() + 2, words.end()}), wordsIn(body)});
    } else if (kind == "undef" && words.size() > 1) {
      out.undefinitions[words[1]].emplace_back(entry, begin);
    }
  }

  Directives& out;
  const FileEntry* entry;
  Directives::File& into;
  llvm::StringRef text;
  std::vector<Open> stack;
  bool isFirst = true;  // nothing of the file was seen yet
  std::string awaitsGuard;
  unsigned guardBegin = 0;
  std::optional<unsigned> guardEnd;
  bool codeBehindGuard = false;
};

Directives::Directives(const ParsedSource& parsed) : source(parsed) {
  const PreprocessorRecord& record = source.record();
  for (const std::string& name : record.files) scan(name);
  // Files come after those that include them.
  FileManager& manager = source.sources().getFileManager();
  for (const Inclusion& inclusion : record.inclusions) {
    auto from = manager.getOptionalFileRef(record.files[inclusion.directive.file]);
    auto to = inclusion.resolved.empty() ? std::nullopt : manager.getOptionalFileRef(inclusion.resolved);
    if (!from || !to) continue;
    auto known = files.find(&to->getFileEntry());
    if (known == files.end() || known->first == &from->getFileEntry()) continue;
    known->second.around = conditionsIn(&from->getFileEntry(), inclusion.directive.begin);
  }
}

void Directives::scan(const std::string& name) {
  const SourceManager& sources = source.sources();
  auto entry = sources.getFileManager().getOptionalFileRef(name);
  if (!entry || files.contains(&entry->getFileEntry())) return;
  const FileID id = source.fileId(entry->getFileEntry());
  if (id.isValid()) DirectiveScanner(*this, &entry->getFileEntry(), id);
}

std::set<std::string> Directives::conditionsIn(const FileEntry* entry, unsigned offset) const {
  auto known = files.find(entry);
  if (known == files.end()) return {};
  std::set<std::string> found = known->second.around;
  for (const Branch& branch : known->second.branches)
    if (branch.begin <= offset && offset < branch.end)
      found.insert(branch.conditions.begin(), branch.conditions.end());
  return found;
}

std::set<std::string> Directives::conditionsAt(SourceLocation at) {
  if (at.isInvalid()) return {};
  auto [id, offset] = source.sources().getDecomposedExpansionLoc(at);
  return conditionsIn(source.sources().getFileEntryForID(id), offset);
}

std::set<std::string> Directives::conditionsAt(const FileRange& text) const {
  const auto entry = source.sources().getFileManager().getOptionalFileRef(text.file);
  return entry ? conditionsIn(&entry->getFileEntry(), text.begin) : std::set<std::string>{};
}

unsigned Directives::conditionalIn(const FileRange& text) const {
  const SourceManager& sources = source.sources();
  const auto entry = sources.getFileManager().getOptionalFileRef(text.file);
  const FileID id = entry ? source.fileId(entry->getFileEntry()) : FileID();
  if (id.isInvalid()) return 0;
  return conditionalBetween(sources.getComposedLoc(id, text.begin), sources.getComposedLoc(id, text.end));
}

unsigned Directives::conditionalBetween(SourceLocation begin, SourceLocation end) const {
  if (begin.isInvalid() || end.isInvalid()) return 0;
  auto [id, from] = source.sources().getDecomposedExpansionLoc(begin);
  auto [endId, to] = source.sources().getDecomposedExpansionLoc(end);
  auto known = files.find(source.sources().getFileEntryForID(id));
  if (id != endId || known == files.end()) return 0;
  for (unsigned at : known->second.conditionals)
    if (at >= from && at < to) return source.sources().getLineNumber(id, at);
  return 0;
}

bool Directives::varies(const std::string& macro, const std::set<std::string>& conditions) {
  auto known = definitions.find(macro);
  if (known == definitions.end()) {
    const IdentifierInfo* id = source.preprocessor().getIdentifierInfo(macro);
    const MacroInfo* info = id ? source.preprocessor().getMacroInfo(id) : nullptr;
    return info && source.sources().isWrittenInCommandLineFile(info->getDefinitionLoc());
  }
  for (const Definition& one : known->second) {
    std::set<std::string> open = conditionsIn(one.file, one.offset);
    for (const std::string& condition : conditions) open.erase(condition);
    // Nobody gives a macro with parameters on the command line.
    if (one.isFunctionLike) open.erase("!(defined(" + macro + "))");
    if (!open.empty()) return true;
  }
  return false;
}

std::set<std::string> Directives::arithmeticMacros() const {
  std::set<std::string> found;
  auto ask = [&](const std::string& name) {
    std::set<std::string> asked;
    if (isArithmetic(name, asked)) found.insert(name);
  };
  for (const auto& [name, list] : definitions) ask(name);
  for (const auto& [id, state] : source.preprocessor().macros(false)) {
    const MacroInfo* info = source.preprocessor().getMacroInfo(id);
    if (info && source.sources().isWrittenInCommandLineFile(info->getDefinitionLoc()))
      ask(id->getName().str());
  }
  return found;
}

bool Directives::isArithmetic(const std::string& macro, std::set<std::string>& asked) const {
  if (!asked.insert(macro).second) return true;
  auto areArithmetic = [&](const std::set<std::string>& words) {
    return std::all_of(words.begin(), words.end(),
                       [&](const std::string& word) { return isArithmetic(word, asked); });
  };
  auto known = definitions.find(macro);
  if (known != definitions.end()) {
    for (const Definition& one : known->second)
      if (one.isFunctionLike || !one.isArithmetic || !areArithmetic(one.words)) return false;
  }
  // As this build has it, which may be what the command line says.
  const IdentifierInfo* id = source.preprocessor().getIdentifierInfo(macro);
  const MacroInfo* info = id ? source.preprocessor().getMacroInfo(id) : nullptr;
  if (!info) return known != definitions.end();
  std::vector<std::string> words;
  std::string text;
  for (const Token& token : info->tokens()) {
    words.push_back(Lexer::getSpelling(token, source.sources(), source.ast().getLangOpts()));
    text += words.back() + " ";
  }
  return info->isObjectLike() && isArithmeticText(words) && areArithmetic(wordsIn(text));
}

bool Directives::hangsOnPass(const std::set<std::string>& words) {
  std::set<std::string> asked;
  return std::any_of(words.begin(), words.end(),
                     [&](const std::string& word) { return hangsOnPass(word, asked); });
}

bool Directives::hangsOnPass(const std::string& word, std::set<std::string>& asked) const {
  if (word == "__CUDA_ARCH__" || word == "__CUDA_ARCH_LIST__" || word == "__CUDA_ARCH_FEAT_SM90_ALL")
    return true;
  auto known = definitions.find(word);
  if (known == definitions.end() || !asked.insert(word).second) return false;
  for (const Definition& one : known->second) {
    for (const std::string& inner : one.words)
      if (hangsOnPass(inner, asked)) return true;
    for (const std::string& condition : conditionsIn(one.file, one.offset))
      for (const std::string& inner : wordsIn(condition))
        if (hangsOnPass(inner, asked)) return true;
  }
  return false;
}

}  // namespace hone::frontend
