#include "passes/recipe/ParseRecipe.h"

#include <fmt/core.h>

#include <algorithm>
#include <charconv>

#include "ir/Error.h"
#include "ir/Nearest.h"
#include "passes/recipe/RecipeText.h"
#include "passes/recipe/Registry.h"

namespace hone::passes {

namespace {

std::optional<int64_t> wholeNumber(const std::string& text) {
  int64_t value = 0;
  const char* end = text.data() + text.size();
  const auto [stop, problem] = std::from_chars(text.data(), end, value);
  if (problem != std::errc() || stop != end) return std::nullopt;
  return value;
}

const PassParameter* parameterFor(const Pass& pass, const ArgumentText& argument) {
  const auto fits = [&](const PassParameter& parameter) {
    if (argument.name.empty()) return parameter.isPositional();
    return parameter.name == argument.name || parameter.kind == ParameterKind::NumbersByName;
  };
  const auto found = std::find_if(pass.parameters.begin(), pass.parameters.end(), fits);
  return found == pass.parameters.end() ? nullptr : &*found;
}

std::string whyNoParameter(const Pass& pass, const ArgumentText& argument) {
  if (argument.name.empty()) return fmt::format("'{}' takes no '{}'", pass.name, argument.value);
  std::vector<std::string> known;
  known.reserve(pass.parameters.size());
  for (const PassParameter& parameter : pass.parameters) known.push_back(parameter.name);
  return fmt::format("'{}' has no parameter '{}'{}", pass.name, argument.name,
                     didYouMean(argument.name, known));
}

// Throws for words that the parameter does not take.
ArgumentValue valueOf(const Pass& pass, const PassParameter& parameter, const std::string& text) {
  const std::vector<std::string>& words = parameter.words;
  const bool isWord = std::find(words.begin(), words.end(), text) != words.end();
  std::optional<int64_t> value;
  switch (parameter.kind) {
    case ParameterKind::Loop:
    case ParameterKind::Arrays:
    case ParameterKind::Accesses:
    case ParameterKind::Loops: return text;
    case ParameterKind::Number:
    case ParameterKind::NumbersByName:
    case ParameterKind::NumberOrWord: value = wholeNumber(text); break;
    case ParameterKind::Flag:
      if (isWord) value = wholeNumber(text);
      break;
    case ParameterKind::Word: break;
  }
  if (value) return *value;
  if (isWord || words.empty()) return text;
  std::string all = parameter.kind == ParameterKind::NumberOrWord ? "a number" : "";
  for (const std::string& word : words) all += (all.empty() ? "" : ", ") + word;
  throw Error(fmt::format("recipe: {}: '{}' is one of {}, not '{}'{}", pass.name, parameter.name, all, text,
                          didYouMean(text, words)));
}

}  // namespace

Recipe parseRecipe(std::string_view text, std::vector<std::string>* notes) {
  Recipe recipe;
  const std::vector<CallText> calls = splitRecipe(text, notes);
  for (const CallText& call : calls) {
    const Pass* pass = findPass(call.name);
    if (!pass) {
      std::vector<std::string> names;
      for (const Pass* one : allPasses()) names.push_back(one->name);
      throw Error(atColumn(text, call.column,
                           fmt::format("there is no pass '{}'{}", call.name, didYouMean(call.name, names))) +
                  "\n`hone passes` lists the passes there are");
    }
    PassCall made{pass};
    for (const ArgumentText& argument : call.arguments) {
      const PassParameter* parameter = parameterFor(*pass, argument);
      if (!parameter) throw Error(atColumn(text, call.column, whyNoParameter(*pass, argument)));
      made.arguments.push_back(
          {parameter, valueOf(*pass, *parameter, argument.value),
           parameter->kind == ParameterKind::NumbersByName ? argument.name : std::string()});
    }
    checkNumbers(made);
    recipe.calls.push_back(std::move(made));
  }
  return recipe;
}

}  // namespace hone::passes
