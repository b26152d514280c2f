#include "frontend/ChosenText.h"

#include <algorithm>
#include <iterator>

#include "clang/AST/ASTContext.h"
#include "clang/Basic/SourceManager.h"
#include "frontend/ArchitectureTest.h"

namespace hone::frontend {
namespace {

/// A condition as an operand of &&.
std::string asOperand(const std::string& condition) {
  constexpr std::string_view notDefined = "!(defined(";
  if (condition.starts_with(notDefined) && condition.find(')') == condition.size() - 2)
    return "!" + condition.substr(2, condition.size() - 3);
  // What binds less than && does so outside of the parentheses of a negation.
  const bool isNegation = condition.starts_with("!(");
  if (!isNegation && condition.find_first_of("?,") == condition.npos &&
      condition.find("||") == condition.npos)
    return condition;
  int depth = 0;
  for (size_t i = 0; i < condition.size(); ++i) {
    if (condition[i] == '(') ++depth;
    if (condition[i] == ')' && --depth == 0 && isNegation && i + 1 == condition.size()) return condition;
    if (condition[i] == ')' && depth == 0) break;
  }
  return "(" + condition + ")";
}

/// Those of `conditions` that are not in `known`.
std::set<std::string> beyond(const std::set<std::string>& known, const std::set<std::string>& conditions) {
  std::set<std::string> left;
  std::set_difference(conditions.begin(), conditions.end(), known.begin(), known.end(),
                      std::inserter(left, left.end()));
  return left;
}

}  // namespace

ChosenText::ChosenText(UnitImporter& importer, Directives& scanned, clang::SourceRange kernelBody)
    : unit(importer), directives(scanned), body(kernelBody) {}

void ChosenText::require(const std::vector<Choice>& choices, const std::string& where,
                         std::set<std::string>& around) {
  const auto isBefore = [&](clang::SourceLocation a, clang::SourceLocation b) {
    return unit.sources.isBeforeInTranslationUnit(a, b);
  };
  for (const Choice& choice : choices) {
    const std::set<std::string> asked = beyond(around, choice.conditions);
    if (!choice.isKnown || (!asked.empty() && directives.isEnteredAgain(choice.at)))
      unit.refuse("#if " + where + ", in a file that is included more than once", choice.at);
    for (const std::string& condition : asked) {
      const std::set<std::string> words = wordsIn(condition);
      // The name of a header is no expression that could be formatted, and found from where it stands.
      if (words.contains("__has_include") || words.contains("__has_include_next") ||
          words.contains("__has_embed"))
        unit.refuse("#if " + where +
                        " asks for a file by __has_include or __has_embed, which new text does not repeat: "
                        "define a macro by it, and ask for that",
                    choice.at);
      for (const char* moving : {"__COUNTER__", "__LINE__"})
        if (words.contains(moving))
          unit.refuse("#if " + where + " asks for `" + moving + "`, whose value is another in new text",
                      choice.at);
      if (directives.hangsOnPass(words)) {
        if (sameOnAllArchitectures(condition)) continue;
        unit.refuse("#if " + where +
                        " hangs on __CUDA_ARCH__, and architectures choose different text: give each a "
                        "kernel of its own",
                    choice.at);
      }
      if (const auto changed =
              directives.changedBetween(words, std::min(choice.at, body.getBegin(), isBefore),
                                        std::max(choice.at, body.getEnd(), isBefore)))
        unit.refuse("#if " + where + " asks for `" + *changed +
                        "`, which can be defined otherwise where new text would ask",
                    choice.at);
      around.insert(condition);
      found.push_back(asOperand(condition));
    }
  }
}

}  // namespace hone::frontend
