// Source before and after, side by side: line numbers, comments and keywords set apart, lines that only one
// side has marked.
#include <fmt/core.h>

#include <algorithm>
#include <set>

#include "report/HtmlPage.h"
#include "report/TuneHtml.h"

namespace hone::report {

namespace {

constexpr size_t linesAtOnce = 70;             // longer sources scroll in their pane
constexpr size_t mostComparisons = 4'000'000;  // of lines; larger sources are not marked

std::vector<std::string> linesOf(const std::string& text) {
  std::vector<std::string> out;
  for (size_t at = 0; at < text.size();) {
    const size_t end = std::min(text.find('\n', at), text.size());
    out.push_back(text.substr(at, end - at));
    at = end + 1;
  }
  return out;
}

std::string trimmed(const std::string& text) {
  const size_t first = text.find_first_not_of(" \t\r"), last = text.find_last_not_of(" \t\r");
  return first == std::string::npos ? "" : text.substr(first, last - first + 1);
}

// Which lines of each side belong to a longest common subsequence; blank ones always do.
struct Common {
  std::vector<bool> a, b;
};
Common commonLines(const std::vector<std::string>& left, const std::vector<std::string>& right) {
  Common out{std::vector<bool>(left.size(), true), std::vector<bool>(right.size(), true)};
  if (left.size() * right.size() > mostComparisons) return out;
  std::vector<std::string> a, b;
  for (const std::string& line : left) a.push_back(trimmed(line));
  for (const std::string& line : right) b.push_back(trimmed(line));
  std::vector<std::vector<uint32_t>> best(a.size() + 1, std::vector<uint32_t>(b.size() + 1));
  for (size_t i = a.size(); i-- > 0;)
    for (size_t k = b.size(); k-- > 0;)
      best[i][k] = a[i] == b[k] ? best[i + 1][k + 1] + 1 : std::max(best[i + 1][k], best[i][k + 1]);
  size_t i = 0, k = 0;
  while (i < a.size() || k < b.size()) {
    if (i < a.size() && k < b.size() && a[i] == b[k]) {
      ++i, ++k;
    } else if (k == b.size() || (i < a.size() && best[i + 1][k] >= best[i][k + 1])) {
      out.a[i] = a[i].empty();
      ++i;
    } else {
      out.b[k] = b[k].empty();
      ++k;
    }
  }
  return out;
}

// Parameters that stand far to the right, below an opening parenthesis, would be wrapped away from their own
// beginning.
std::string movedLeft(const std::string& line) {
  constexpr size_t far = 24, near = 8;
  const size_t first = line.find_first_not_of(' ');
  return first == std::string::npos || first <= far ? line : std::string(near, ' ') + line.substr(first);
}

bool isWordBegin(char c) { return std::isalpha(static_cast<unsigned char>(c)) || c == '_'; }
bool isWord(char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; }

bool isKeyword(const std::string& word) {
  static const std::set<std::string> all = {
      "for",          "if",       "else",         "while",         "do",         "return",
      "break",        "continue", "switch",       "case",          "default",    "const",
      "static",       "inline",   "void",         "int",           "float",      "double",
      "char",         "short",    "long",         "unsigned",      "signed",     "bool",
      "struct",       "template", "typename",     "namespace",     "constexpr",  "using",
      "size_t",       "extern",   "__global__",   "__device__",    "__shared__", "__host__",
      "__constant__", "__kernel", "kernel",       "__global",      "__local",    "__private",
      "__constant",   "restrict", "__restrict__", "__syncthreads", "barrier",    "__launch_bounds__"};
  return all.contains(word);
}

// One line as HTML; `inComment` goes from line to line.
std::string highlighted(const std::string& line, bool& inComment) {
  std::string out;
  auto put = [&](const char* kind, const std::string& text) {
    out += fmt::format("<i class=\"{}\" style=\"font-style:normal\">{}</i>", kind, escaped(text));
  };
  for (size_t at = 0; at < line.size();) {
    if (inComment || line.compare(at, 2, "/*") == 0) {
      const size_t end = line.find("*/", inComment ? at : at + 2);
      const size_t stop = end == std::string::npos ? line.size() : end + 2;
      inComment = end == std::string::npos;
      put("c", line.substr(at, stop - at));
      at = stop;
    } else if (line.compare(at, 2, "//") == 0) {
      put("c", line.substr(at));
      at = line.size();
    } else if (line[at] == '"') {
      size_t end = at + 1;
      while (end < line.size() && line[end] != '"') end += line[end] == '\\' ? 2 : 1;
      end = std::min(end + 1, line.size());
      put("s", line.substr(at, end - at));
      at = end;
    } else if (isWordBegin(line[at])) {
      size_t end = at;
      while (end < line.size() && isWord(line[end])) ++end;
      const std::string word = line.substr(at, end - at);
      if (isKeyword(word))
        put("k", word);
      else
        out += escaped(word);
      at = end;
    } else {
      size_t end = at + 1;
      // A number's letters are no words.
      if (std::isdigit(static_cast<unsigned char>(line[at])))
        while (end < line.size() && (isWord(line[end]) || line[end] == '.')) ++end;
      out += escaped(line.substr(at, end - at));
      at = end;
    }
  }
  return out;
}

std::string pane(const std::string& title, const std::vector<std::string>& lines, unsigned first,
                 const std::vector<bool>& common, const char* otherwise) {
  std::string out = fmt::format("<div class=\"pane\"><h3>{}</h3><pre{}>", escaped(title),
                                lines.size() > linesAtOnce ? " class=\"long\" tabindex=\"0\"" : "");
  bool inComment = false;
  for (size_t i = 0; i < lines.size(); ++i)
    out += fmt::format("<span data-n=\"{}\"{}>{}</span>", first + i,
                       common[i] ? "" : fmt::format(" class=\"{}\"", otherwise),
                       highlighted(movedLeft(lines[i]), inComment));
  return out + "</pre></div>\n";
}

}  // namespace

std::string sourceSection(const TunedKernel& kernel) {
  if (kernel.before.empty()) return "";
  const std::vector<std::string> before = linesOf(kernel.before), after = linesOf(kernel.after);
  if (after.empty())
    return "<h2>Source</h2><div class=\"panes\" style=\"grid-template-columns:minmax(0,1fr)\">" +
           pane(kernel.about.place + ", as it is", before, kernel.firstLine,
                std::vector<bool>(before.size(), true), "") +
           "</div>";
  Common common = commonLines(before, after);
  // Where next to nothing is left of the original, marks tell nothing.
  const auto kept = static_cast<size_t>(std::count(common.b.begin(), common.b.end(), true));
  if (kept * 8 < after.size()) {
    common.a.assign(before.size(), true);
    common.b.assign(after.size(), true);
  }
  return "<h2>Source</h2><div class=\"panes\">" +
         pane("Before: " + kernel.about.place, before, kernel.firstLine, common.a, "gone") +
         pane("After", after, 1, common.b, "new") + "</div>";
}

}  // namespace hone::report
