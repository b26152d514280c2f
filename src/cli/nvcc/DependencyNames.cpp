#include "cli/nvcc/DependencyNames.h"

#include <filesystem>
#include <ranges>

#include "cli/inputs/Inputs.h"
#include "emit/Patch.h"

namespace hone::cli {

namespace {

// As rules of make spell a name.
std::string inRule(const std::string& name) {
  std::string out;
  for (const char c : name) {
    if (c == ' ' || c == '#') out += '\\';
    if (c == '$') out += '$';
    out += c;
  }
  return out;
}

void replaceAll(std::string& text, const std::string& from, const std::string& to) {
  for (size_t at = 0; (at = text.find(from, at)) != std::string::npos; at += to.size())
    text.replace(at, from.size(), to);
}

}  // namespace

void renameInDependencies(const std::string& file, const std::map<std::string, std::string>& names) {
  std::error_code ignored;
  if (!std::filesystem::is_regular_file(file, ignored)) return;
  const std::string before = readFile(file);
  std::string after = before;
  // A folder comes before what stands in it, which must be looked for first.
  for (const auto& [copy, user] : std::views::reverse(names)) {
    replaceAll(after, inRule(copy), inRule(user));
    replaceAll(after, copy, inRule(user));
  }
  if (after != before) emit::writeAtomically({{file, after}});
}

}  // namespace hone::cli
