#include "cli/acc/AccPreprocess.h"

#include <fmt/core.h>

#include <fstream>
#include <sstream>
#include <string_view>

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

}  // namespace

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
