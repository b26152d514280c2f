#include "frontend/RecordPreprocessor.h"

#include "clang/Basic/SourceManager.h"
#include "clang/Lex/Lexer.h"
#include "clang/Lex/MacroArgs.h"
#include "clang/Lex/MacroInfo.h"
#include "clang/Lex/PPCallbacks.h"
#include "clang/Lex/Preprocessor.h"
#include "llvm/ADT/DenseMap.h"

#include <algorithm>
#include <optional>

namespace hone::frontend {
namespace {

using clang::SourceLocation;
using clang::SourceRange;
using llvm::StringRef;

bool beginsLaunch(const clang::Token& token) {
  if (token.is(clang::tok::lesslessless)) return true;
  const clang::IdentifierInfo* name = token.getIdentifierInfo();
  return name && (name->isStr("cudaLaunchKernel") || name->isStr("cudaLaunchCooperativeKernel") ||
                  name->isStr("cudaLaunchKernelEx"));
}

/// Whether an argument of a macro that holds a launch is stringized or pasted to something.
bool spellsLaunch(const clang::MacroInfo& macro, const clang::MacroArgs& args) {
  auto holdsLaunch = [&](const clang::Token& token) {
    const clang::IdentifierInfo* name = token.getIdentifierInfo();
    const int parameter = name ? macro.getParameterNum(name) : -1;
    if (parameter < 0 || static_cast<unsigned>(parameter) >= args.getNumMacroArguments()) return false;
    const clang::Token* at = args.getUnexpArgument(static_cast<unsigned>(parameter));
    while (at->isNot(clang::tok::eof) && !beginsLaunch(*at)) ++at;
    return at->isNot(clang::tok::eof);
  };
  for (unsigned i = 0; i + 1 < macro.getNumTokens(); ++i) {
    const clang::Token &token = macro.getReplacementToken(i), &next = macro.getReplacementToken(i + 1);
    if (token.isOneOf(clang::tok::hash, clang::tok::hashat) && holdsLaunch(next)) return true;
    if (next.is(clang::tok::hashhash) && holdsLaunch(token)) return true;
    // `, ##__VA_ARGS__` pastes nothing.
    const bool isComma = i > 0 && macro.getReplacementToken(i - 1).is(clang::tok::comma);
    if (token.is(clang::tok::hashhash) && !isComma && holdsLaunch(next)) return true;
  }
  return false;
}

class Recorder : public clang::PPCallbacks {
 public:
  Recorder(clang::Preprocessor& pp, PreprocessorRecord& out, std::vector<MissingHeader>& missingOut)
      : preprocessor(pp), sources(pp.getSourceManager()), record(out), missing(missingOut) {}

  void MacroDefined(const clang::Token& nameToken, const clang::MacroDirective* directive) override {
    SourceLocation begin = nameToken.getLocation();
    const clang::MacroInfo* info = directive->getMacroInfo();
    auto range = rangeOf(begin, endOfToken(info->getDefinitionEndLoc()));
    if (!range) return;
    MacroDefinition definition;
    definition.name = nameToken.getIdentifierInfo()->getName().str();
    definition.range = *range;
    definition.isFunctionLike = info->isFunctionLike();
    if (info->getNumTokens() > 0) {
      auto body =
          rangeOf(info->getReplacementToken(0).getLocation(), endOfToken(info->getDefinitionEndLoc()));
      if (body) definition.body = textOf(begin).substr(body->begin, body->end - body->begin).str();
    }
    definitionIndex[info] = static_cast<int>(record.definitions.size());
    record.definitions.push_back(std::move(definition));
  }

  void MacroExpands(const clang::Token& nameToken, const clang::MacroDefinition& macro, SourceRange range,
                    const clang::MacroArgs* args) override {
    const clang::MacroInfo* info = macro.getMacroInfo();
    MacroExpansion expansion;
    expansion.isArgumentOrBody = nameToken.getLocation().isMacroID() || range.getBegin().isMacroID();
    clang::CharSourceRange outer = sources.getExpansionRange(range);
    SourceLocation end = outer.getEnd();
    auto bytes = rangeOf(outer.getBegin(), outer.isTokenRange() ? endOfToken(end) : end);
    if (!bytes) return;
    expansion.name = nameToken.getIdentifierInfo()->getName().str();
    expansion.range = *bytes;
    expansion.isFunctionLike = info && info->isFunctionLike();
    expansion.spellsLaunch = info && args && spellsLaunch(*info, *args);
    if (auto known = definitionIndex.find(info); known != definitionIndex.end())
      expansion.definition = known->second;
    record.expansions.push_back(std::move(expansion));
  }

  void If(SourceLocation at, SourceRange, ConditionValueKind) override { open(at, Conditional::Kind::If); }
  void Ifdef(SourceLocation at, const clang::Token&, const clang::MacroDefinition&) override {
    open(at, Conditional::Kind::Ifdef);
  }
  void Ifndef(SourceLocation at, const clang::Token&, const clang::MacroDefinition&) override {
    open(at, Conditional::Kind::Ifndef);
  }
  void Elif(SourceLocation at, SourceRange, ConditionValueKind, SourceLocation ifAt) override {
    follow(at, ifAt, Conditional::Kind::Elif);
  }
  void Elifdef(SourceLocation at, const clang::Token&, const clang::MacroDefinition&) override {
    follow(at, lastOpen, Conditional::Kind::Elifdef);
  }
  void Elifdef(SourceLocation at, SourceRange, SourceLocation ifAt) override {
    follow(at, ifAt, Conditional::Kind::Elifdef);
  }
  void Elifndef(SourceLocation at, const clang::Token&, const clang::MacroDefinition&) override {
    follow(at, lastOpen, Conditional::Kind::Elifndef);
  }
  void Elifndef(SourceLocation at, SourceRange, SourceLocation ifAt) override {
    follow(at, ifAt, Conditional::Kind::Elifndef);
  }
  void Else(SourceLocation at, SourceLocation ifAt) override { follow(at, ifAt, Conditional::Kind::Else); }
  void Endif(SourceLocation at, SourceLocation ifAt) override { follow(at, ifAt, Conditional::Kind::Endif); }

  void SourceRangeSkipped(SourceRange range, SourceLocation) override {
    if (auto bytes = rangeOf(range.getBegin(), range.getEnd())) record.skipped.push_back(*bytes);
  }

  void InclusionDirective(SourceLocation hash, const clang::Token&, StringRef name, bool isAngled,
                          clang::CharSourceRange nameRange, clang::OptionalFileEntryRef file, StringRef,
                          StringRef, const clang::Module*, bool, clang::SrcMgr::CharacteristicKind) override {
    if (!file) {
      clang::PresumedLoc at = sources.getPresumedLoc(hash, false);
      MissingHeader lost;
      lost.name = name.str();
      lost.isAngled = isAngled;
      if (at.isValid()) {
        lost.file = at.getFilename();
        lost.line = at.getLine();
      }
      missing.push_back(std::move(lost));
    }
    SourceLocation end = nameRange.isTokenRange() ? endOfToken(nameRange.getEnd()) : nameRange.getEnd();
    auto bytes = rangeOf(hash, end);
    if (!bytes) return;
    Inclusion inclusion;
    inclusion.directive = *bytes;
    inclusion.spelled = name.str();
    inclusion.isAngled = isAngled;
    if (file) inclusion.resolved = file->getName().str();
    record.inclusions.push_back(std::move(inclusion));
  }

 private:
  SourceLocation endOfToken(SourceLocation at) const {
    return clang::Lexer::getLocForEndOfToken(sources.getExpansionLoc(at), 0, sources,
                                             preprocessor.getLangOpts());
  }

  StringRef textOf(SourceLocation at) const { return sources.getBufferData(sources.getFileID(at)); }

  /// Index of the user file that holds `at`; nothing for system headers and built-in text.
  std::optional<unsigned> fileOf(SourceLocation at) {
    if (at.isInvalid() || at.isMacroID()) return std::nullopt;
    clang::FileID id = sources.getFileID(at);
    if (auto known = fileIndex.find(id); known != fileIndex.end()) return known->second;
    std::optional<unsigned> index;
    auto entry = sources.getFileEntryRefForID(id);
    if (entry && sources.getFileCharacteristic(at) == clang::SrcMgr::C_User) {
      std::string name = entry->getName().str();
      for (unsigned i = 0; i < record.files.size() && !index; ++i)
        if (record.files[i] == name) index = i;
      if (!index) {
        index = static_cast<unsigned>(record.files.size());
        record.files.push_back(std::move(name));
      }
    }
    fileIndex[id] = index;
    return index;
  }

  std::optional<ByteRange> rangeOf(SourceLocation begin, SourceLocation end) {
    auto file = fileOf(begin);
    if (!file || end.isInvalid() || end.isMacroID()) return std::nullopt;
    auto [beginFile, beginOffset] = sources.getDecomposedLoc(begin);
    auto [endFile, endOffset] = sources.getDecomposedLoc(end);
    if (beginFile != endFile || endOffset < beginOffset) return std::nullopt;
    return ByteRange{*file, beginOffset, endOffset};
  }

  /// The whole directive, of which `at` is the word after the `#`.
  std::optional<ByteRange> directiveAt(SourceLocation at) {
    auto range = rangeOf(at, at);
    if (!range) return std::nullopt;
    StringRef text = textOf(at);
    while (range->begin > 0 && text[range->begin] != '#') --range->begin;
    while (range->end < text.size() && (text[range->end] != '\n' || isContinued(text, range->end)))
      ++range->end;
    return range;
  }

  static bool isContinued(StringRef text, unsigned newline) {
    unsigned before = newline;
    if (before > 0 && text[before - 1] == '\r') --before;
    return before > 0 && text[before - 1] == '\\';
  }

  void open(SourceLocation at, Conditional::Kind kind) {
    lastOpen = at;
    auto range = directiveAt(at);
    if (!range) return;
    auto index = static_cast<unsigned>(record.conditionals.size());
    openers[at.getRawEncoding()] = index;
    record.conditionals.push_back({kind, *range, index});
  }

  void follow(SourceLocation at, SourceLocation ifAt, Conditional::Kind kind) {
    auto range = directiveAt(at);
    auto opener = openers.find(ifAt.getRawEncoding());
    if (range && opener != openers.end()) record.conditionals.push_back({kind, *range, opener->second});
  }

  clang::Preprocessor& preprocessor;
  const clang::SourceManager& sources;
  PreprocessorRecord& record;
  std::vector<MissingHeader>& missing;
  llvm::DenseMap<clang::FileID, std::optional<unsigned>> fileIndex;
  llvm::DenseMap<const clang::MacroInfo*, int> definitionIndex;
  llvm::DenseMap<unsigned, unsigned> openers;
  SourceLocation lastOpen;
};

bool holdsOffset(const ByteRange& range, unsigned file, unsigned offset) {
  return range.file == file && range.begin <= offset && offset < range.end;
}

}  // namespace

bool PreprocessorRecord::isInDirective(unsigned file, unsigned offset) const {
  return std::any_of(conditionals.begin(), conditionals.end(),
                     [&](const Conditional& one) { return holdsOffset(one.range, file, offset); });
}

bool PreprocessorRecord::isDirectiveOrSkipped(const std::string& file, unsigned offset) const {
  const auto known = std::find(files.begin(), files.end(), file);
  if (known == files.end()) return false;
  const auto index = static_cast<unsigned>(known - files.begin());
  return isInDirective(index, offset) ||
         std::any_of(skipped.begin(), skipped.end(),
                     [&](const ByteRange& one) { return holdsOffset(one, index, offset); });
}

std::unique_ptr<clang::PPCallbacks> recordPreprocessor(clang::Preprocessor& preprocessor,
                                                       PreprocessorRecord& record,
                                                       std::vector<MissingHeader>& missing) {
  return std::make_unique<Recorder>(preprocessor, record, missing);
}

}  // namespace hone::frontend
