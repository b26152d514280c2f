#include "cli/nvcc/LineMarks.h"

#include <fmt/core.h>

#include <algorithm>
#include <cstdlib>
#include <string_view>
#include <vector>

#include "device/SizeExpr.h"
#include "emit/Emit.h"
#include "emit/Marks.h"

namespace hone::cli {

namespace {

unsigned newlinesIn(std::string_view text) {
  return static_cast<unsigned>(std::count(text.begin(), text.end(), '\n'));
}

std::vector<std::string_view> linesOf(std::string_view text) {
  std::vector<std::string_view> out;
  for (size_t at = 0; at < text.size();) {
    const size_t end = std::min(text.find('\n', at), text.size());
    std::string_view line = text.substr(at, end - at);
    if (line.ends_with('\r')) line.remove_suffix(1);
    out.push_back(line);
    at = end + 1;
  }
  return out;
}

// Reads code line by line and knows where a statement ends.
class CodeLines {
 public:
  // The line without a comment at its end, which `comment` takes.
  std::string take(std::string_view line, std::string& comment) {
    std::string code;
    char quote = 0;
    for (size_t i = 0; i < line.size(); ++i) {
      const char c = line[i], next = i + 1 < line.size() ? line[i + 1] : '\0';
      if (inComment) {
        code += c;
        if (c == '*' && next == '/') inComment = false, code += line[++i];
        continue;
      }
      if (quote != 0) {
        code += c;
        if (c == '\\' && next != '\0')
          code += line[++i];
        else if (c == quote)
          quote = 0;
        continue;
      }
      if (c == '/' && next == '/') {
        comment = line.substr(i);
        break;
      }
      code += c;
      if (c == '/' && next == '*') {
        inComment = true, code += line[++i];
        continue;
      }
      if (c == '"' || (c == '\'' && !isDigitBefore(line, i))) quote = c;
      if (c == '(' || c == '[') ++depth;
      if (c == ')' || c == ']') --depth;
      if (c != ' ' && c != '\t') last = c;
    }
    return code;
  }

  // Between statements; inside of initializers counts, where a directive does no harm either.
  bool isApart() const {
    return !inComment && depth <= 0 && std::string_view(";{}:").find(last) != std::string_view::npos;
  }

 private:
  // 1'000'000 holds no character.
  static bool isDigitBefore(std::string_view line, size_t at) {
    return at > 0 && ((line[at - 1] >= '0' && line[at - 1] <= '9') ||
                      (line[at - 1] >= 'a' && line[at - 1] <= 'f' && at > 1 && line[at - 2] >= '0' &&
                       line[at - 2] <= '9'));
  }

  bool inComment = false;
  int depth = 0;
  char last = ';';
};

// On one line, where no comment or directive stands in the way.
std::string joined(const std::string& text) {
  CodeLines code;
  std::string out, comment;
  for (const std::string_view line : linesOf(text)) {
    if (device::trimmed(line).starts_with('#')) return text;
    const std::string one = code.take(line, comment);
    if (!comment.empty()) return text;
    out += (out.empty() ? "" : " ") + (out.empty() ? one : device::trimmed(one));
  }
  return out;
}

class Liner {
 public:
  Liner(const std::string& written, const std::string& shown, const std::map<std::string, unsigned>& known)
      : text(written), kernelLines(known) {
    for (const char c : shown) name += c == '\\' || c == '"' ? std::string("\\") + c : std::string(1, c);
  }

  std::string run() {
    constexpr std::string_view mark = "\xef\xbb\xbf";
    if (text.starts_with(mark)) out += mark, at = mark.size();
    mention(1);
    const std::vector<emit::MarkedBlock> blocks = emit::findMarks(text).blocks;
    for (size_t i = 0; i < blocks.size(); ++i) {
      const emit::MarkedBlock& block = blocks[i];
      user(std::max(at, block.begin));
      if (block.kernel.empty())
        call(block, i + 1 < blocks.size() ? blocks[i + 1].begin : text.size());
      else if (block.original.empty())
        beside(block);
      else
        inPlace(block);
    }
    user(text.size());
    return std::move(out);
  }

 private:
  void mention(unsigned number) { out += fmt::format("#line {} \"{}\"\n", std::max(1u, number), name); }

  void user(size_t end) {
    const std::string_view piece = std::string_view(text).substr(at, end - at);
    out += piece;
    line += newlinesIn(piece);
    at = end;
  }

  // A call is as many lines as the launch was, as far as that can be.
  void call(const emit::MarkedBlock& block, size_t nextBlock) {
    const std::string one = joined(block.text);
    const unsigned had = newlinesIn(block.original), has = newlinesIn(one);
    out += one + std::string(had > has ? had - has : 0, '\n');
    line += had;
    at = block.end;
    if (has <= had) return;
    if (const size_t end = text.find('\n', at); end < nextBlock) {
      user(end + 1);
      mention(line);
    }
  }

  void beside(const emit::MarkedBlock& block) {
    out += '\n';
    statements(block.text, lineOfKernel(block.kernel));
    at = std::max(at, block.end);
    if (at < text.size() && text[at] != '\n' && text[at] != '\r') return mention(line);
    mention(line + 1);
    out.pop_back();  // the line ends with what follows
  }

  // The original stays as the branch behind #else.
  void inPlace(const emit::MarkedBlock& block) {
    const size_t endif = block.text.rfind("#endif"), original = block.text.rfind(block.original, endif);
    const size_t other = block.text.rfind("\n#else", original);
    out += '\n';
    statements(std::string_view(block.text).substr(0, other), lineOfKernel(block.kernel));
    out += "#else\n";
    mention(line);
    out += block.original + "\n#endif\n";
    line += newlinesIn(block.original);
    mention(line);
    at = std::max(at, block.end);
  }

  unsigned lineOfKernel(const std::string& kernel) const {
    const auto known = kernelLines.find(kernel);
    return known == kernelLines.end() ? line : known->second;
  }

  void statements(std::string_view block, unsigned ofKernel) {
    CodeLines code;
    unsigned number = ofKernel;
    std::string statement;
    bool isPragma = false;  // of the statement that follows: nothing may stand between
    bool goesOn = false;    // a directive, on the next line
    for (const std::string_view physical : linesOf(block)) {
      const std::string shown = device::trimmed(physical);
      if (goesOn) {
        out += std::string(physical) + "\n";
        goesOn = emit::isContinued(physical);
        continue;
      }
      const std::string_view note = emit::lineNote;
      if (shown.starts_with(note)) {
        number = static_cast<unsigned>(std::strtoul(shown.c_str() + note.size(), nullptr, 10));
        continue;
      }
      if (statement.empty() && (shown.empty() || shown.starts_with("//"))) {
        if (!isPragma) out += std::string(physical) + "\n";
        continue;
      }
      if (shown.starts_with('#')) {
        if (!statement.empty()) flush(statement, number, isPragma);
        const bool begins = shown.starts_with("#pragma");
        if (!begins) number = ofKernel;  // what stands around kernels
        if (begins && !isPragma) mention(number - (number > 1 ? 1 : 0));
        isPragma = isPragma || begins;
        out += shown + "\n";
        goesOn = emit::isContinued(shown);
        continue;
      }
      if (shown.starts_with("__global__") || shown.starts_with("static ")) number = ofKernel;
      std::string comment;
      const std::string own = code.take(physical, comment);
      statement += statement.empty() ? own : " " + device::trimmed(own);
      if (code.isApart()) {
        if (!comment.empty()) statement += comment;
        flush(statement, number, isPragma);
      }
    }
    if (!statement.empty()) flush(statement, number, isPragma);
  }

  void flush(std::string& statement, unsigned number, bool& isPragma) {
    if (!isPragma) mention(number);
    out += statement + "\n";
    statement.clear();
    isPragma = false;
  }

  const std::string& text;
  const std::map<std::string, unsigned>& kernelLines;
  std::string name, out;
  size_t at = 0;
  unsigned line = 1;  // of the user's file, at `at`
};

}  // namespace

std::string withLineMarks(const std::string& text, const std::string& name,
                          const std::map<std::string, unsigned>& kernelLines) {
  return Liner(text, name, kernelLines).run();
}

}  // namespace hone::cli
