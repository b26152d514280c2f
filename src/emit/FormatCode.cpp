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

}  // namespace

std::string formatCode(const std::string& text, const EmitOptions& options) {
  auto ranges = std::vector<clang::tooling::Range>{{0, static_cast<unsigned>(text.size())}};
  clang::tooling::Replacements edits = clang::format::reformat(style(options), text, ranges, "kernel.cu");
  auto result = clang::tooling::applyAllReplacements(text, edits);
  std::string formatted = result ? *result : text;
  if (!result) llvm::consumeError(result.takeError());
  return indented(formatted, options);
}

}  // namespace hone::emit
