#include "passes/recipe/RecipeText.h"

#include <fmt/core.h>

#include <cctype>

#include "ir/Error.h"
#include "passes/recipe/OldNames.h"

namespace hone::passes {

namespace {

class RecipeSplitter {
 public:
  explicit RecipeSplitter(std::string_view source) : text(source) {}

  std::vector<CallText> calls() {
    std::vector<CallText> out;
    for (skipBlanks(); at < text.size(); skipBlanks()) out.push_back(call());
    return out;
  }

 private:
  std::string_view text;
  size_t at = 0;

  [[noreturn]] void fail(std::string_view message) const { throw Error(atColumn(text, at, message)); }

  void skipBlanks() {
    while (at < text.size() && std::isspace(static_cast<unsigned char>(text[at]))) ++at;
  }

  bool take(char c) {
    skipBlanks();
    if (at >= text.size() || text[at] != c) return false;
    ++at;
    return true;
  }

  static bool isWordCharacter(char c) {
    return std::isalnum(static_cast<unsigned char>(c)) || c == '_' || c == '-' || c == '.' || c == '#' ||
           c == ':' || c == '+' || c == '*' || c == '/';
  }

  std::string word(std::string_view wanted) {
    skipBlanks();
    size_t begin = at;
    while (at < text.size() && isWordCharacter(text[at])) ++at;
    if (at == begin) fail(fmt::format("expected {}", wanted));
    return std::string(text.substr(begin, at - begin));
  }

  CallText call() {
    CallText result;
    result.column = at;
    result.name = word("the name of a pass");
    if (!std::isalpha(static_cast<unsigned char>(result.name[0]))) {
      at = result.column;
      fail("expected the name of a pass");
    }
    // `name(` takes arguments; a blank before the parenthesis is allowed.
    if (!take('(')) return result;
    if (take(')')) return result;
    do {
      ArgumentText argument;
      argument.value = word("an argument");
      if (take('=')) {
        argument.name = argument.value;
        argument.value = word(fmt::format("a value for '{}'", argument.name));
      }
      for (const ArgumentText& earlier : result.arguments)
        if (!argument.name.empty() && earlier.name == argument.name)
          fail(fmt::format("'{}' is given twice", argument.name));
      result.arguments.push_back(std::move(argument));
    } while (take(','));
    if (!take(')')) fail("expected ',' or ')'");
    return result;
  }
};

// Names of today in place of old ones; a sentence about each.
std::vector<std::string> renewNames(CallText& call) {
  std::vector<std::string> notes;
  if (const std::string now = newPassName(call.name); !now.empty()) {
    notes.push_back(fmt::format("the pass '{}' is called '{}' now", call.name, now));
    call.name = now;
  }
  for (ArgumentText& argument : call.arguments) {
    const std::string now = newParameterName(call.name, argument.name);
    if (now.empty()) continue;
    notes.push_back(fmt::format("'{}' of {} is called '{}' now", argument.name, call.name, now));
    argument.name = now;
  }
  return notes;
}

}  // namespace

std::string atColumn(std::string_view recipe, size_t column, std::string_view message) {
  return fmt::format("recipe: {}\n  {}\n  {}^", message, recipe, std::string(column, ' '));
}

std::vector<CallText> splitRecipe(std::string_view text, std::vector<std::string>* notes) {
  std::vector<CallText> calls = RecipeSplitter(text).calls();
  for (CallText& call : calls) {
    const std::vector<std::string> renewed = renewNames(call);
    if (notes) notes->insert(notes->end(), renewed.begin(), renewed.end());
  }
  return calls;
}

}  // namespace hone::passes
