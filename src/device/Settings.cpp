#include "device/Settings.h"

#include <fmt/core.h>

#include <algorithm>
#include <cctype>

#include "device/SizeExpr.h"
#include "ir/Error.h"
#include "ir/Nearest.h"

namespace hone::device {

void Settings::fillFrom(const Settings& lower) {
  set.insert(lower.set.begin(), lower.set.end());
  length.insert(lower.length.begin(), lower.length.end());
  alias.insert(lower.alias.begin(), lower.alias.end());
  input.insert(lower.input.begin(), lower.input.end());
  save.insert(lower.save.begin(), lower.save.end());
  unordered.insert(lower.unordered.begin(), lower.unordered.end());
  temporary.insert(lower.temporary.begin(), lower.temporary.end());
  output.insert(lower.output.begin(), lower.output.end());
  if (!grid) grid = lower.grid;
  if (!block) block = lower.block;
  if (!shared) shared = lower.shared;
  if (!seed) seed = lower.seed;
  if (!reassociate) reassociate = lower.reassociate;
  if (!blockFree) blockFree = lower.blockFree;
  if (!keep) keep = lower.keep;
  if (!capture) capture = lower.capture;
}

const std::vector<std::string>& settingWords() {
  static const std::vector<std::string> words = {"set",   "grid",  "block",       "shared",    "length",
                                                 "alias", "input", "output",      "unordered", "temporary",
                                                 "seed",  "keep",  "reassociate", "kernel"};
  return words;
}

void setBlock(Settings& settings, const std::string& text, const std::string& from) {
  std::string extents = trimmed(text);
  const std::string word = "free";
  const std::string first = trimmed(extents.substr(0, extents.find(',')));
  if (first == word) {
    settings.blockFree = Switch{true, from};
    size_t comma = extents.find(',');
    if (comma == std::string::npos) return;
    extents = trimmed(extents.substr(comma + 1));
  }
  settings.block = Given{extents, from};
}

Switch readSwitch(const std::string& word, const std::string& text, const std::string& from) {
  const std::string value = trimmed(text);
  if (value.empty() || value == "yes" || value == "true" || value == "1") return {true, from};
  if (value == "no" || value == "false" || value == "0") return {false, from};
  throw Error(fmt::format("{}: {} takes yes or no, not '{}'", from, word, value));
}

void addPair(std::map<std::string, Given>& table, const std::string& pair, const std::string& option) {
  size_t equals = pair.find('=');
  std::string name = trimmed(pair.substr(0, equals));
  std::string value = equals == std::string::npos ? "" : trimmed(pair.substr(equals + 1));
  bool isPath = !name.empty() && std::all_of(name.begin(), name.end(), [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) || c == '_' || c == '.' || c == '[' || c == ']';
  });
  if (!isPath || value.empty()) throw Error(fmt::format("{} takes NAME=VALUE, not '{}'", option, pair));
  table[name] = {value, fmt::format("{} {}", option, name)};
}

std::vector<std::string> splitExtents(const Given& given) {
  std::string text = trimmed(given.text);
  if (text.starts_with("dim3") && text.ends_with(')')) {
    size_t open = text.find('(');
    text = text.substr(open + 1, text.size() - open - 2);
  }
  std::vector<std::string> parts = splitArguments(text);
  // "4x4": numbers alone, so that a name with an x in it is not cut.
  if (parts.size() == 1 && text.find_first_not_of("0123456789xX ") == std::string::npos &&
      text.find_first_of("xX") != std::string::npos && !text.starts_with("0x")) {
    parts.clear();
    size_t begin = 0;
    for (size_t i = 0; i <= text.size(); ++i) {
      if (i < text.size() && text[i] != 'x' && text[i] != 'X') continue;
      parts.push_back(trimmed(text.substr(begin, i - begin)));
      begin = i + 1;
    }
  }
  bool isEmpty = std::any_of(parts.begin(), parts.end(), [](const std::string& p) { return p.empty(); });
  if (parts.empty() || parts.size() > 3 || isEmpty)
    throw Error(fmt::format("{} takes one to three extents such as 4x4 or '(n + 15) / 16, 8', not '{}'",
                            given.from, given.text));
  return parts;
}

Settings parsePragma(std::string_view text, const std::string& place, std::string& kernel) {
  const std::vector<std::string>& known = settingWords();
  Settings settings;
  std::string from = place + ": #pragma hone";
  size_t at = 0;
  auto skip = [&] {
    while (at < text.size() && (std::isspace(static_cast<unsigned char>(text[at])) || text[at] == ',')) ++at;
  };
  for (skip(); at < text.size(); skip()) {
    size_t begin = at;
    while (at < text.size() && (std::isalnum(static_cast<unsigned char>(text[at])) || text[at] == '_')) ++at;
    std::string word(text.substr(begin, at - begin));
    const bool isKnown = std::find(known.begin(), known.end(), word) != known.end();
    if (!word.empty() && !isKnown)
      throw Error(fmt::format("{}: there is no '{}'{}", from, word, didYouMean(word, known)));
    skip();
    if ((word == "keep" || word == "reassociate") && (at >= text.size() || text[at] != '(')) {
      (word == "keep" ? settings.keep : settings.reassociate) = Switch{true, from};
      continue;
    }
    if (word.empty() || at >= text.size() || text[at] != '(')
      throw Error(
          fmt::format("{}: expected a word and its value in parentheses, such as set(n=1000), at '{}'", from,
                      trimmed(text.substr(begin, 24))));
    size_t open = at;
    int depth = 0;
    while (at < text.size()) {
      if (text[at] == '(') ++depth;
      if (text[at] == ')' && --depth == 0) break;
      ++at;
    }
    if (at >= text.size()) throw Error(fmt::format("{}: the ')' of {}( is missing", from, word));
    std::string inside(text.substr(open + 1, at - open - 1));
    ++at;
    auto pairs = [&](std::map<std::string, Given>& table) {
      for (const std::string& part : splitArguments(inside)) {
        addPair(table, part, fmt::format("{} {}", from, word));
        table.find(trimmed(part.substr(0, part.find('='))))->second.from = from;
      }
    };
    auto words = [&](std::map<std::string, Given>& table) {
      for (const std::string& part : splitArguments(inside)) table[part] = {"", from};
    };
    if (word == "set")
      pairs(settings.set);
    else if (word == "length")
      pairs(settings.length);
    else if (word == "alias")
      pairs(settings.alias);
    else if (word == "input")
      pairs(settings.input);
    else if (word == "output")
      words(settings.output);
    else if (word == "unordered")
      words(settings.unordered);
    else if (word == "temporary")
      words(settings.temporary);
    else if (word == "grid")
      settings.grid = Given{trimmed(inside), from};
    else if (word == "block")
      setBlock(settings, inside, from);
    else if (word == "shared")
      settings.shared = Given{trimmed(inside), from};
    else if (word == "seed")
      settings.seed = Given{trimmed(inside), from};
    else if (word == "keep")
      settings.keep = readSwitch(word, inside, from);
    else if (word == "reassociate")
      settings.reassociate = readSwitch(word, inside, from);
    else
      kernel = trimmed(inside);
  }
  return settings;
}

Settings pragmasFor(std::string_view source, const std::string& file, const std::string& kernel,
                    unsigned kernelLine, unsigned lineBefore) {
  Settings all, named;
  unsigned line = 0;
  for (size_t at = 0; at < source.size();) {
    unsigned first = ++line;
    std::string text;
    for (;;) {
      size_t end = std::min(source.find('\n', at), source.size());
      std::string part(source.substr(at, end - at));
      at = end + 1;
      if (part.ends_with('\r')) part.pop_back();
      bool goesOn = part.ends_with('\\') && at < source.size();
      if (goesOn) part.back() = ' ';
      text += part;
      if (!goesOn) break;
      ++line;
    }
    std::string_view rest = text;
    auto word = [&](std::string_view wanted) {
      while (!rest.empty() && (rest.front() == ' ' || rest.front() == '\t')) rest.remove_prefix(1);
      if (!rest.starts_with(wanted)) return false;
      rest.remove_prefix(wanted.size());
      return true;
    };
    if (!word("#") || !word("pragma") || !word("hone") ||
        (!rest.empty() && !std::isspace(static_cast<unsigned char>(rest[0]))))
      continue;
    std::string name;
    Settings one = parsePragma(rest, fmt::format("{}:{}", file, first), name);
    if (name == kernel)
      named.fillFrom(one);
    else if (name.empty() && first > lineBefore && first < kernelLine)
      all.fillFrom(one);
  }
  named.fillFrom(all);
  return named;
}

}  // namespace hone::device
