#include "passes/recipe/Recipe.h"

#include <fmt/core.h>

#include <algorithm>

#include "ir/Error.h"
#include "passes/recipe/Pass.h"

namespace hone::passes {

bool Recipe::has(const Pass& pass) const {
  return std::any_of(calls.begin(), calls.end(), [&](const PassCall& call) { return call.pass == &pass; });
}

void checkNumbers(const PassCall& call) {
  constexpr int64_t most = 1'000'000;
  for (const Argument& argument : call.arguments) {
    const PassParameter& parameter = *argument.parameter;
    if (parameter.kind != ParameterKind::Number && parameter.kind != ParameterKind::NumbersByName) continue;
    const auto* number = std::get_if<int64_t>(&argument.value);
    if (number && *number >= parameter.least && *number <= most) continue;
    throw Error(fmt::format("recipe: {}: '{}' takes a number from {} on, not '{}'", call.pass->name,
                            argument.name.empty() ? parameter.name : argument.name, parameter.least,
                            str(argument.value)));
  }
}

std::string str(const ArgumentValue& value) {
  const auto* number = std::get_if<int64_t>(&value);
  return number ? std::to_string(*number) : std::get<std::string>(value);
}

std::string str(const PassCall& call) {
  if (call.arguments.empty()) return call.pass->name;
  std::string list;
  for (const Argument& argument : call.arguments) {
    if (!list.empty()) list += ", ";
    const PassParameter& parameter = *argument.parameter;
    if (!parameter.isPositional())
      list += (parameter.kind == ParameterKind::NumbersByName ? argument.name : parameter.name) + "=";
    list += str(argument.value);
  }
  return call.pass->name + "(" + list + ")";
}

std::string str(const Recipe& recipe) {
  std::string out;
  for (const PassCall& call : recipe.calls) out += (out.empty() ? "" : " ") + str(call);
  return out;
}

}  // namespace hone::passes
