// hone acc: a compiler for C and C++ with OpenACC, in the manner of gcc -fopenacc.
#include <fmt/core.h>

#include <cstdlib>

#include "cli/acc/AccBuild.h"
#include "cli/commands/Command.h"
#include "cli/commands/NvccRewrite.h"
#include "frontend/CompilerFlags.h"
#include "hone/Config.h"

namespace hone::cli {

namespace {

const char* const accHelp =
    "Compiles C and C++ with OpenACC 3.3 for hone's embedded device, as gcc -fopenacc would for a GPU: "
    "make CC='hone acc'\n"
    "CXX='hone acc'. Regions become kernels, which run with every check that `hone run` has; what stands "
    "outside of the\n"
    "constructs is compiled as it is. docs/acc.md says what is supported and how loops are mapped.\n\n"
    "usage: hone acc FILE... [-o OUTPUT] [COMPILER'S FLAGS]\n"
    "       hone acc --explain FILE... [--json] [COMPILER'S FLAGS]\n\n"
    "Files: .c, .C, .cc, .cpp, .cxx; .o, .a, .so and what else the linker takes. Flags:\n"
    "  -c -S -E -M -MM -fsyntax-only -o               what is made, and where\n"
    "  -I -D -U -include -std -O -g -W... -f... -m...  for Clang, the compiler of the host; so are all "
    "others\n"
    "  -L -l -Wl, -Xlinker -shared                    for the linker\n"
    "  -MD -MMD -MP -MF -MT -MQ                       rules for make\n"
    "  -fopenacc -acc -ta= -gpu= -Minfo -foffload=    accepted; there is one device and nothing to choose\n"
    "  -fopenmp                                       accepted; its pragmas are not followed\n"
    "  -O0                                            kernels as they are made, without recipes\n"
    "  -v                                             print the commands that are run\n"
    "  --explain [--json]   for every construct: how its loops are mapped and why, what data moves when, "
    "and\n"
    "                       what keeps a loop from being parallel; nothing is compiled\n\n"
    "A region that cannot become a kernel runs on the host, with a note that says why; what OpenACC forbids "
    "is an error.\n"
    "ACC_DEVICE_TYPE=host runs all regions on the host. Fortran is not read.\n\n"
    "Examples:\n"
    "  hone acc saxpy.c -o saxpy && ./saxpy\n"
    "  hone acc --explain saxpy.c\n"
    "  make CC='hone acc'\n";

// What a search for the recipes of a source may take by the clock where nobody says.
constexpr double usualSeconds = 30;

// As `hone opt` would, and only what it has verified.
RewrittenDevice rewriteDevice(const std::string& file, const std::vector<std::string>& flags) {
  const auto setting = [](const char* name) {
    const char* given = std::getenv(name);
    return std::string(given ? given : "");
  };
  CopyRequest request;
  request.path = file;
  request.flags = flags;
  request.options = frontend::splitCommandLine(setting("HONE_OPTIONS"));
  if (const std::string target = setting("HONE_TARGET"); !target.empty())
    request.options.push_back("--target=" + target);
  request.options.emplace_back("--no-project");
  request.cudaPath = "none";
  const std::string limit = setting("HONE_TIME_LIMIT");
  const double given = std::strtod(limit.c_str(), nullptr);
  const RewrittenSource made = rewriteForNvcc(request, {given > 0 ? given : usualSeconds, true, true, 1});
  RewrittenDevice out;
  out.news = made.problem.empty() ? made.copy.news : made.problem;
  if (made.problem.empty() && !made.copy.files.empty()) out.text = made.copy.files.front().text;
  return out;
}

}  // namespace

int runAcc(const Arguments& arguments) {
  std::vector<std::string> words = arguments.words;
  if (!words.empty() && (words[0] == "--help" || words[0] == "-h")) {
    fmt::print("{}", accHelp);
    return exitDone;
  }
  for (const std::string& word : words)
    if (word == "--version")
      fmt::print("hone acc {}: C and C++ with OpenACC 3.3; the compiler of the host is\n", config::version);
  AccRequest request = readAccWords(words);
  request.rewrite = rewriteDevice;
  return buildAcc(request);
}

}  // namespace hone::cli
