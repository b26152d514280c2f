// Conditionals and macro definitions of the user's files as they are written, those in text that this build
// leaves out included: what another build may see otherwise.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "clang/Basic/SourceLocation.h"
#include "frontend/Import.h"
#include "frontend/ParseSource.h"

namespace clang {
class FileEntry;
}  // namespace clang

namespace hone::frontend {

/// Words of a condition or a replacement list: names and keywords, no numbers.
std::set<std::string> wordsIn(const std::string& text);

/// The branch of a conditional that this build compiles.
struct Choice {
  clang::SourceLocation at;          ///< of the `#if`
  std::set<std::string> conditions;  ///< that choose it, in the words of Directives::conditionsAt
  bool isKnown = true;               ///< false: not one branch, as the file is read several times
};

class Directives {
 public:
  explicit Directives(const ParsedSource& source);

  /// Under which conditions the text at this place is compiled: "defined(A)", "!(N > 3)", those around the
  /// #include of its file too. What holds in every build of the language is left out, as are include guards.
  std::set<std::string> conditionsAt(clang::SourceLocation at);
  std::set<std::string> conditionsAt(const FileRange& text) const;

  /// Line of the first conditional directive between two places of one file; 0: none.
  unsigned conditionalBetween(clang::SourceLocation begin, clang::SourceLocation end) const;
  unsigned conditionalIn(const FileRange& text) const;

  /// What this build takes of the conditionals between two places of one file, each `#if` with its branches
  /// and `#endif` in order; those in text that is left out are passed over.
  std::vector<Choice> choicesBetween(clang::SourceLocation begin, clang::SourceLocation end) const;

  /// The conditionals around a place that choose whether it is compiled, as conditionsAt says.
  std::vector<Choice> choicesAround(clang::SourceLocation at) const;

  /// Whether a macro that one of these words stands for, directly or by way of macros, may be defined or
  /// undefined between two places of the translation unit; it is then named.
  std::optional<std::string> changedBetween(const std::set<std::string>& words, clang::SourceLocation from,
                                            clang::SourceLocation to) const;

  /// Whether the preprocessor enters the file of this place more than once.
  bool isEnteredAgain(clang::SourceLocation at) const;

  /// Whether a macro can have another definition in a build that compiles text under `conditions`.
  bool varies(const std::string& macro, const std::set<std::string>& conditions);

  /// Whether every definition of a macro is in another branch of one conditional, so that the conditions
  /// around one say which it is.
  bool isChosenOnce(const std::string& macro) const;

  /// Macros of the user's files and the command line whose values #if can ask for, in other builds too: every
  /// definition is arithmetic on whole numbers and such macros, and needs no parentheses in a comparison.
  std::set<std::string> arithmeticMacros() const;

  /// Whether one of these words stands for something else in the pass for the host, directly or by way of
  /// macros.
  bool hangsOnPass(const std::set<std::string>& words);

 private:
  struct Branch {
    unsigned begin = 0, end = 0;
    std::set<std::string> conditions;
    unsigned opener = 0;  ///< of the #if
    /// Stands for the text that a conditional without `#else` has where nothing of it is compiled.
    bool isEmpty = false;
  };
  struct Definition {
    const clang::FileEntry* file = nullptr;
    unsigned offset = 0;
    bool isFunctionLike = false;
    bool isArithmetic = false;    ///< numbers, operators and names alone
    std::set<std::string> words;  ///< of the replacement list
  };
  struct File {
    std::vector<Branch> branches;
    std::vector<unsigned> conditionals;  ///< offsets, include guards left out
    std::set<std::string> around;        ///< conditions of the #include
  };

  void scan(const std::string& name);
  bool isLeftOut(const clang::FileEntry* file, unsigned begin, unsigned end) const;
  std::set<std::string> macrosBehind(const std::set<std::string>& words) const;
  std::set<std::string> conditionsIn(const clang::FileEntry* file, unsigned offset) const;
  bool hangsOnPass(const std::string& word, std::set<std::string>& asked) const;
  bool isArithmetic(const std::string& macro, std::set<std::string>& asked) const;

  const ParsedSource& source;
  std::map<const clang::FileEntry*, File> files;
  std::map<std::string, std::vector<Definition>> definitions;
  std::map<std::string, std::vector<std::pair<const clang::FileEntry*, unsigned>>> undefinitions;
  friend class DirectiveScanner;
};

}  // namespace hone::frontend
