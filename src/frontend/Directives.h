// Conditionals and macro definitions of the user's files as they are written, those in text that this build
// leaves out included: what another build may see otherwise.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "frontend/Import.h"
#include "frontend/ParseSource.h"

namespace clang {
class FileEntry;
class SourceLocation;
}  // namespace clang

namespace hone::frontend {

/// Words of a condition or a replacement list: names and keywords, no numbers.
std::set<std::string> wordsIn(const std::string& text);

class Directives {
 public:
  explicit Directives(const ParsedSource& source);

  /// Under which conditions the text at this place is compiled: "defined(A)", "!(N > 3)", those around the
  /// #include of its file too. What holds in every build of the language is left out, as are include guards.
  std::set<std::string> conditionsAt(clang::SourceLocation at);
  std::set<std::string> conditionsAt(const FileRange& text) const;

  /// Line of the first conditional directive between two places of one file; 0: none.
  unsigned conditionalBetween(clang::SourceLocation begin, clang::SourceLocation end);

  /// Whether a macro can have another definition in a build that compiles text under `conditions`.
  bool varies(const std::string& macro, const std::set<std::string>& conditions);

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
  std::set<std::string> conditionsIn(const clang::FileEntry* file, unsigned offset) const;
  bool hangsOnPass(const std::string& word, std::set<std::string>& asked) const;
  bool isArithmetic(const std::string& macro, std::set<std::string>& asked) const;

  const ParsedSource& source;
  std::map<const clang::FileEntry*, File> files;
  std::map<std::string, std::vector<Definition>> definitions;
  friend class DirectiveScanner;
};

}  // namespace hone::frontend
