#include "cli/inputs/ScanText.h"

#include <algorithm>
#include <cctype>
#include <set>

namespace hone::cli {

namespace {

bool isWord(char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; }

struct Literal {
  std::string text;
  unsigned line = 0;
  size_t end = 0;  // in the code text
};

// Splits a file into code, with blanks in place of comments and literals, and string literals, adjacent ones
// joined.
class Splitter {
 public:
  explicit Splitter(std::string_view source) : text(source), code(source) {}

  void run() {
    while (at < text.size()) {
      if (text.compare(at, 2, "//") == 0) {
        size_t end = std::min(text.find('\n', at), text.size());
        while (end < text.size() && text[end - 1] == '\\')
          end = std::min(text.find('\n', end + 1), text.size());
        blank(end);
      } else if (text.compare(at, 2, "/*") == 0) {
        size_t end = text.find("*/", at + 2);
        blank(end == std::string_view::npos ? text.size() : end + 2);
      } else if (text[at] == '"') {
        readString();
      } else if (text[at] == '\'' && (at == 0 || !isWord(text[at - 1]))) {  // not a digit separator
        size_t end = at + 1;
        while (end < text.size() && text[end] != '\'' && text[end] != '\n') end += text[end] == '\\' ? 2 : 1;
        blank(std::min(end + 1, text.size()));
      } else {
        line += text[at++] == '\n';
      }
    }
  }

  std::string_view text;
  std::string code;
  std::vector<Literal> literals;

 private:
  size_t at = 0;
  unsigned line = 1;

  void blank(size_t end) {
    for (; at < end; ++at) {
      if (text[at] == '\n')
        ++line;
      else
        code[at] = ' ';
    }
  }

  void readString() {
    Literal literal;
    literal.line = line;
    size_t begin = at;
    if (at > 0 && text[at - 1] == 'R' &&
        (at < 2 || !isWord(text[at - 2]) || text[at - 2] == '8' || text[at - 2] == 'u')) {
      size_t open = text.find('(', at);
      if (open == std::string_view::npos) return blank(text.size());
      std::string close = ")" + std::string(text.substr(at + 1, open - at - 1)) + "\"";
      size_t end = std::min(text.find(close, open), text.size());
      literal.text = text.substr(open + 1, end - open - 1);
      blank(std::min(end + close.size(), text.size()));
    } else {
      size_t end = at + 1;
      for (; end < text.size() && text[end] != '"'; ++end) {
        if (text[end] == '\\' && end + 1 < text.size()) {
          char next = text[++end];
          if (next == 'n')
            literal.text += '\n';
          else if (next == 't')
            literal.text += ' ';
          else if (next != '\n' && next != '\r')
            literal.text += next;
        } else if (text[end] == '\n') {
          break;  // unterminated: an apostrophe in assembly text or a broken file
        } else {
          literal.text += text[end];
        }
      }
      blank(std::min(end + (end < text.size() && text[end] == '"'), text.size()));
    }
    literal.end = at;
    bool isNext = !literals.empty() && code.find_first_not_of(" \t\r\n\\", literals.back().end) >= begin;
    if (isNext) {
      literals.back().text += literal.text;
      literals.back().end = literal.end;
    } else {
      literals.push_back(std::move(literal));
    }
  }
};

// Reads what follows a `__global__` or `__kernel` in code without comments; the name of the definition, or
// nothing.
std::string definedName(std::string_view code, size_t at) {
  static const std::set<std::string_view> withArguments = {
      "__launch_bounds__", "__attribute__", "__cluster_dims__", "__block_size__", "alignas", "__align__"};
  auto skipBlanks = [&] {
    while (at < code.size() && std::isspace(static_cast<unsigned char>(code[at]))) ++at;
  };
  auto skipPair = [&](char open, char close) {
    int depth = 0;
    for (; at < code.size(); ++at) {
      if (code[at] == open) ++depth;
      if (code[at] == close && --depth == 0) return ++at, true;
      if (code[at] == '{' || code[at] == ';') return false;
    }
    return false;
  };
  std::string name;
  for (int words = 0; words < 24; ++words) {
    skipBlanks();
    if (at >= code.size()) return "";
    if (code[at] == '(') break;
    if (code[at] == '<') {
      if (!skipPair('<', '>')) return "";
      continue;
    }
    if (!isWord(code[at])) {
      if (code[at] != '*' && code[at] != '&' && code[at] != ':') return "";
      ++at;
      continue;
    }
    size_t begin = at;
    while (at < code.size() && isWord(code[at])) ++at;
    std::string_view word = code.substr(begin, at - begin);
    if (withArguments.contains(word)) {
      skipBlanks();
      if (!skipPair('(', ')')) return "";
      continue;
    }
    name = word;
  }
  if (at >= code.size() || code[at] != '(' || name.empty() || name == "void") return "";
  if (!skipPair('(', ')')) return "";
  skipBlanks();
  return at < code.size() && code[at] == '{' ? name : "";
}

std::vector<TextKernel> definitions(std::string_view code, unsigned line) {
  std::vector<TextKernel> found;
  for (size_t at = 0; at < code.size();) {
    if (!isWord(code[at])) {
      line += code[at++] == '\n';
      continue;
    }
    size_t end = at;
    while (end < code.size() && isWord(code[end])) ++end;
    std::string_view word = code.substr(at, end - at);
    bool isOpenCL = word == "__kernel" || word == "kernel";
    if (isOpenCL || word == "__global__") {
      std::string name = definedName(code, end);
      // `kernel` alone is an ordinary word outside OpenCL: it counts only right before `void`.
      size_t next = code.find_first_not_of(" \t\r\n", end);
      bool isSure =
          word != "kernel" || (next != std::string_view::npos && code.compare(next, 5, "void ") == 0);
      if (!name.empty() && isSure) found.push_back({name, line, isOpenCL});
    }
    at = end;
  }
  return found;
}

}  // namespace

TextScan scanText(std::string_view text) {
  Splitter splitter(text);
  splitter.run();
  TextScan scan;
  scan.inCode = definitions(splitter.code, 1);
  for (const Literal& literal : splitter.literals) {
    if (literal.text.find("kernel") == std::string::npos &&
        literal.text.find("__global__") == std::string::npos)
      continue;
    Splitter inner(literal.text);
    inner.run();
    for (TextKernel kernel : definitions(inner.code, 1)) {
      kernel.line = literal.line;
      scan.inStrings.push_back(std::move(kernel));
    }
  }
  return scan;
}

std::string includedName(std::string_view line) {
  auto skip = [&] { line.remove_prefix(std::min(line.find_first_not_of(" \t"), line.size())); };
  skip();
  if (!line.starts_with('#')) return "";
  line.remove_prefix(1);
  skip();
  if (!line.starts_with("include")) return "";
  line.remove_prefix(7);
  skip();
  if (line.empty() || (line[0] != '"' && line[0] != '<')) return "";
  const size_t end = line.find(line[0] == '"' ? '"' : '>', 1);
  return end == std::string_view::npos ? "" : std::string(line.substr(1, end - 1));
}

}  // namespace hone::cli
