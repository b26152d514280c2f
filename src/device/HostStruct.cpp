#include "device/HostStruct.h"

#include <algorithm>
#include <set>

#include "device/HostFunctions.h"
#include "device/HostScan.h"
#include "device/SizeExpr.h"

namespace hone::device {

const StructText::Field* StructText::find(const std::string& name) const {
  const auto found =
      std::find_if(fields.begin(), fields.end(), [&](const Field& field) { return field.name == name; });
  return found == fields.end() ? nullptr : &*found;
}

namespace {

// Where the body of a struct begins: `struct P {`, `typedef struct { … } P;`; npos: nowhere.
size_t bodyOf(const std::string& text, const std::string& name) {
  for (const size_t at : placesOf(text, name)) {
    const std::string before = wordBefore(text, skipBlanksBack(text, at));
    const size_t next = skipBlanks(text, at + name.size());
    if ((before == "struct" || before == "class") && next < text.size() && text[next] == '{') return next;
    const size_t end = skipBlanksBack(text, at);
    if (end == 0 || text[end - 1] != '}' || next >= text.size() || text[next] != ';') continue;
    const size_t open = opening(text, end - 1);
    if (open != std::string::npos && !placesOf(leadOf(text, open), "typedef").empty()) return open;
  }
  return std::string::npos;
}

void addFields(const std::string& statement, StructText& out) {
  static const std::set<std::string> others = {"static", "using", "typedef", "friend", "enum", "template"};
  const size_t end = std::min(statement.find_first_of(" \t\n<"), statement.size());
  if (others.contains(statement.substr(0, end))) return;
  for (const std::string& declarator : splitDeclared(statement)) {
    const std::string name = declaredName(declarator);
    if (name.empty()) out.isPlain = false;
    const std::string head = declarator.substr(0, declarator.find_first_of("={"));
    if (head.find(':') != std::string::npos && head.find("::") == std::string::npos) out.isPlain = false;
    out.fields.push_back({name, declaredValue(declarator), head.find('[') != std::string::npos});
  }
}

void addConstructor(const std::string& head, const std::string& body, StructText& out) {
  ConstructorText one;
  const size_t open = head.find('('), close = open == std::string::npos ? open : closing(head, open);
  if (close == std::string::npos) return;
  for (const std::string& param : splitDeclared(head.substr(open + 1, close - open - 2)))
    one.params.push_back(declaredName(param));
  if (const size_t colon = head.find(':', close); colon != std::string::npos)
    for (const std::string& part : splitArguments(head.substr(colon + 1))) {
      const size_t begin = part.find_first_of("({");
      const size_t end = begin == std::string::npos ? begin : closing(part, begin);
      if (end == part.size())
        one.fields[trimmed(part.substr(0, begin))] = trimmed(part.substr(begin + 1, end - begin - 2));
    }
  // What its body does beyond setting fields leaves nothing known of any.
  for (size_t begin = 0; begin < body.size();) {
    const size_t end = std::min(body.find(';', begin), body.size());
    std::string statement = trimmed(body.substr(begin, end - begin));
    begin = end + 1;
    if (statement.empty()) continue;
    if (statement.starts_with("this->")) statement.erase(0, 6);
    const size_t equals = statement.find('=');
    const std::string name = trimmed(statement.substr(0, equals));
    if (equals == std::string::npos || !isName(name) || statement.compare(equals, 2, "==") == 0) {
      one.fields.clear();
      break;
    }
    one.fields[name] = trimmed(statement.substr(equals + 1));
  }
  out.constructors.push_back(std::move(one));
}

}  // namespace

std::optional<StructText> structIn(const std::string& text, const std::string& name) {
  const size_t open = bodyOf(text, name);
  const size_t close = open == std::string::npos ? open : closing(text, open);
  if (close == std::string::npos) return std::nullopt;
  StructText out;
  size_t begin = open + 1;
  for (size_t i = begin; i + 1 < close; ++i) {
    if (text[i] == '#') out.isPlain = false;  // which fields there are is for the preprocessor to say
    if (text[i] == ':' && text[i + 1] != ':' && text[i - 1] != ':') {
      static const std::set<std::string> access = {"public", "private", "protected"};
      if (access.contains(trimmed(text.substr(begin, i - begin)))) begin = i + 1;
      continue;
    }
    if (text[i] == '(') {
      const size_t end = closing(text, i);
      if (end == std::string::npos) return std::nullopt;
      i = end - 1;
      continue;
    }
    if (text[i] == ';') {
      const std::string statement = trimmed(text.substr(begin, i - begin));
      if (statement.find('(') == std::string::npos || statement.find('=') < statement.find('('))
        addFields(statement, out);
      else if (statement.starts_with(name + "(") || statement.starts_with(name + " ("))
        addConstructor(statement, "", out);  // defined elsewhere: nothing is known of what it sets
      begin = i + 1;
    }
    if (text[i] != '{') continue;
    const size_t end = closing(text, i);
    if (end == std::string::npos) return std::nullopt;
    const std::string head = trimmed(text.substr(begin, i - begin));
    if (head.find('(') != std::string::npos && head.find('=') > head.find('(')) {
      const size_t place = placesOf(head, name).empty() ? std::string::npos : placesOf(head, name).front();
      const bool isConstructor =
          place != std::string::npos && skipBlanks(head, place + name.size()) == head.find('(');
      if (isConstructor) addConstructor(head, text.substr(i + 1, end - i - 2), out);
      begin = end;
    } else if (head.find_first_of("= ") == std::string::npos || head.starts_with("struct") ||
               head.starts_with("union") || head.starts_with("enum") || head.starts_with("class")) {
      out.isPlain = false;
    }
    i = end - 1;
  }
  return out;
}

std::string typeAt(const std::string& text, size_t at) {
  static const std::set<std::string> others = {"return", "else",  "case",   "goto",  "new",
                                               "delete", "throw", "sizeof", "const", "define"};
  size_t end = skipBlanksBack(text, at);
  if (end == 0) return "";
  while (end > 0 && (text[end - 1] == '&' || text[end - 1] == '*')) end = skipBlanksBack(text, end - 1);
  if (wordBefore(text, end) == "const") end = skipBlanksBack(text, end - 5);
  if (end > 0 && text[end - 1] == '>') {
    int depth = 0;
    size_t open = end;
    while (open > 0) {
      --open;
      depth += text[open] == '>';
      if (text[open] == '<' && --depth == 0) break;
      if (text[open] == ';' || text[open] == '{') return "";
    }
    end = skipBlanksBack(text, open);
  }
  const std::string word = wordBefore(text, end);
  return !isName(word) || others.contains(word) ? "" : word;
}

}  // namespace hone::device
