// The only file that knows libFormat.
#include "clang/Format/Format.h"
#include "emit/Emit.h"

namespace hone::emit {

namespace {

constexpr unsigned kColumns = 110;

clang::format::FormatStyle style(const EmitOptions& options) {
  using clang::format::FormatStyle;
  FormatStyle s = clang::format::getGoogleStyle(FormatStyle::LK_Cpp);
  s.ColumnLimit = std::max(60u, kColumns - std::min(40u, options.baseIndent * options.indent));
  s.IndentWidth = std::max(1u, options.indent);
  s.ContinuationIndentWidth = 2 * s.IndentWidth;
  s.TabWidth = s.IndentWidth;
  s.UseTab = FormatStyle::UT_Never;  // tabs are put in afterwards, for indentation only
  s.DerivePointerAlignment = false;
  s.PointerAlignment = FormatStyle::PAS_Left;
  s.SortIncludes.Enabled = false;
  s.AllowShortFunctionsOnASingleLine = FormatStyle::SFS_Empty;
  s.AllowShortLoopsOnASingleLine = false;
  s.AllowShortIfStatementsOnASingleLine = FormatStyle::SIS_Never;
  s.AllowShortBlocksOnASingleLine = FormatStyle::SBS_Never;
  s.MaxEmptyLinesToKeep = 1;
  s.IncludeStyle.IncludeBlocks = clang::tooling::IncludeStyle::IBS_Preserve;
  s.AttributeMacros = {"__global__", "__device__", "__shared__", "__constant__"};
  return s;
}

std::string indented(const std::string& text, const EmitOptions& options) {
  std::string out;
  bool first = true;
  for (size_t i = 0; i < text.size();) {
    size_t end = text.find('\n', i);
    bool last = end == std::string::npos;
    std::string line = text.substr(i, last ? end : end - i);
    size_t blanks = line.find_first_not_of(' ');
    if (blanks == std::string::npos) {
      line.clear();
    } else {
      size_t columns = blanks;
      // Preprocessor lines stay at the left edge; the first line stands where the caller puts it.
      if (line[blanks] != '#' && !first) columns += static_cast<size_t>(options.baseIndent) * options.indent;
      std::string lead;
      if (options.useTabs && options.indent > 0) {
        lead.assign(columns / options.indent, '\t');
        columns %= options.indent;
      }
      line.replace(0, blanks, lead + std::string(columns, ' '));
    }
    out += line;
    if (last) break;
    out += options.newline;
    i = end + 1;
    first = false;
  }
  return out;
}

// libFormat takes a comment before a `#pragma unroll` for one about the directive and puts it at the left
// edge too; it is about the loop.
std::string withCommentsAtLoops(const std::string& text) {
  std::vector<std::string> lines;
  for (size_t i = 0; i <= text.size();) {
    const size_t end = std::min(text.find('\n', i), text.size());
    lines.push_back(text.substr(i, end - i));
    i = end + 1;
  }
  auto starts = [&](size_t i, const char* with) { return i < lines.size() && lines[i].starts_with(with); };
  for (size_t i = 0; i < lines.size(); ++i) {
    if (!starts(i, "//")) continue;
    size_t next = i;
    while (starts(next, "//")) ++next;
    if (!starts(next, "#pragma")) continue;
    while (starts(next, "#")) ++next;
    const size_t blanks = next < lines.size() ? lines[next].find_first_not_of(' ') : std::string::npos;
    if (blanks != std::string::npos) lines[i].insert(0, blanks, ' ');
  }
  std::string out;
  for (size_t i = 0; i < lines.size(); ++i) out += (i ? "\n" : "") + lines[i];
  return out;
}

}  // namespace

std::string formatCode(const std::string& text, const EmitOptions& options) {
  auto ranges = std::vector<clang::tooling::Range>{{0, static_cast<unsigned>(text.size())}};
  clang::tooling::Replacements edits = clang::format::reformat(style(options), text, ranges, "kernel.cu");
  auto result = clang::tooling::applyAllReplacements(text, edits);
  std::string formatted = result ? *result : text;
  if (!result) llvm::consumeError(result.takeError());
  return indented(withCommentsAtLoops(formatted), options);
}

}  // namespace hone::emit
