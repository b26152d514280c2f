#include "cli/acc/AccPreprocess.h"

#include <fmt/core.h>

#include <algorithm>
#include <cctype>
#include <cstring>
#include <fstream>
#include <optional>
#include <sstream>
#include <string_view>
#include <utility>
#include <vector>

#include "cli/acc/AccTools.h"
#include "cli/inputs/Inputs.h"
#include "cli/programs/RunTool.h"
#include "ir/Error.h"

namespace hone::cli {

namespace fs = std::filesystem;

namespace {

// What stands before the words of a pragma that is to be expanded as if it were code.
constexpr std::string_view pragmaMark = "hone_pragma_to_expand ";
constexpr std::string_view pragmaOfAcc = "#pragma acc ";

bool isMacroLine(std::string_view line) {
  return line.starts_with("#define ") || line.starts_with("#undef ");
}

std::string runOn(std::vector<std::string> words, const std::string& from, const fs::path& to,
                  const AccRequest& request, const fs::path& scratch) {
  words.insert(words.end(), {from, "-o", to.string()});
  const Ran ran = runTool(words, scratch, request.isVerbose);
  if (ran.status) throw Error(ran.output, 1);
  return readFile(to.string());
}

// The words of a pragma's line; nothing of other lines.
std::optional<std::string> pragmaWords(std::string_view line) {
  std::istringstream words{std::string(line)};
  std::string word, rest;
  words >> word;
  if (word == "#") {
    words >> rest;
    word += rest;
  }
  if (word != "#pragma") return std::nullopt;
  rest.clear();
  while (words >> word) rest += word + " ";
  return rest;
}

bool isLoopHint(std::string_view words) {
  for (const char* hint : {"unroll", "nounroll", "unroll_and_jam", "nounroll_and_jam", "clang loop"})
    if (words.starts_with(hint) && !std::isalnum(static_cast<unsigned char>(words[std::strlen(hint)])) &&
        words[std::strlen(hint)] != '_')
      return true;
  return false;
}

// What may stand between two pragmas of one loop: nothing, a comment, a line marker.
bool isBetweenPragmas(std::string_view line) {
  const size_t first = line.find_first_not_of(" \t\r");
  if (first == std::string_view::npos) return true;
  const std::string_view rest = line.substr(first);
  return rest.starts_with("//") || (rest.starts_with("/*") && rest.find("*/") + 2 >= rest.size()) ||
         (rest.starts_with("# ") && rest.size() > 2 && std::isdigit(static_cast<unsigned char>(rest[2])));
}

}  // namespace

std::string withoutLoopHints(std::string text) {
  std::vector<std::pair<size_t, size_t>> hints;  // of the pragmas at hand
  bool hasAcc = false;
  const auto blank = [&] {
    for (const auto& [begin, end] : hints)
      for (size_t k = begin; k < end; ++k)
        if (hasAcc && text[k] != '\n' && text[k] != '\r') text[k] = ' ';
    hints.clear();
    hasAcc = false;
  };
  for (size_t begin = 0; begin < text.size();) {
    size_t end = std::min(text.find('\n', begin), text.size());
    while (end < text.size() && end > begin &&
           (text[end - 1] == '\\' || (end > begin + 1 && text.substr(end - 2, 2) == "\\\r")))
      end = std::min(text.find('\n', end + 1), text.size());
    const std::string_view line = std::string_view(text).substr(begin, end - begin);
    if (const auto words = pragmaWords(line)) {
      if (isLoopHint(*words)) hints.emplace_back(begin, end);
      hasAcc |= words->starts_with("acc ");
    } else if (!isBetweenPragmas(line)) {
      blank();
    }
    begin = end + 1;
  }
  blank();
  return text;
}

std::string preprocessedForAcc(const AccInput& input, const AccRequest& request, const fs::path& scratch) {
  std::vector<std::string> words = accCompiler(request, input.language);
  if (!request.directory.empty()) words.insert(words.end(), {"-working-directory", request.directory});
  // With the macros that are in force at each pragma.
  words.insert(words.end(), {"-E", "-dD"});
  const std::string text = runOn(std::move(words), input.path, scratch / "macros.i", request, scratch);
  std::istringstream lines(text);
  std::string toExpand;
  bool hasPragmas = false, isBuiltIn = false;
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with("# ")) isBuiltIn = line.find("\"<built-in>\"") != std::string::npos;
    if (isMacroLine(line) && !isBuiltIn) toExpand += line + "\n";
    if (!line.starts_with(pragmaOfAcc)) continue;
    hasPragmas = true;
    toExpand += fmt::format("{}{}\n", pragmaMark, line.substr(pragmaOfAcc.size()));
  }
  std::istringstream expanded;
  if (hasPragmas) {
    const fs::path file = scratch / "pragmas.c";
    std::ofstream(file, std::ios::binary) << toExpand;
    expanded.str(runOn({hostCompiler(), "-x", input.language, "-w", "-E", "-P"}, file.string(),
                       scratch / "pragmas.i", request, scratch));
  }
  std::string out;
  lines.clear();
  lines.str(text);
  for (std::string line; std::getline(lines, line); out += '\n') {
    if (isMacroLine(line)) continue;
    if (line.starts_with(pragmaOfAcc)) {
      std::string one;
      while (std::getline(expanded, one) && !one.starts_with(pragmaMark)) {}
      if (one.starts_with(pragmaMark)) line = std::string(pragmaOfAcc) + one.substr(pragmaMark.size());
    }
    out += line;
  }
  return out;
}

std::vector<std::string> withoutIncludedFiles(const std::vector<std::string>& flags) {
  std::vector<std::string> out;
  for (size_t k = 0; k < flags.size(); ++k)
    if (flags[k] == "-include" || flags[k] == "-imacros")
      ++k;
    else
      out.push_back(flags[k]);
  return out;
}

}  // namespace hone::cli
