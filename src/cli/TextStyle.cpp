#include "cli/TextStyle.h"

#include <algorithm>
#include <array>

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
  std::array<unsigned, 9> steps{};  // how often a line is indented this much deeper than the one before
  unsigned tabbed = 0, blanked = 0, plain = 0, returns = 0, last = 0;
  for (size_t at = 0; at < text.size();) {
    size_t end = std::min(text.find('\n', at), text.size());
    if (end < text.size()) ++(end > at && text[end - 1] == '\r' ? returns : plain);
    Indentation indent = indentationAt(text, at);
    size_t first = at + indent.tabs + indent.blanks;
    bool isEmpty = first >= end || text[first] == '\r';
    // The stars of a comment stand one column in and say nothing.
    if (!isEmpty && text[first] != '*' && text[first] != '#') {
      if (indent.tabs > 0)
        ++tabbed;
      else if (indent.blanks > 1)
        ++blanked;
      if (indent.tabs == 0 && indent.blanks > last && indent.blanks - last < steps.size())
        ++steps[indent.blanks - last];
      last = indent.tabs == 0 ? indent.blanks : 0;
    }
    at = end + 1;
  }
  if (returns > plain) style.newline = "\r\n";
  style.useTabs = tabbed > blanked;
  auto most = std::max_element(steps.begin() + 2, steps.end());
  if (*most > 0) style.indent = static_cast<unsigned>(most - steps.begin());
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

}  // namespace hone::cli
