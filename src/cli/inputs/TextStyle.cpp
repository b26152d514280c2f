#include "cli/inputs/TextStyle.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <set>

namespace hone::cli {

namespace {

struct Indentation {
  unsigned tabs = 0, blanks = 0;
};

Indentation indentationAt(const std::string& text, size_t lineBegin) {
  Indentation result;
  for (size_t i = lineBegin; i < text.size(); ++i) {
    if (text[i] == '\t')
      ++result.tabs;
    else if (text[i] == ' ')
      ++result.blanks;
    else
      break;
  }
  return result;
}

}  // namespace

TextStyle detectStyle(const std::string& text) {
  TextStyle style;
  std::array<unsigned, 9>
      steps{};  // how often a line behind an opening brace is indented this much deeper than it
  unsigned tabbed = 0, blanked = 0, plain = 0, returns = 0, last = 0;
  bool opens = false;  // the line before ends in a brace
  for (size_t at = 0; at < text.size();) {
    size_t end = std::min(text.find('\n', at), text.size());
    bool hasReturn = end > at && text[end - 1] == '\r';
    if (end < text.size()) ++(hasReturn ? returns : plain);
    Indentation indent = indentationAt(text, at);
    size_t first = at + indent.tabs + indent.blanks, stop = hasReturn ? end - 1 : end;
    // The stars of a comment stand one column in and say nothing.
    if (first < stop && text[first] != '*' && text[first] != '#') {
      if (indent.tabs > 0)
        ++tabbed;
      else if (indent.blanks > 1)
        ++blanked;
      if (opens && indent.tabs == 0 && indent.blanks > last && indent.blanks - last < steps.size())
        ++steps[indent.blanks - last];
      last = indent.tabs == 0 ? indent.blanks : 0;
      opens = text.find_last_not_of(" \t", stop - 1) != std::string::npos &&
              text[text.find_last_not_of(" \t", stop - 1)] == '{';
    }
    at = end + 1;
  }
  if (returns > plain) style.newline = "\r\n";
  style.useTabs = tabbed > blanked;
  unsigned most = 0;
  for (unsigned width : {2u, 3u, 4u, 8u}) {  // what people use; others are accidents
    if (steps[width] <= most) continue;
    most = steps[width];
    style.indent = width;
  }
  if (style.useTabs) style.indent = 4;
  return style;
}

emit::EmitOptions emitOptionsAt(const std::string& text, size_t at, const TextStyle& style,
                                ir::Language language) {
  emit::EmitOptions options;
  options.language = language;
  options.indent = style.indent;
  options.useTabs = style.useTabs;
  options.newline = style.newline;
  size_t begin = at == 0 ? 0 : text.rfind('\n', at - 1) + 1;  // npos + 1 is 0
  Indentation indent = indentationAt(text, begin);
  options.baseIndent = indent.tabs + indent.blanks / style.indent;
  return options;
}

unsigned lineOf(const std::string& text, size_t at) {
  at = std::min(at, text.size());
  return 1 + static_cast<unsigned>(std::count(text.begin(), text.begin() + static_cast<long>(at), '\n'));
}

bool isHeaderName(const std::string& file) {
  static const std::set<std::string> extensions = {".h",   ".hh",  ".hpp", ".hxx", ".cuh",
                                                   ".inl", ".inc", ".clh", ".tpp"};
  return extensions.contains(std::filesystem::path(file).extension().string());
}

size_t placeAfter(const std::string& text, size_t end) {
  size_t at = end;
  while (at < text.size() && (text[at] == ' ' || text[at] == '\t')) ++at;
  if (text.compare(at, 2, "//") == 0) {
    at = std::min(text.find('\n', at), text.size());
    size_t last = at > end && text[at - 1] == '\r' ? at - 1 : at;
    return text[last - 1] == '\\' ? end : last;
  }
  return end;
}

std::string indentationOf(const std::string& text, size_t at) {
  size_t begin = at == 0 ? 0 : text.rfind('\n', at - 1) + 1;
  return text.substr(begin, std::min(text.find_first_not_of(" \t", begin), text.size()) - begin);
}

std::string lineEndAt(const std::string& text, size_t at, const TextStyle& style) {
  const size_t next = text.find_first_not_of(" \t", at);
  return next == std::string::npos || text[next] == '\n' || text[next] == '\r' ? "" : style.newline;
}

}  // namespace hone::cli
