#include "device/HostScan.h"

#include <algorithm>
#include <cctype>
#include <cstring>
#include <set>

#include "device/SizeExpr.h"

namespace hone::device {

bool isWordChar(char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; }

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

bool isMemberAt(const std::string& text, size_t at) {
  if (at > 0 && text[at - 1] == '.') return true;
  return at > 1 && text[at - 1] == '>' && text[at - 2] == '-';
}

std::vector<size_t> placesOf(const std::string& text, const std::string& word) {
  std::vector<size_t> out;
  for (size_t at = text.find(word); at != std::string::npos; at = text.find(word, at + 1)) {
    const bool begins = at == 0 || (!isWordChar(text[at - 1]) && !isMemberAt(text, at));
    size_t end = at + word.size();
    if (begins && (end == text.size() || !isWordChar(text[end]))) out.push_back(at);
  }
  return out;
}

size_t skipBlanks(const std::string& text, size_t at) {
  while (at < text.size() && std::isspace(static_cast<unsigned char>(text[at]))) ++at;
  return at;
}

size_t closing(const std::string& text, size_t open) {
  int depth = 0;
  for (size_t i = open; i < text.size(); ++i) {
    if (text[i] == '(' || text[i] == '{' || text[i] == '[') ++depth;
    if ((text[i] == ')' || text[i] == '}' || text[i] == ']') && --depth == 0) return i + 1;
  }
  return std::string::npos;
}

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

bool isDefined(const std::string& text, size_t at) {
  size_t i = at;
  while (i > 0 && (text[i - 1] == ' ' || text[i - 1] == '\t')) --i;
  if (i < 6 || text.substr(i - 6, 6) != "define") return false;
  i -= 6;
  while (i > 0 && (text[i - 1] == ' ' || text[i - 1] == '\t')) --i;
  return i > 0 && text[i - 1] == '#';
}

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

size_t skipBlanksBack(const std::string& text, size_t at) {
  while (at > 0 && std::isspace(static_cast<unsigned char>(text[at - 1]))) --at;
  return at;
}

std::string wordBefore(const std::string& text, size_t end) {
  size_t begin = end;
  while (begin > 0 && isWordChar(text[begin - 1])) --begin;
  return text.substr(begin, end - begin);
}

std::string leadOf(const std::string& text, size_t at) {
  const size_t before = at == 0 ? std::string::npos : text.find_last_of(";{}", at - 1);
  const size_t begin = before == std::string::npos ? 0 : before + 1;
  std::string lead = text.substr(begin, at - begin);
  for (size_t sign = lead.find('#'); sign != std::string::npos; sign = lead.find('#', sign))
    lead.erase(sign, std::min(lead.find('\n', sign), lead.size()) - sign);
  return lead;
}

namespace {

bool hasAt(const std::string& text, size_t place, const char* what) {
  return text.compare(place, std::strlen(what), what) == 0;
}

bool isInParentheses(const std::string& lead) {
  return std::count(lead.begin(), lead.end(), '(') != std::count(lead.begin(), lead.end(), ')');
}

// In the head of a `for` what stands before may be in another part of it.
bool isInHead(const std::string& text, size_t at) {
  int depth = 0;
  for (size_t i = at; i-- > 0;) {
    if (text[i] == '{' || text[i] == '}') return false;
    depth += text[i] == ')';
    if (text[i] == '(' && --depth < 0) return true;
  }
  return false;
}

// Whether the same branches of #if, #ifdef and the like are taken at both places, and no others at `from`.
bool isInSameBranch(const std::string& text, size_t from, size_t to) {
  int depth = 0;
  for (size_t at = text.find('#', from); at < to && at != std::string::npos; at = text.find('#', at + 1)) {
    const size_t word = skipBlanks(text, at + 1);
    if (hasAt(text, word, "if")) ++depth;
    if (hasAt(text, word, "el") && depth == 0) return false;
    if (hasAt(text, word, "endif") && --depth < 0) return false;
  }
  return true;
}

bool isTypeWord(const std::string& word) {
  static const std::set<std::string> types = {"int",   "unsigned", "long",    "short",    "size_t",  "char",
                                              "float", "bool",     "double",  "auto",     "const",   "dim3",
                                              "uint",  "int32_t",  "int64_t", "uint32_t", "uint64_t"};
  return types.contains(word);
}

}  // namespace

bool isDeclaration(const std::string& text, size_t at) {
  static const std::set<std::string> others = {"return", "else",   "case",    "goto",   "new",     "delete",
                                               "throw",  "sizeof", "do",      "define", "typedef", "undef",
                                               "ifdef",  "ifndef", "defined", "if"};
  size_t end = skipBlanksBack(text, at);
  if (end == at && end > 0 && text[end - 1] != '&') return false;
  const bool isReference = end > 0 && text[end - 1] == '&';
  if (isReference) end = skipBlanksBack(text, end - 1);
  const std::string word = wordBefore(text, end);
  if (word.empty() || std::isdigit(static_cast<unsigned char>(word[0])) || others.contains(word))
    return false;
  return !isReference || isTypeWord(word);
}

namespace {

// Whether the name at `at` is one of several that are declared together, the first with its type.
bool isInDeclarationOf(const std::string& text, size_t at, const char* type) {
  const std::string lead = leadOf(text, at);
  // What stands behind an operator is part of a value.
  const size_t end = skipBlanksBack(lead, lead.size());
  const bool isName = end > 0 && (isWordChar(lead[end - 1]) || lead[end - 1] == ',');
  return isName && !placesOf(lead, type).empty() && !isInParentheses(lead);
}

size_t statementEnd(const std::string& text, size_t at) {
  at = skipBlanks(text, at);
  if (at >= text.size()) return std::string::npos;
  if (text[at] == '{') return closing(text, at);
  size_t wordEnd = at;
  while (wordEnd < text.size() && isWordChar(text[wordEnd])) ++wordEnd;
  const std::string word = text.substr(at, wordEnd - at);
  if (word == "for" || word == "while" || word == "if" || word == "switch") {
    const size_t open = skipBlanks(text, wordEnd);
    const size_t close = open < text.size() && text[open] == '(' ? closing(text, open) : std::string::npos;
    if (close == std::string::npos) return close;
    const size_t end = statementEnd(text, close);
    if (word != "if" || end == std::string::npos) return end;
    const size_t next = skipBlanks(text, end);
    const bool hasElse =
        hasAt(text, next, "else") && (next + 4 >= text.size() || !isWordChar(text[next + 4]));
    return hasElse ? statementEnd(text, next + 4) : end;
  }
  if (word == "do") {
    const size_t body = statementEnd(text, wordEnd);
    const size_t end = body == std::string::npos ? body : text.find(';', body);
    return end == std::string::npos ? end : end + 1;
  }
  int depth = 0;
  for (; at < text.size(); ++at) {
    depth += text[at] == '(' || text[at] == '{' || text[at] == '[';
    depth -= text[at] == ')' || text[at] == '}' || text[at] == ']';
    if (depth < 0) return std::string::npos;
    if (depth == 0 && text[at] == ';') return at + 1;
  }
  return std::string::npos;
}

// Where what belongs to the head around a place ends: the body of a loop or a function.
size_t endOfHeaded(const std::string& text, size_t at) {
  int depth = 0;
  for (; at < text.size(); ++at) {
    depth += text[at] == '(';
    if (text[at] == ')' && --depth < 0) break;
  }
  return at >= text.size() ? at : statementEnd(text, at + 1);
}

void readHead(const std::string& head, LoopText& loop) {
  std::vector<std::string> parts(1);
  int depth = 0;
  for (const char c : head) {
    depth += c == '(' || c == '{' || c == '[';
    depth -= c == ')' || c == '}' || c == ']';
    if (c == ';' && depth == 0)
      parts.emplace_back();
    else
      parts.back() += c;
  }
  if (parts.size() != 3) return;
  loop.init = trimmed(parts[0]), loop.again = trimmed(parts[1]), loop.next = trimmed(parts[2]);
}

}  // namespace

bool isSeenAt(const std::string& text, size_t from, size_t to) {
  int depth = 0;
  for (size_t i = from; i < to && i < text.size(); ++i) {
    depth += text[i] == '{';
    depth -= text[i] == '}';
    if (depth < 0) return false;
  }
  return !isInHead(text, from) || to < endOfHeaded(text, from);
}

bool isUnderElse(const std::string& text, size_t at) {
  if (!placesOf(leadOf(text, at), "else").empty()) return true;
  int depth = 0;
  for (size_t i = at; i-- > 0;) {
    depth += text[i] == '}';
    if (text[i] == '{' && --depth < 0) return !placesOf(leadOf(text, i), "else").empty();
  }
  return false;
}

bool isSureAt(const std::string& text, size_t from, size_t to) {
  const std::string lead = leadOf(text, from);
  for (const char* word : {"if", "else", "for", "while", "do"})
    if (!placesOf(lead, word).empty()) return false;
  return !isInParentheses(lead) && !isInHead(text, from) && isInSameBranch(text, from, to);
}

namespace {

// Whether a word that is a whole argument of a call goes to a parameter that a function of the text takes by
// reference.
bool isTakenByReference(const std::string& text, size_t at, const std::string& name) {
  const size_t before = skipBlanksBack(text, at), next = skipBlanks(text, at + name.size());
  if (before == 0 || next >= text.size() || (text[before - 1] != '(' && text[before - 1] != ',') ||
      (text[next] != ')' && text[next] != ','))
    return false;
  size_t open = before, argument = 0;
  for (int depth = 0; open > 0 && depth >= 0; --open) {
    const char c = text[open - 1];
    if (c == ';' || c == '{' || c == '}') return false;
    if (c == ')' || c == ']') ++depth;
    if (c == '(' || c == '[') --depth;
    if (c == ',' && depth == 0) ++argument;
  }
  const std::string function = wordBefore(text, skipBlanksBack(text, open));
  if (function.empty() || isTypeWord(function)) return false;
  for (const size_t place : placesOf(text, function)) {
    const size_t list = skipBlanks(text, place + function.size());
    const size_t close = list < text.size() && text[list] == '(' ? closing(text, list) : std::string::npos;
    if (close == std::string::npos) continue;
    size_t nth = 0, begin = list + 1;
    for (size_t end = begin, depth = 0; end < close; ++end) {
      const char c = text[end];
      if (c == '(' || c == '[' || c == '<') ++depth;
      if ((c == ')' || c == ']' || c == '>') && depth) --depth;
      if ((c != ',' || depth) && end + 1 != close) continue;
      if (nth++ == argument) {
        // A parameter, not an argument: a type stands before the sign.
        const size_t sign = text.find('&', begin);
        if (sign < end && skipBlanks(text, begin) < sign &&
            text.substr(begin, end - begin).find("const") == std::string::npos)
          return true;
        break;
      }
      begin = end + 1;
    }
  }
  return false;
}

}  // namespace

Usage usageAt(const std::string& text, size_t at, const std::string& name) {
  Usage out;
  const size_t behind = at + name.size(), next = skipBlanks(text, behind);
  out.isDeclared = isDeclaration(text, at);
  const auto set = [&](size_t equals) {
    out.value = initializer(text, equals + 1);
    out.use = placesOf(out.value, name).empty() ? Use::Set : Use::Counted;
  };
  if (next >= text.size()) return out;
  if (text[next] == '=' && !hasAt(text, next, "==")) {
    set(next);
    return out;
  }
  if (text[next] == '.' && next + 2 < text.size() && std::strchr("xyz", text[next + 1]) &&
      !isWordChar(text[next + 2])) {
    const size_t equals = skipBlanks(text, next + 2);
    out.isDeclared = false;
    for (const char* op : {"++", "--", "+=", "-=", "*=", "/="})
      if (hasAt(text, equals, op)) out.use = Use::Counted;
    if (equals < text.size() && text[equals] == '=' && !hasAt(text, equals, "==")) {
      out.axis = text[next + 1] - 'x';
      out.value = initializer(text, equals + 1);
      out.use = Use::Set;
    }
    return out;
  }
  for (const char* op : {"++", "--", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "<<=", ">>="})
    if (hasAt(text, next, op)) out.use = Use::Counted;
  const size_t before = skipBlanksBack(text, at);
  if (before >= 2 && (hasAt(text, before - 2, "++") || hasAt(text, before - 2, "--"))) out.use = Use::Counted;
  if (before >= 2 && hasAt(text, before - 2, ">>")) out.use = Use::Handed;
  if (out.use != Use::Read) return out;
  const bool isDim3 = isInDeclarationOf(text, at, "dim3");
  const std::string type = wordBefore(text, before);
  if ((text[next] == '(' || text[next] == '{') && (isDim3 || isTypeWord(type))) {
    const size_t close = closing(text, next);
    const size_t end = close == std::string::npos ? text.size() : skipBlanks(text, close);
    // What has a body behind it is a function.
    if (end < text.size() && (text[end] == ';' || text[end] == ',')) {
      const std::string inside = text.substr(next + 1, close - next - 2);
      out.value = isDim3 ? "dim3(" + inside + ")" : inside;
      out.use = Use::Set;
      out.isDeclared = true;
    }
    return out;
  }
  if (isDim3 && (text[next] == ';' || text[next] == ',')) {
    out.value = "dim3(1)";
    out.use = Use::Set;
    out.isDeclared = true;
    return out;
  }
  if (out.isDeclared) {
    out.use = Use::Declared;
    return out;
  }
  if (isTakenByReference(text, at, name)) out.use = Use::Handed;
  if (before >= 1 && text[before - 1] == '&' && (before < 2 || text[before - 2] != '&')) {
    const size_t left = skipBlanksBack(text, before - 1);
    if (left == 0 || (!isWordChar(text[left - 1]) && text[left - 1] != ')' && text[left - 1] != ']'))
      out.use = Use::Handed;
  }
  return out;
}

std::vector<LoopText> loopsAround(const std::string& text, size_t at) {
  std::vector<LoopText> out;
  for (const char* word : {"for", "while", "do"})
    for (const size_t head : placesOf(text, word)) {
      if (head >= at) break;
      LoopText loop;
      loop.head = head;
      const size_t behind = head + std::strlen(word), open = skipBlanks(text, behind);
      if (word == std::string("do")) {
        loop.body = behind;
        loop.end = statementEnd(text, behind);
        const size_t test = loop.end == std::string::npos ? loop.end : text.find('(', loop.end);
        const size_t close = test == std::string::npos ? test : closing(text, test);
        if (close != std::string::npos) loop.again = trimmed(text.substr(test + 1, close - test - 2));
      } else {
        const size_t close =
            open < text.size() && text[open] == '(' ? closing(text, open) : std::string::npos;
        if (close == std::string::npos) continue;
        loop.body = close;
        loop.end = statementEnd(text, close);
        const std::string inside = text.substr(open + 1, close - open - 2);
        if (word == std::string("for"))
          readHead(inside, loop);
        else
          loop.again = trimmed(inside);
      }
      if (loop.end != std::string::npos && loop.body <= at && at < loop.end) out.push_back(std::move(loop));
    }
  std::sort(out.begin(), out.end(), [](const LoopText& a, const LoopText& b) { return a.head < b.head; });
  return out;
}

}  // namespace hone::device
