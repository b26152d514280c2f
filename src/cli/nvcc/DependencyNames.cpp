#include "cli/nvcc/DependencyNames.h"

#include <filesystem>
#include <ranges>
#include <set>
#include <vector>

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

// A rule as make reads it, names as they are spelled there.
struct Rule {
  std::vector<std::string> targets, needs;
};

std::vector<Rule> rulesOf(const std::string& text) {
  std::vector<Rule> rules;
  bool isBehindColon = false, isOpen = false;  // a rule
  std::string name;
  const auto end = [&] {
    if (name.empty()) return;
    if (!isOpen) rules.emplace_back(), isOpen = true, isBehindColon = false;
    const bool isLast = !isBehindColon && name.back() == ':';
    if (isLast) name.pop_back();
    if (!name.empty()) (isBehindColon ? rules.back().needs : rules.back().targets).push_back(name);
    isBehindColon |= isLast;
    name.clear();
  };
  for (size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (c == '\\' && i + 1 < text.size() && text[i + 1] == '\n') {
      end();
      ++i;
    } else if (c == '\\' && i + 1 < text.size() && (text[i + 1] == ' ' || text[i + 1] == '#')) {
      name += c, name += text[++i];
    } else if (c == '\n') {
      end();
      isOpen = false;
    } else if (c == ' ' || c == '\t' || c == '\r') {
      end();
    } else {
      name += c;
    }
  }
  end();
  return rules;
}

// Where a source and what stands for it have become one name, it is needed once; and a source is no target,
// as headers are so that make does not miss them.
std::string withoutRepetition(const std::string& text) {
  std::string out, source;
  std::set<std::string> targets;
  for (Rule& rule : rulesOf(text)) {
    if (source.empty() && !rule.needs.empty()) source = rule.needs.front();
    if (rule.needs.empty())
      std::erase_if(rule.targets,
                    [&](const std::string& one) { return one == source || !targets.insert(one).second; });
    if (rule.targets.empty()) continue;
    if (!out.empty()) out += "\n";
    for (const std::string& target : rule.targets) out += target + " ";
    out.back() = ':';
    std::set<std::string> known;
    for (const std::string& one : rule.needs)
      if (known.insert(one).second) out += (known.size() == 1 ? " " : " \\\n  ") + one;
    out += "\n";
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
  if (after != before) emit::writeAtomically({{file, withoutRepetition(after)}});
}

}  // namespace hone::cli
