// hone build: a CUDA program for the embedded device, in nvcc's place in a Makefile.
#include <fmt/core.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>

#include "cli/commands/Command.h"
#include "cli/programs/BuildProgram.h"
#include "hone/Config.h"

namespace hone::cli {

namespace {

const char* const buildHelp =
    "Builds a CUDA program that runs on hone's embedded device, without a GPU or a CUDA toolkit. Takes "
    "nvcc's "
    "place in\n"
    "a Makefile: NVCC='hone build'.\n\n"
    "usage: hone build FILE.cu... [-o PROGRAM] [NVCC FLAGS]\n\n"
    "Files: .cu, .cpp, .cc, .c, .o, .a, .so. nvcc's flags by their short and long names:\n"
    "  -c -dc -dw -rdc -dlink -lib -shared -run   what is made; -ptx -cubin -fatbin: what cuModuleLoad "
    "loads\n"
    "  -o -odir                                   where it goes\n"
    "  -E -M -MM -MD -MMD -MF -MT -MQ -MP         preprocessed text, rules for make\n"
    "  -I -isystem -include -D -U -std -O -g -x -noeh -Xcompiler\n"
    "  -L -l -Xlinker -arbin -Xarchive\n"
    "  -v                                         print the commands that are run\n"
    "Those that only concern the GPU, warnings or tools that are not used (-arch, -gencode, -Xptxas, -ccbin, "
    "…) are\n"
    "skipped, others are skipped with a word; what cannot be had (-cuda, -dryrun, -r, …) is an error.\n"
    "-rdc=true, -dc and -dlink link device code across files; without them each .cu file must hold what its "
    "kernels call.\n"
    "A library made with -shared has no runtime in it; programs that hone build links with it have.\n\n"
    "The program checks every access of every kernel as it runs; see `hone run --help` for the environment "
    "variables\n"
    "that change this.\n\n"
    "Examples:\n"
    "  hone build saxpy.cu -o saxpy && ./saxpy\n"
    "  make NVCC='hone build'\n";

// In nvcc's words, which build systems look for.
void printVersion() {
  fmt::print("hone build {}: nvcc's place taken, for hone's embedded device\n", config::version);
  fmt::print("Cuda compilation tools, release 12.8, V12.8.0 (what hone's headers stand in for)\n");
}

int runBuilt(const std::string& program, const std::vector<std::string>& words) {
  std::fflush(stdout);
  const std::string path = std::filesystem::absolute(program).string();
  const pid_t child = fork();
  if (child == 0) {
    std::vector<char*> argv{const_cast<char*>(path.c_str())};
    for (const std::string& word : words) argv.push_back(const_cast<char*>(word.c_str()));
    argv.push_back(nullptr);
    execv(path.c_str(), argv.data());
    fmt::print(stderr, "hone: cannot start {}\n", path);
    _exit(126);
  }
  int status = 0;
  waitpid(child, &status, 0);
  return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

}  // namespace

int runBuild(const Arguments& arguments) {
  std::vector<std::string> words = arguments.words;
  words.insert(words.end(), arguments.compilerFlags.begin(), arguments.compilerFlags.end());
  for (const std::string& w : words) {
    if (w == "--help" || w == "-h") {
      fmt::print("{}", buildHelp);
      return exitDone;
    }
    if (w == "--version" || w == "-V") {
      printVersion();
      return exitDone;
    }
  }
  std::vector<std::string> notes;
  const BuildRequest request = readBuildWords(words, notes);
  for (const std::string& n : notes) fmt::print(stderr, "hone: {}\n", n);
  const BuildResult built = buildProgram(request);
  for (const std::string& n : built.notes) fmt::print(stderr, "hone: {}\n", n);
  fmt::print("{}", built.printed);
  return request.isRun ? runBuilt(built.output, request.runArguments) : exitDone;
}

}  // namespace hone::cli
