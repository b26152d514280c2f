#include "device/HostText.h"

#include <algorithm>
#include <cctype>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <utility>

namespace hone::device {

namespace fs = std::filesystem;

namespace {

bool isWordChar(char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; }

// Comments and the insides of strings become blanks; newlines and places stay.
std::string blanked(std::string text) {
  enum { Code, Line, Block, Quote } state = Code;
  char quote = 0;
  for (size_t i = 0; i < text.size(); ++i) {
    char c = text[i], next = i + 1 < text.size() ? text[i + 1] : 0;
    if (state == Code) {
      if (c == '/' && next == '/') state = Line;
      if (c == '/' && next == '*') state = Block;
      if ((c == '"' || c == '\'') &&
          !(c == '\'' && i > 0 && std::isdigit(static_cast<unsigned char>(text[i - 1]))))
        state = Quote, quote = c;
      if (state == Line || state == Block) text[i] = text[i + 1] = ' ', ++i;
      continue;
    }
    if (c == '\n') {
      if (state == Line || state == Quote) state = Code;
      continue;
    }
    if (state == Block && c == '*' && next == '/') {
      text[i] = text[i + 1] = ' ', ++i, state = Code;
      continue;
    }
    if (state == Quote && c == '\\') {
      text[i] = ' ';
      if (i + 1 < text.size() && text[i + 1] != '\n') text[++i] = ' ';
      continue;
    }
    if (state == Quote && c == quote) {
      state = Code;
      continue;
    }
    text[i] = ' ';
  }
  return text;
}

// Places where the word stands by itself.
std::vector<size_t> placesOf(const std::string& text, const std::string& word) {
  std::vector<size_t> out;
  for (size_t at = text.find(word); at != std::string::npos; at = text.find(word, at + 1)) {
    bool begins = at == 0 || (!isWordChar(text[at - 1]) && text[at - 1] != '.' &&
                              !(at > 1 && text[at - 1] == '>' && text[at - 2] == '-'));
    size_t end = at + word.size();
    if (begins && (end == text.size() || !isWordChar(text[end]))) out.push_back(at);
  }
  return out;
}

size_t skipBlanks(const std::string& text, size_t at) {
  while (at < text.size() && std::isspace(static_cast<unsigned char>(text[at]))) ++at;
  return at;
}

// The place after the bracket that closes the one at `open`; npos when there is none.
size_t closing(const std::string& text, size_t open) {
  int depth = 0;
  for (size_t i = open; i < text.size(); ++i) {
    if (text[i] == '(' || text[i] == '{' || text[i] == '[') ++depth;
    if ((text[i] == ')' || text[i] == '}' || text[i] == ']') && --depth == 0) return i + 1;
  }
  return std::string::npos;
}

// From `at` to the `;` or `,` that ends an initializer.
std::string initializer(const std::string& text, size_t at) {
  int depth = 0;
  size_t end = at;
  for (; end < text.size(); ++end) {
    char c = text[end];
    if (c == '(' || c == '{' || c == '[') ++depth;
    if (c == ')' || c == '}' || c == ']') {
      if (depth == 0) break;
      --depth;
    }
    if ((c == ';' || c == ',') && depth == 0) break;
  }
  return trimmed(text.substr(at, end - at));
}

// The rest of a line, with the lines that a backslash adds.
std::string restOfLine(const std::string& text, size_t at) {
  std::string out;
  while (at < text.size() && text[at] != '\n') {
    if (text[at] == '\\' && at + 1 < text.size() && text[at + 1] == '\n') {
      out += ' ', at += 2;
      continue;
    }
    out += text[at++];
  }
  return trimmed(out);
}

// Whether the word at `at` is the name in a #define.
bool isDefined(const std::string& text, size_t at) {
  size_t i = at;
  while (i > 0 && (text[i - 1] == ' ' || text[i - 1] == '\t')) --i;
  if (i < 6 || text.substr(i - 6, 6) != "define") return false;
  i -= 6;
  while (i > 0 && (text[i - 1] == ' ' || text[i - 1] == '\t')) --i;
  return i > 0 && text[i - 1] == '#';
}

// Whether what is declared at `from` can be seen at `to`: no block around it ends between.
bool isSeenAt(const std::string& text, size_t from, size_t to) {
  int depth = 0;
  for (size_t i = from; i < to && i < text.size(); ++i) {
    depth += text[i] == '{';
    depth -= text[i] == '}';
    if (depth < 0) return false;
  }
  return true;
}

// Whether a place is in no function, class or the like, but perhaps in namespaces.
bool isOutside(const std::string& text, size_t at) {
  std::vector<bool> isSpace;
  for (size_t i = 0; i < at; ++i) {
    if (text[i] == '}' && !isSpace.empty()) isSpace.pop_back();
    if (text[i] != '{') continue;
    const size_t before = i == 0 ? std::string::npos : text.find_last_of(";{}", i - 1);
    const std::string head = text.substr(before == std::string::npos ? 0 : before + 1,
                                         i - (before == std::string::npos ? 0 : before + 1));
    isSpace.push_back(!placesOf(head, "namespace").empty() ||
                      (!placesOf(head, "extern").empty() && head.find('(') == std::string::npos));
  }
  return std::all_of(isSpace.begin(), isSpace.end(), [](bool one) { return one; });
}

bool isMember(const std::string& text, size_t at) {
  return at > 0 && (text[at - 1] == '.' || (at > 1 && text[at - 1] == '>' && text[at - 2] == '-'));
}

enum class Use { Read, Set, Changed };

// What happens to the variable named at `at`: it is read, set by `=`, or changed otherwise, as by ++ or by
// someone who has its address.
Use useOf(const std::string& text, size_t at, size_t length) {
  const size_t next = skipBlanks(text, at + length);
  const auto has = [&](size_t place, const char* what) {
    return text.compare(place, std::strlen(what), what) == 0;
  };
  if (next < text.size() && text[next] == '=' && !has(next, "==")) return Use::Set;
  for (const char* op : {"++", "--", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "<<=", ">>="})
    if (has(next, op)) return Use::Changed;
  size_t before = at;
  while (before > 0 && std::isspace(static_cast<unsigned char>(text[before - 1]))) --before;
  if (before >= 2 && (has(before - 2, "++") || has(before - 2, "--") || has(before - 2, ">>")))
    return Use::Changed;
  if (before >= 1 && text[before - 1] == '&' && (before < 2 || text[before - 2] != '&')) {
    size_t left = before - 1;
    while (left > 0 && std::isspace(static_cast<unsigned char>(text[left - 1]))) --left;
    if (left == 0 || (!isWordChar(text[left - 1]) && text[left - 1] != ')' && text[left - 1] != ']'))
      return Use::Changed;
  }
  return Use::Read;
}

}  // namespace

HostText::HostText(const std::string& path, unsigned line, std::map<std::string, std::string> known)
    : macros(std::move(known)) {
  load(path, 0);
  if (texts.empty()) return;
  size_t at = 0;
  for (unsigned l = 1; l < line && at != std::string::npos; ++l) {
    at = texts[0].text.find('\n', at);
    if (at != std::string::npos) ++at;
  }
  texts[0].before = std::min(at, texts[0].text.size());
}

void HostText::load(const std::string& path, unsigned depth) {
  std::error_code error;
  std::string full = fs::weakly_canonical(path, error).string();
  if (depth > 6 || texts.size() > 40 || !seen.insert(full).second) return;
  if (!fs::is_regular_file(path, error)) return;  // to open a pipe is to wait for who writes to it
  std::ifstream in(path, std::ios::binary);
  if (!in) return;
  std::string raw{std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
  std::vector<std::string> includes;
  for (size_t at : placesOf(raw, "include")) {
    size_t open = skipBlanks(raw, at + 7);
    if (at == 0 || open >= raw.size() || raw[open] != '"') continue;
    size_t close = raw.find('"', open + 1);
    if (close != std::string::npos) includes.push_back(raw.substr(open + 1, close - open - 1));
  }
  texts.push_back({blanked(std::move(raw)), std::string::npos});
  for (const std::string& include : includes)
    load((fs::path(path).parent_path() / include).string(), depth + 1);
}

Names HostText::names() const {
  return {[this](const std::string& name) { return nameValue(name); },
          [this](const std::string& name, std::span<const Number> args) { return callValue(name, args); }};
}

std::optional<Number> HostText::value(const std::string& expression) const {
  return evaluate(expression, names()).value;
}

bool HostText::isSettled(const std::string& expression) const {
  for (size_t at = 0; at < expression.size();) {
    if (!isWordChar(expression[at])) {
      ++at;
      continue;
    }
    size_t end = at;
    while (end < expression.size() && isWordChar(expression[end])) ++end;
    const std::string word = expression.substr(at, end - at);
    const size_t next = skipBlanks(expression, end);
    const bool isCall = next < expression.size() && expression[next] == '(';
    const bool isNumber = std::isdigit(static_cast<unsigned char>(word[0])) != 0;
    if (!isNumber && !isCall && !isSettledName(word)) return false;
    at = end;
  }
  return true;
}

bool HostText::isSettledName(const std::string& name) const {
  static const std::set<std::string> types = {"int",  "unsigned", "long", "short",  "size_t",
                                              "char", "float",    "bool", "double", "sizeof"};
  if (overrides.contains(name) || types.contains(name)) return true;
  const std::string key = "settled " + name;
  if (active.contains(key) || active.size() > 30) return false;
  active.insert(key);
  bool isIt = false;
  if (auto macro = macros.find(name); macro != macros.end()) {
    isIt = isSettled(macro->second);
  } else {
    std::vector<std::string> values;
    bool isChanged = false;
    for (size_t t = 0; t < texts.size(); ++t) {
      const std::string& text = texts[t].text;
      std::optional<size_t> set;  // where it is set, as the launch sees it
      for (size_t at : placesOf(text, name)) {
        if (isDefined(text, at)) {
          values.push_back(restOfLine(text, at + name.size()));
          continue;
        }
        if (isMember(text, at)) continue;
        const Use use = useOf(text, at, name.size());
        const bool isSeen =
            t == 0 ? at < texts[0].before && isSeenAt(text, at, texts[0].before) : isOutside(text, at);
        if (use == Use::Set && isSeen) {
          set = at;
          values.push_back(initializer(text, skipBlanks(text, at + name.size()) + 1));
        } else if (use != Use::Read && set && isSeenAt(text, *set, at)) {
          isChanged = true;
        }
      }
    }
    isIt = values.size() == 1 && !isChanged && value(values.front()) && isSettled(values.front());
  }
  active.erase(key);
  return isIt;
}

std::vector<std::string> HostText::definitionsOf(const std::string& name, bool afterLaunch) const {
  if (auto macro = macros.find(name); macro != macros.end()) return {macro->second};
  std::vector<std::string> out;
  for (const Text& one : texts) {
    std::vector<size_t> places = placesOf(one.text, name);
    for (auto at = places.rbegin(); at != places.rend(); ++at) {
      size_t after = *at + name.size();
      if (isDefined(one.text, *at)) {
        if (after < one.text.size() && one.text[after] != '(') out.push_back(restOfLine(one.text, after));
        continue;
      }
      if ((*at >= one.before) != afterLaunch) continue;
      size_t next = skipBlanks(one.text, after);
      if (next + 1 < one.text.size() && one.text[next] == '=' && one.text[next + 1] != '=')
        out.push_back(initializer(one.text, next + 1));
    }
  }
  return out;
}

bool HostText::isCountedOn(const std::string& name) const {
  if (texts.empty() || macros.contains(name)) return false;
  bool isIt = false;
  for (size_t at : placesOf(texts[0].text, name)) {
    if (at >= texts[0].before) break;
    if (isDefined(texts[0].text, at) || isMember(texts[0].text, at)) continue;
    const Use use = useOf(texts[0].text, at, name.size());
    if (use == Use::Set)
      isIt = !placesOf(initializer(texts[0].text, skipBlanks(texts[0].text, at + name.size()) + 1), name)
                  .empty();
    if (use == Use::Changed) isIt = true;
  }
  return isIt;
}

std::optional<Number> HostText::nameValue(const std::string& name) const {
  if (auto given = overrides.find(name); given != overrides.end()) return given->second;
  if (isForExtents && isCountedOn(name)) return std::nullopt;
  if (active.contains(name) || active.size() > 30) return std::nullopt;
  active.insert(name);
  std::optional<Number> found;
  size_t dot = name.rfind('.');
  if (dot != std::string::npos && name.size() == dot + 2 &&
      std::string("xyz").find(name[dot + 1]) != std::string::npos) {
    if (auto all = namedExtents(name.substr(0, dot)))
      found = (*all)[static_cast<size_t>(name[dot + 1] - 'x')];
  } else if (dot == std::string::npos) {
    // What stands after the launch may still be it: the caller of the function that launches, under the same
    // name.
    for (bool afterLaunch : {false, true})
      for (const std::string& definition : definitionsOf(name, afterLaunch))
        if (!found && !definition.empty()) found = value(definition);
  }
  active.erase(name);
  return found;
}

// Parameters and the returned expression of a function-like macro or of a function that does nothing but
// return.
std::optional<std::pair<std::vector<std::string>, std::string>> HostText::functionOf(
    const std::string& name) const {
  for (const Text& one : texts) {
    for (size_t at : placesOf(one.text, name)) {
      size_t open = at + name.size();
      bool isMacro = isDefined(one.text, at);
      if (!isMacro) open = skipBlanks(one.text, open);
      if (open >= one.text.size() || one.text[open] != '(') continue;
      size_t close = closing(one.text, open);
      if (close == std::string::npos) continue;
      std::vector<std::string> params = splitArguments(one.text.substr(open + 1, close - open - 2));
      for (std::string& param : params) {
        size_t begin = param.size();
        while (begin > 0 && isWordChar(param[begin - 1])) --begin;
        param = param.substr(begin);
      }
      if (isMacro) return std::pair(params, restOfLine(one.text, close));
      size_t body = skipBlanks(one.text, close);
      if (body >= one.text.size() || one.text[body] != '{') continue;
      size_t first = skipBlanks(one.text, body + 1);
      if (one.text.compare(first, 6, "return") != 0) continue;
      return std::pair(params, initializer(one.text, first + 6));
    }
  }
  return std::nullopt;
}

std::optional<Number> HostText::callValue(const std::string& name, std::span<const Number> args) const {
  std::string key = name + "()";
  if (active.contains(key) || active.size() > 30) return std::nullopt;
  if (auto function = functionOf(name); function && function->first.size() == args.size()) {
    active.insert(key);
    Names inner = names();
    inner.value = [&](const std::string& word) -> std::optional<Number> {
      for (size_t i = 0; i < args.size(); ++i)
        if (function->first[i] == word) return args[i];
      return nameValue(word);
    };
    auto result = evaluate(function->second, inner).value;
    active.erase(key);
    if (result) return result;
  }
  std::string lower = name;
  std::transform(lower.begin(), lower.end(), lower.begin(), [](unsigned char c) { return std::tolower(c); });
  bool divides = lower.find("div") != std::string::npos || lower.find("ceil") != std::string::npos;
  bool roundsUp = lower.find("up") != std::string::npos || lower.find("ceil") != std::string::npos;
  if (divides && roundsUp && args.size() == 2 && args[1].asWhole() > 0)
    return wholeNumber((args[0].asWhole() + args[1].asWhole() - 1) / args[1].asWhole());
  return std::nullopt;
}

std::optional<std::array<Number, 3>> HostText::extents(const std::string& expression) const {
  const bool before = std::exchange(isForExtents, true);
  const std::optional<std::array<Number, 3>> found = extentsOf(expression);
  isForExtents = before;
  return found;
}

std::optional<std::array<Number, 3>> HostText::extentsOf(const std::string& expression) const {
  std::string text = trimmed(expression);
  std::array<Number, 3> out{wholeNumber(1), wholeNumber(1), wholeNumber(1)};
  if (text.starts_with("dim3")) {
    size_t open = skipBlanks(text, 4);
    if (open >= text.size() || (text[open] != '(' && text[open] != '{')) return std::nullopt;
    size_t close = closing(text, open);
    if (close != text.size()) return std::nullopt;
    std::vector<std::string> parts = splitArguments(text.substr(open + 1, close - open - 2));
    if (parts.size() > 3) return std::nullopt;
    if (parts.size() == 1)
      if (auto one = extents(parts[0])) return one;  // dim3(grid)
    for (size_t i = 0; i < parts.size(); ++i) {
      auto one = value(parts[i]);
      if (!one) return std::nullopt;
      out[i] = *one;
    }
    return out;
  }
  if (isName(text))
    if (auto named = namedExtents(text)) return named;
  auto one = value(text);
  if (!one) return std::nullopt;
  out[0] = *one;
  return out;
}

std::optional<std::array<Number, 3>> HostText::namedExtents(const std::string& name) const {
  if (active.contains("dim3 " + name) || active.size() > 30 || isCountedOn(name)) return std::nullopt;
  active.insert("dim3 " + name);
  std::optional<std::array<Number, 3>> found;
  std::array<std::optional<Number>, 3> fields;
  for (const Text& one : texts) {
    std::vector<size_t> places = placesOf(one.text, name);
    for (auto at = places.rbegin(); at != places.rend() && !found; ++at) {
      if (*at >= one.before) continue;
      size_t next = skipBlanks(one.text, *at + name.size());
      if (next + 2 >= one.text.size()) continue;
      char c = one.text[next];
      if (c == '.' && std::string("xyz").find(one.text[next + 1]) != std::string::npos) {
        size_t axis = static_cast<size_t>(one.text[next + 1] - 'x');
        size_t equals = skipBlanks(one.text, next + 2);
        if (!fields[axis] && one.text[equals] == '=' && one.text[equals + 1] != '=')
          fields[axis] = value(initializer(one.text, equals + 1));
        continue;
      }
      if (c == '=' && one.text[next + 1] != '=') {
        std::string init = initializer(one.text, next + 1);
        found = init.starts_with('{') ? extents("dim3" + init) : extents(init);
        continue;
      }
      // A declaration: the word before is dim3, or a declarator list that began with it.
      size_t statement = one.text.find_last_of(";{}", *at == 0 ? 0 : *at - 1);
      size_t begin = statement == std::string::npos ? 0 : statement + 1;
      // Not inside of parentheses: `x = dim3(name, 1)` uses the name.
      std::string lead = one.text.substr(begin, *at - begin);
      bool isDeclared = !placesOf(lead, "dim3").empty() && std::count(lead.begin(), lead.end(), '(') ==
                                                               std::count(lead.begin(), lead.end(), ')');
      if (!isDeclared) continue;
      if (c == '(' || c == '{') {
        size_t close = closing(one.text, next);
        if (close != std::string::npos) found = extents("dim3" + one.text.substr(next, close - next));
      } else if (c == ';' || c == ',') {
        found = std::array<Number, 3>{wholeNumber(1), wholeNumber(1), wholeNumber(1)};
      }
    }
  }
  active.erase("dim3 " + name);
  if (found)
    for (size_t i = 0; i < 3; ++i)
      if (fields[i]) (*found)[i] = *fields[i];
  return found;
}

}  // namespace hone::device
