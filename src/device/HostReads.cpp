#include "device/HostReads.h"

#include <algorithm>
#include <cctype>
#include <cstring>
#include <set>

#include "device/HostFunctions.h"
#include "device/HostScan.h"

namespace hone::device {

namespace {

constexpr int mostGroups = 20;

bool endsAt(const std::string& text, size_t end, const char* what) {
  const size_t size = std::strlen(what);
  return end >= size && text.compare(end - size, size, what) == 0;
}

bool isOneOf(char c, const char* all) { return c != 0 && std::strchr(all, c) != nullptr; }

const std::set<std::string>& wholeTypes() {
  static const std::set<std::string> all = {
      "int",    "unsigned", "signed",  "long",    "short",   "size_t",   "char",     "bool",
      "uint",   "int8_t",   "uint8_t", "int16_t", "int32_t", "uint16_t", "uint32_t", "int64_t",
      "ushort", "uint64_t", "uchar",   "ulong",   "ssize_t", "ptrdiff_t"};
  return all;
}

bool isPlainType(const std::string& word) {
  return wholeTypes().contains(word) || word == "float" || word == "double" || word == "dim3" ||
         word == "uint3" || word == "auto";
}

// Where a bracket around a place opens, and what stands before it in there.
struct Around {
  char open = 0;  // a bracket, `<` for what a launch is given, `;` and 0 at the end of what stands before
  size_t place = 0, argument = 0;
  size_t equals = std::string::npos;  // of the value that the place is in
};

Around aroundOf(const std::string& text, size_t at) {
  Around out;
  for (size_t i = at; i-- > 0;) {
    const char c = text[i];
    out.place = i;
    if (c == ')' || c == ']' || c == '}') {
      const size_t next = skipBlanks(text, i + 1);
      const bool isValue = c != '}' || (next < text.size() && isOneOf(text[next], ",+-*/.)?:<>="));
      const size_t open = isValue ? opening(text, i) : std::string::npos;
      if (open == std::string::npos) {
        out.open = ';';
        return out;
      }
      i = open;
      continue;
    }
    if (c == ';' || c == '(' || c == '[' || c == '{') {
      out.open = c;
      return out;
    }
    if (endsAt(text, i + 1, "<<<")) {
      out.open = '<';
      return out;
    }
    if (endsAt(text, i + 1, ">>>")) {
      const size_t begin = text.rfind("<<<", i);
      if (begin == std::string::npos) return out;
      i = begin;
      continue;
    }
    if (c == ',') ++out.argument;
    const bool isCompared =
        text[i + 1] == '=' || (i > 0 && isOneOf(text[i - 1], "=!")) ||
        (i > 0 && isOneOf(text[i - 1], "<>") && !endsAt(text, i, "<<") && !endsAt(text, i, ">>"));
    if (c == '=' && !isCompared && out.argument == 0 && out.equals == std::string::npos) out.equals = i;
  }
  out.place = 0;
  return out;
}

bool isBlock(const std::string& text, size_t brace) {
  static const std::set<std::string> words = {"else",     "do",       "try",   "const",
                                              "noexcept", "override", "final", "mutable"};
  const size_t end = skipBlanksBack(text, brace);
  if (end == 0 || isOneOf(text[end - 1], ";{}):]")) return true;
  if (words.contains(wordBefore(text, end))) return true;
  const std::string lead = leadOf(text, brace);
  for (const char* word : {"struct", "class", "namespace", "union"})
    if (!placesOf(lead, word).empty()) return true;
  return lead.find("->") != std::string::npos;
}

// Whether the variable that gets its value at `equals` may be another name of it.
bool isReferenceAt(const std::string& text, size_t equals) {
  const std::string lead = leadOf(text, equals);
  if (!placesOf(lead, "decltype").empty()) return true;
  const size_t end = skipBlanksBack(text, equals);
  const size_t name = skipBlanksBack(text, end - wordBefore(text, end).size());
  return name > 0 && text[name - 1] == '&' && placesOf(lead, "const").empty();
}

// Whether a function-like macro with this body does nothing but compute.
bool computes(const std::string& body) {
  for (size_t i = 0; i < body.size(); ++i) {
    const char c = body[i], next = i + 1 < body.size() ? body[i + 1] : 0;
    if (isOneOf(c, ";{}#[]")) return false;
    if ((c == '+' || c == '-' || c == '&') && next == c) {
      if (c != '&') return false;
      ++i;
    } else if (c == '&') {
      return false;
    }
    if (c == '=' && next != '=' && !(i > 0 && isOneOf(body[i - 1], "=!<>"))) return false;
    if (c == '(' && i > 0 && isWordChar(body[i - 1]) && !isPlainType(wordBefore(body, i))) return false;
  }
  return body.find("<<=") == std::string::npos && body.find(">>=") == std::string::npos;
}

bool isKnownByValue(const std::string& function) {
  static const std::set<std::string> names = {
      "printf", "fprintf", "snprintf", "sprintf",   "puts",   "malloc", "calloc",       "realloc",
      "memset", "memcpy",  "abs",      "min",       "max",    "ceil",   "ceilf",        "floor",
      "floorf", "sqrt",    "sqrtf",    "pow",       "powf",   "log2",   "log2f",        "log",
      "exp",    "fabs",    "rand",     "srand",     "exit",   "assert", "usleep",       "sleep",
      "memcmp", "resize",  "reserve",  "push_back", "assign", "at",     "aligned_alloc"};
  static const char* const prefixes[] = {"cuda", "cublas", "cufft", "curand", "cusparse", "cusolver", "hip"};
  if (names.contains(function)) return true;
  return std::any_of(std::begin(prefixes), std::end(prefixes), [&](const char* prefix) {
    const size_t size = std::strlen(prefix);
    return function.size() > size && function.starts_with(prefix) &&
           std::isupper(static_cast<unsigned char>(function[size]));
  });
}

// Whether a function gets a copy of an argument, as all its declarations in sight say.
bool takesByValue(const std::vector<const std::string*>& texts, const std::string& function,
                  size_t argument) {
  bool isFound = false;
  for (const std::string* text : texts)
    for (const size_t at : placesOf(*text, function)) {
      const bool isMacro = isDefined(*text, at);
      const size_t open = isMacro ? at + function.size() : skipBlanks(*text, at + function.size());
      const size_t close =
          open < text->size() && (*text)[open] == '(' ? closing(*text, open) : std::string::npos;
      if (close == std::string::npos) continue;
      if (isMacro) {
        if (!computes(restOfLine(*text, close))) return false;
        isFound = true;
        continue;
      }
      size_t next = skipBlanks(*text, close), begin = at;
      while (begin >= 2 && endsAt(*text, begin, "::")) begin -= 2 + wordBefore(*text, begin - 2).size();
      if (next >= text->size() || !isDeclaration(*text, begin)) continue;
      const std::vector<std::string> params = splitDeclared(text->substr(open + 1, close - open - 2));
      if (params.empty() || argument >= params.size()) {
        if (!params.empty() && params.back() == "...") isFound = true;
        continue;
      }
      const std::string& param = params[argument];
      if (param.find('&') != std::string::npos && placesOf(param, "const").empty()) return false;
      if (param.find("...") != std::string::npos && param != "...") return false;
      isFound = true;
    }
  return isFound || isKnownByValue(function);
}

// Whether what is in the bracket at `open`, with this before it, is copied; nothing: it is a group alone.
std::optional<bool> isCopiedInto(const std::string& text, const Around& around,
                                 const std::vector<const std::string*>& texts, bool mayReturn) {
  static const std::set<std::string> tests = {"if", "while", "switch", "sizeof", "alignof"};
  static const std::set<std::string> before = {"return", "else", "case", "throw", "do"};
  static const std::set<std::string> containers = {"vector", "device_vector", "host_vector"};
  size_t end = skipBlanksBack(text, around.place);
  if (end == 0) return false;
  if (endsAt(text, end, ">>>")) return around.open == '(';  // parameters of kernels
  if (text[end - 1] == '>') {
    const size_t open = text.rfind('<', end - 1);
    if (open == std::string::npos || skipTemplateArguments(text, open) != end) return false;
    const std::string type = text.substr(open, end - open);
    end = skipBlanksBack(text, open);
    const std::string word = wordBefore(text, end);
    if (word == "static_cast") return type.find('&') == std::string::npos;
    return takesByValue(texts, word, around.argument);
  }
  const std::string word = wordBefore(text, end);
  if (word.empty()) {
    if (around.open == '{') {
      const std::string lead = leadOf(text, end);
      const std::string first = trimmed(lead).substr(0, trimmed(lead).find_first_of(" \t\n"));
      return text[end - 1] == '=' && isPlainType(first) && first != "auto" &&
             lead.find('&') == std::string::npos;
    }
    if (text[end - 1] == ')') {  // a cast
      const size_t open = opening(text, end - 1);
      const std::string type =
          open == std::string::npos ? "" : trimmed(text.substr(open + 1, end - open - 2));
      return isPlainType(wordBefore(type, type.size()));
    }
    if (isOneOf(text[end - 1], "]\"'")) return false;
    return std::nullopt;
  }
  if (word == "return") return mayReturn;
  if (tests.contains(word) || isPlainType(word)) return true;
  const size_t left = skipBlanksBack(text, end - word.size());
  if (left > 0 && text[left - 1] == '&' && !endsAt(text, left, "&&")) return false;
  if (left > 0 && text[left - 1] == '>' && !endsAt(text, left, "->")) {
    const size_t open = text.rfind('<', left - 1);
    return open != std::string::npos && skipTemplateArguments(text, open) == left &&
           containers.contains(wordBefore(text, skipBlanksBack(text, open)));
  }
  const std::string type = wordBefore(text, left);
  if (!type.empty() && isPlainType(type)) return true;
  if (!type.empty() && !before.contains(type)) return false;
  return around.open == '(' && takesByValue(texts, word, around.argument);
}

}  // namespace

std::optional<DeclaredText> declaredAt(const std::string& text, size_t at, const std::string& name) {
  static const std::set<std::string> others = {"return", "else",  "case",   "goto", "new",
                                               "delete", "throw", "using",  "do",   "define",
                                               "undef",  "ifdef", "ifndef", "if"};
  const size_t next = skipBlanks(text, at + name.size());
  if (next >= text.size() || !isOneOf(text[next], "=;,({[):") || text.compare(next, 2, "==") == 0 ||
      text.compare(next, 2, "::") == 0)
    return std::nullopt;
  const Around around = aroundOf(text, at);
  if (around.equals != std::string::npos || around.open == '[' || around.open == '<') return std::nullopt;
  if (around.open == '{' && !isBlock(text, around.place)) return std::nullopt;
  const bool isListed = around.open != '(' && around.argument > 0;
  size_t begin = around.open == 0 ? 0 : around.place + 1;
  if (around.open == '(' && around.argument > 0) begin = text.rfind(',', at) + 1;
  std::string lead = text.substr(begin, at - begin);
  for (size_t sign = lead.find('#'); sign != std::string::npos; sign = lead.find('#', sign))
    lead.erase(sign, std::min(lead.find('\n', sign), lead.size()) - sign);
  const size_t paren = lead.rfind("(");
  if (paren != std::string::npos && !isListed) return std::nullopt;
  if (isListed) {
    size_t end = 0;
    while (end < lead.size() && !isOneOf(lead[end], "=,({[")) {
      const size_t skipped = skipTemplateArguments(lead, end);
      end = skipped > end ? skipped : end + 1;
    }
    end = skipBlanksBack(lead, end);
    lead.erase(end - wordBefore(lead, end).size());
    const size_t own = skipBlanksBack(text, at);
    if (own > 0 && isOneOf(text[own - 1], "&*"))
      lead += text[own - 1];
    else if (own == 0 || text[own - 1] != ',')
      return std::nullopt;
  }
  DeclaredText out;
  size_t words = 0, known = 0;
  for (size_t i = 0; i < lead.size();) {
    if (!isWordChar(lead[i])) {
      if (isOneOf(lead[i], "&*")) out.isOther = true;
      if (isOneOf(lead[i], "+-/%!~|^?.=") || lead[i] == ')') return std::nullopt;
      ++i;
      continue;
    }
    size_t end = i;
    while (end < lead.size() && isWordChar(lead[end])) ++end;
    const std::string word = lead.substr(i, end - i);
    i = end;
    if (others.contains(word) || std::isdigit(static_cast<unsigned char>(word[0]))) return std::nullopt;
    ++words;
    if (word == "const")
      out.isConst = true, ++known;
    else if (word == "constexpr")
      out.isConst = out.isConstexpr = true, ++known;
    else if (word == "static")
      out.isStatic = true, ++known;
    else if (word == "inline" || word == "register" || word == "std")
      ++known;
    else if (word == "volatile" || word == "extern" || word == "thread_local")
      out.isOther = true, ++known;
    else {
      out.type += (out.type.empty() ? "" : " ") + word;
      if (isPlainType(word)) ++known;
    }
  }
  if (words == 0 || (out.type.empty() && !out.isConst)) return std::nullopt;
  // A product begins no statement.
  out.isKnownType = known == words && !out.type.empty() && lead.find('<') == std::string::npos;
  out.hasValue = isOneOf(text[next], "=({");
  return out;
}

bool isBindingAt(const std::string& text, size_t at) {
  const Around around = aroundOf(text, at);
  if (around.open != '[') return false;
  size_t end = skipBlanksBack(text, around.place);
  while (end > 0 && text[end - 1] == '&') end = skipBlanksBack(text, end - 1);
  return wordBefore(text, end) == "auto";
}

Number keptIn(const std::string& type, const Number& number) {
  std::set<std::string> words;
  for (size_t i = 0; i < type.size(); i = std::min(type.find(' ', i), type.size()) + 1)
    words.insert(type.substr(i, type.find(' ', i) - i));
  const auto has = [&](const char* word) { return words.contains(word); };
  if (has("float") || has("double")) return realNumber(number.asReal());
  if (!std::all_of(words.begin(), words.end(), [](const auto& word) { return wholeTypes().contains(word); }))
    return number;
  return convertedTo(type, number);
}

size_t blockAround(const std::string& text, size_t at) {
  int depth = 0;
  for (size_t i = std::min(at, text.size()); i-- > 0;) {
    depth += text[i] == '}';
    if (text[i] == '{' && --depth < 0) return i;
  }
  return std::string::npos;
}

bool isInClass(const std::string& text, size_t at) {
  const size_t open = blockAround(text, at);
  if (open == std::string::npos) return false;
  const std::string lead = leadOf(text, open);
  return lead.find('(') == std::string::npos &&
         (!placesOf(lead, "struct").empty() || !placesOf(lead, "class").empty() ||
          !placesOf(lead, "union").empty());
}

bool isInSwitch(const std::string& text, size_t at) {
  const size_t open = blockAround(text, at);
  return open != std::string::npos && !placesOf(leadOf(text, open), "switch").empty();
}

bool isInLambda(const std::string& text, size_t from, size_t at) {
  for (size_t open = blockAround(text, at); open != std::string::npos && open > from;
       open = blockAround(text, open)) {
    const std::string lead = leadOf(text, open);
    for (size_t i = lead.find('['); i != std::string::npos; i = lead.find('[', i + 1)) {
      const size_t before = skipBlanksBack(lead, i), close = closing(lead, i);
      const bool isIndex = before > 0 && (isWordChar(lead[before - 1]) || isOneOf(lead[before - 1], ")]")) &&
                           wordBefore(lead, before) != "return";
      if (!isIndex && close != std::string::npos) return true;
    }
  }
  return false;
}

bool isStatementAt(const std::string& text, size_t at) {
  const size_t end = skipBlanksBack(text, at);
  return end > 0 && isOneOf(text[end - 1], ";{}");
}

bool isInDirective(const std::string& text, size_t at) {
  for (;;) {
    const size_t newline = at == 0 ? std::string::npos : text.rfind('\n', at - 1);
    const size_t begin = newline == std::string::npos ? 0 : newline + 1;
    const size_t first = skipBlanks(text, begin);
    if (first < text.size() && text[first] == '#') return true;
    if (newline == std::string::npos || newline == 0 || text[newline - 1] != '\\') return false;
    at = newline;
  }
}

bool isPlainRead(const std::string& text, size_t at, const std::string& name,
                 const std::vector<const std::string*>& texts, bool mayReturn) {
  size_t begin = at, end = at + name.size();
  if (const size_t dot = skipBlanks(text, end); dot + 1 < text.size() && text[dot] == '.') {
    if (!isOneOf(text[dot + 1], "xyz") || (dot + 2 < text.size() && isWordChar(text[dot + 2]))) return false;
    end = dot + 2;
  }
  for (int group = 0; group < mostGroups; ++group) {
    const size_t before = skipBlanksBack(text, begin), next = skipBlanks(text, end);
    if (before == 0 || next >= text.size()) return false;
    for (const char* op :
         {"++", "--", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "<<=", ">>=", "->", "["})
      if (text.compare(next, std::strlen(op), op) == 0) return false;
    if (text[next] == '=' && text.compare(next, 2, "==") != 0) return false;
    if (endsAt(text, before, "++") || endsAt(text, before, "--") || endsAt(text, before, ">>")) return false;
    const char last = text[before - 1];
    if (last == '&') return endsAt(text, before, "&&");
    if (last == '>') return leadOf(text, before).find('<') == std::string::npos;
    if (isOneOf(text[next], "+-*/%<>|^&?!=")) return true;
    if (isOneOf(last, "+-/%!~|^<")) return true;
    if (last == '=' && before > 1 && isOneOf(text[before - 2], "=!<>")) return true;
    if (last == '*') {
      const size_t left = skipBlanksBack(text, before - 1);
      const std::string word = wordBefore(text, left);
      return !isPlainType(word) && !word.empty() && !isStatementAt(text, left - word.size());
    }
    if (last == ')') {
      const size_t open = opening(text, before - 1);
      if (open == std::string::npos) return false;
      const std::string inside = trimmed(text.substr(open + 1, before - open - 2));
      const std::string word = wordBefore(text, skipBlanksBack(text, open));
      if (word == "if" || word == "while" || word == "for" || word == "switch") return true;
      return word.empty() && (isPlainType(wordBefore(inside, inside.size())) || inside == "void");
    }
    if (const std::string word = wordBefore(text, before); !word.empty()) {
      if (word == "return") return mayReturn;
      return word == "case" || word == "else" || word == "do" || word == "sizeof" || word == "throw";
    }
    const Around around = aroundOf(text, begin);
    if (around.open == '<') return true;
    if (around.equals != std::string::npos) return !isReferenceAt(text, around.equals);
    if (around.open == 0 || around.open == ';' || (around.open == '{' && isBlock(text, around.place)))
      return around.argument == 0 && (mayReturn || placesOf(leadOf(text, begin), "return").empty());
    if (around.open == '[') return !isBindingAt(text, begin);
    if (const auto isCopied = isCopiedInto(text, around, texts, mayReturn)) return *isCopied;
    begin = around.place, end = closing(text, around.place);
    if (end == std::string::npos) return false;
  }
  return false;
}

}  // namespace hone::device
