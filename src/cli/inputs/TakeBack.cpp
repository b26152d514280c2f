#include "cli/inputs/TakeBack.h"

#include <fmt/core.h>

#include <algorithm>
#include <cctype>
#include <iterator>

#include "cli/inputs/Arguments.h"
#include "cli/inputs/Inputs.h"
#include "ir/Error.h"

namespace hone::cli {

namespace {

bool isNameChar(char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; }

// "ns::scale<float, 4>" goes by its name, with or without namespace and arguments.
bool isBlockOf(const std::string& kernel, std::string name) {
  auto bare = [](std::string text) {
    std::erase_if(text, [](char c) { return c == ' ' || c == '\t'; });
    return text;
  };
  const std::string full = bare(kernel), plain = full.substr(0, full.find('<')),
                    args = full.substr(plain.size());
  const size_t scope = plain.rfind("::");
  const std::string last = scope == std::string::npos ? plain : plain.substr(scope + 2);
  name = bare(name);
  return name == plain || name == last || name == full || name == last + args;
}

bool hasName(const std::string& text, const std::set<std::string>& names) {
  for (size_t at = 0; at < text.size();) {
    size_t end = at;
    while (end < text.size() && isNameChar(text[end])) ++end;
    if (end > at && names.contains(text.substr(at, end - at))) return true;
    at = std::max(end, at + 1);
  }
  return false;
}

// Of an instantiation, not of the template itself.
bool isInstantiation(const emit::MarkedBlock& block) { return block.kernel.find('<') != std::string::npos; }

}  // namespace

std::set<std::string> launchFunctions(const std::string& text) {
  std::set<std::string> names;
  for (size_t at = 0; (at = text.find('(', at)) != std::string::npos; ++at) {
    const size_t next = text.find_first_not_of(" \t\r\n", at + 1);
    if (next == std::string::npos || text.compare(next, 5, "dim3 ") != 0) continue;
    size_t end = at;
    if (end > 0 && text[end - 1] == '>')
      for (int depth = 0; end > 0;) {
        --end;
        depth += (text[end] == '>') - (text[end] == '<');
        if (depth == 0) break;
      }
    size_t begin = end;
    while (begin > 0 && isNameChar(text[begin - 1])) --begin;
    if (begin < end) names.insert(text.substr(begin, end - begin));
  }
  return names;
}

std::string editedBlock(const std::string& shown, unsigned line) {
  return fmt::format(
      "{}:{}: what hone wrote here was edited since; to keep the edit as your own code, delete the lines "
      "`// hone: …` around it",
      shown, line);
}

bool TakeBack::look(const std::string& file, const std::string& shown) {
  if (const auto known = files.find(file); known != files.end()) return !known->second.blocks.empty();
  Seen seen{readFile(file), {}};
  emit::FoundMarks found = emit::findMarks(seen.text);
  if (!found.edited.empty()) throw Error(editedBlock(shown, found.edited.front()), exitCode);
  seen.blocks = std::move(found.blocks);
  for (const emit::MarkedBlock& block : seen.blocks)
    if (!block.kernel.empty() && (isNamed(block) || isInstantiation(block)))
      (isNamed(block) ? functions : kept).merge(launchFunctions(block.text));
  return !files.emplace(file, std::move(seen)).first->second.blocks.empty();
}

bool TakeBack::isNamed(const emit::MarkedBlock& block) const {
  return wanted.empty() || std::any_of(wanted.begin(), wanted.end(), [&](const std::string& name) {
           return isBlockOf(block.kernel, name);
         });
}

bool TakeBack::isWanted(const emit::MarkedBlock& block) const {
  if (wanted.empty() || (!block.kernel.empty() && isNamed(block))) return true;
  if (isInstantiation(block)) return false;
  // A template of launch functions, and what calls it, go with the last of its instantiations.
  std::set<std::string> names;
  std::set_difference(functions.begin(), functions.end(), kept.begin(), kept.end(),
                      std::inserter(names, names.end()));
  if (block.kernel.empty()) return hasName(block.text, names);
  const std::set<std::string> own = launchFunctions(block.text);
  return std::any_of(own.begin(), own.end(), [&](const std::string& name) { return names.contains(name); });
}

std::optional<std::string> TakeBack::before(const std::string& file) const {
  const Seen& seen = files.at(file);
  std::vector<emit::MarkedBlock> blocks;
  for (const emit::MarkedBlock& block : seen.blocks)
    if (isWanted(block)) blocks.push_back(block);
  if (blocks.empty()) return std::nullopt;
  return emit::withoutBlocks(seen.text, blocks);
}

}  // namespace hone::cli
