#include "cli/programs/MakeRules.h"

#include <fmt/core.h>

#include <fstream>
#include <iterator>

namespace hone::cli {

std::string inMakeRule(const std::string& name) {
  std::string out;
  for (const char c : name) {
    if (c == ' ' || c == '#') out += '\\';
    if (c == '$') out += '$';
    out += c;
  }
  return out;
}

std::vector<std::string> prerequisitesIn(const std::string& file) {
  std::ifstream in(file);
  const std::string all((std::istreambuf_iterator<char>(in)), {});
  std::vector<std::string> out;
  std::string word;
  const size_t colon = all.find(": ");
  for (size_t i = colon == std::string::npos ? all.size() : colon + 2; i <= all.size(); ++i) {
    const char c = i < all.size() ? all[i] : '\n';
    const char next = i + 1 < all.size() ? all[i + 1] : '\n';
    if (c == '\\' && next == '\n') continue;
    if ((c == '\\' && (next == ' ' || next == '#')) || (c == '$' && next == '$')) {
      word += next;
      ++i;
    } else if (c == ' ' || c == '\n') {
      if (!word.empty()) out.push_back(word);
      word.clear();
    } else {
      word += c;
    }
  }
  return out;
}

std::string makeRule(const std::string& target, const std::vector<std::string>& files, bool hasPhonyTargets) {
  std::string out = target + " :";
  for (size_t i = 0; i < files.size(); ++i)
    out += fmt::format("{}{}", i ? " \\\n    " : " ", inMakeRule(files[i]));
  out += '\n';
  if (hasPhonyTargets)
    for (size_t i = 1; i < files.size(); ++i) out += fmt::format("\n{}:\n", inMakeRule(files[i]));
  return out;
}

}  // namespace hone::cli
