#include "device/HostFunctions.h"

#include <algorithm>
#include <cctype>
#include <set>

#include "device/HostReads.h"
#include "device/HostScan.h"
#include "device/SizeExpr.h"

namespace hone::device {

size_t opening(const std::string& text, size_t close) {
  int depth = 0;
  for (size_t i = close + 1; i-- > 0;) {
    if (text[i] == ')' || text[i] == '}' || text[i] == ']') ++depth;
    if ((text[i] == '(' || text[i] == '{' || text[i] == '[') && --depth == 0) return i;
  }
  return std::string::npos;
}

size_t skipTemplateArguments(const std::string& text, size_t open) {
  if (open >= text.size() || text[open] != '<' || text.compare(open, 2, "<<") == 0) return open;
  int depth = 0;
  for (size_t i = open; i < text.size(); ++i) {
    const char c = text[i];
    if (c == '<') ++depth;
    if (c == '>' && --depth == 0) return i + 1;
    if (!isWordChar(c) && !std::isspace(static_cast<unsigned char>(c)) &&
        std::string("<>,:*&()+-/%").find(c) == std::string::npos)
      return open;
  }
  return open;
}

std::vector<std::string> splitDeclared(const std::string& text) {
  std::vector<std::string> out;
  int depth = 0;
  size_t begin = 0;
  for (size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (c == '<')
      if (const size_t end = skipTemplateArguments(text, i); end > i) {
        i = end - 1;
        continue;
      }
    depth += c == '(' || c == '[' || c == '{';
    depth -= c == ')' || c == ']' || c == '}';
    if (c == ',' && depth == 0) out.push_back(trimmed(text.substr(begin, i - begin))), begin = i + 1;
  }
  if (const std::string last = trimmed(text.substr(begin)); !last.empty()) out.push_back(last);
  return out;
}

std::string declaredName(const std::string& declarator) {
  const size_t end = std::min(declarator.find_first_of("=[{"), declarator.size());
  const std::string name = wordBefore(declarator, skipBlanksBack(declarator, end));
  return isName(name) ? name : "";
}

std::string declaredValue(const std::string& declarator) {
  const size_t at = declarator.find_first_of("={");
  if (at == std::string::npos) return "";
  if (declarator[at] == '=') return trimmed(declarator.substr(at + 1));
  const size_t close = closing(declarator, at);
  return close == std::string::npos ? "" : trimmed(declarator.substr(at + 1, close - at - 2));
}

bool isPath(const std::string& text) {
  const std::string path = trimmed(text);
  for (size_t at = 0;;) {
    size_t end = at;
    while (end < path.size() && isWordChar(path[end])) ++end;
    if (!isName(path.substr(at, end - at))) return false;
    if (end == path.size()) return true;
    if (path[end] != '.' && path.compare(end, 2, "->") != 0) return false;
    at = end + (path[end] == '.' ? 1 : 2);
  }
}

std::optional<ParameterText> parameterAt(const std::string& text, size_t at, const std::string& name) {
  static const std::set<std::string> behind = {"const", "noexcept", "override", "final"};
  static const std::set<std::string> heads = {"if", "for", "while", "switch", "catch"};
  int depth = 0;
  for (size_t i = std::min(at, text.size()); i-- > 0;) {
    if (text[i] == '}') ++depth;
    if (text[i] != '{' || --depth >= 0) continue;
    depth = 0;
    size_t close = skipBlanksBack(text, i);
    for (std::string word = wordBefore(text, close); behind.contains(word); word = wordBefore(text, close))
      close = skipBlanksBack(text, close - word.size());
    if (close == 0 || text[close - 1] != ')') continue;
    const size_t open = opening(text, close - 1);
    if (open == std::string::npos) continue;
    const size_t nameEnd = skipBlanksBack(text, open);
    const std::string function = wordBefore(text, nameEnd);
    if (heads.contains(function)) continue;
    const bool isLambda = function.empty() && nameEnd > 0 && text[nameEnd - 1] == ']';
    if (function.empty() && !isLambda) continue;
    const std::vector<std::string> params = splitDeclared(text.substr(open + 1, close - open - 2));
    for (size_t n = 0; n < params.size(); ++n)
      if (declaredName(params[n]) == name)
        return ParameterText{function, open, n, params.size(), declaredValue(params[n])};
    if (!isLambda) return std::nullopt;
  }
  return std::nullopt;
}

namespace {

// Whether two words stand side by side, as a type and a name do.
bool declares(const std::string& argument) {
  static const std::set<std::string> operators = {"sizeof", "new"};
  int depth = 0;
  for (size_t i = 0; i < argument.size(); ++i) {
    depth += argument[i] == '(' || argument[i] == '[' || argument[i] == '{';
    depth -= argument[i] == ')' || argument[i] == ']' || argument[i] == '}';
    if (depth != 0 || !isWordChar(argument[i])) continue;
    size_t end = i;
    while (end < argument.size() && isWordChar(argument[end])) ++end;
    const std::string word = argument.substr(i, end - i);
    const size_t next = skipBlanks(argument, end);
    if (next > end && next < argument.size() && isWordChar(argument[next]) && !operators.contains(word))
      return true;
    i = end - 1;
  }
  return false;
}

}  // namespace

std::vector<CallText> callsOf(const std::string& text, const std::string& function) {
  std::vector<CallText> out;
  for (size_t at = text.find(function); at != std::string::npos; at = text.find(function, at + 1)) {
    const size_t wordEnd = at + function.size();
    if ((at > 0 && isWordChar(text[at - 1])) || (wordEnd < text.size() && isWordChar(text[wordEnd])))
      continue;
    if (isInDirective(text, at)) continue;  // names mean something where the macro is used
    const size_t open = skipBlanks(text, skipTemplateArguments(text, skipBlanks(text, wordEnd)));
    const size_t close = open < text.size() && text[open] == '(' ? closing(text, open) : std::string::npos;
    if (close == std::string::npos) continue;
    size_t begin = at;
    while (begin >= 2 && text[begin - 1] == ':' && text[begin - 2] == ':')
      begin -= 2 + wordBefore(text, begin - 2).size();
    const size_t next = skipBlanks(text, close);
    if (next >= text.size() || text[next] == '{' || text[next] == ':') continue;
    if (!isMemberAt(text, at) && isDeclaration(text, begin)) continue;
    CallText call{at, splitArguments(text.substr(open + 1, close - open - 2))};
    if (std::none_of(call.args.begin(), call.args.end(), declares)) out.push_back(std::move(call));
  }
  return out;
}

}  // namespace hone::device
