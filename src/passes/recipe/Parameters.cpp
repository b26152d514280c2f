#include "passes/recipe/Parameters.h"

#include <fmt/core.h>

#include <algorithm>
#include <charconv>

#include "ir/Error.h"
#include "ir/Nearest.h"

namespace hone::passes {

std::optional<std::string> argument(const PassCall& call, const std::string& name) {
  for (const Argument& a : call.arguments)
    if (a.name == name) return a.value;
  return std::nullopt;
}

std::optional<int64_t> number(const PassCall& call, const std::string& name, int64_t least) {
  auto text = argument(call, name);
  if (!text) return std::nullopt;
  int64_t value = 0;
  auto [end, problem] = std::from_chars(text->data(), text->data() + text->size(), value);
  if (problem != std::errc() || end != text->data() + text->size() || value < least || value > 1'000'000)
    throw Error(
        fmt::format("recipe: {}: '{}' takes a number from {} on, not '{}'", call.name, name, least, *text));
  return value;
}

std::vector<std::string> positional(const PassCall& call) {
  std::vector<std::string> out;
  for (const Argument& a : call.arguments)
    if (a.name.empty()) out.push_back(a.value);
  return out;
}

std::string oneOf(const PassCall& call, const std::string& name, const std::vector<std::string>& words) {
  auto given = argument(call, name);
  if (!given) return words.front();
  if (std::find(words.begin(), words.end(), *given) != words.end()) return *given;
  std::string all;
  for (const std::string& word : words) all += (all.empty() ? "" : ", ") + word;
  throw Error(fmt::format("recipe: {}: '{}' is one of {}, not '{}'{}", call.name, name, all, *given,
                          didYouMean(*given, words)));
}

}  // namespace hone::passes
