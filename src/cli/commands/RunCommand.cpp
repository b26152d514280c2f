// hone run: builds a CUDA program for the embedded device and runs it with all checks.
#include <fmt/core.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <cstring>
#include <filesystem>

#include "cli/commands/Command.h"
#include "cli/programs/BuildProgram.h"
#include "frontend/ToolchainPaths.h"
#include "ir/Error.h"
#include "target/Target.h"
#include "worker/CaptureProgram.h"

namespace hone::cli {

namespace {

const char* const help =
    "Builds a CUDA program for hone's embedded device and runs it, without a GPU or a CUDA toolkit. Every "
    "access of every kernel\n"
    "is checked; what is found goes to stderr when the program ends.\n\n"
    "usage: hone run FILE.cu... [OPTIONS] [COMPILER FLAGS] [-- PROGRAM ARGUMENTS]\n\n"
    "options:\n"
    "  --target NAME          the GPU that the program sees (h200); `hone targets` lists them\n"
    "  --fast                 no checks for races and uninitialised memory\n"
    "  --leaks                report memory that was never freed\n"
    "  --fail-on LIST         kinds of findings that make the exit status 1, separated by commas: "
    "race,out-of-bounds,…; any\n"
    "                         (the default) or none\n"
    "  --json FILE            write findings and launches as JSON, see docs/json.md\n"
    "  --profile FILE         count what all launches do to the memory system of the target and write it as "
    "JSON; slower\n"
    "  --capture FILE         record all launches for other commands' --capture, see docs/capture.md\n"
    "  --data                 with --capture: record what arrays hold, too; --data-limit SIZE (64M) says how "
    "much\n"
    "  --schedule random:SEED warps and blocks in another order\n"
    "  --max-steps N          instructions a warp may execute before it counts as endless\n"
    "  --max-seconds N        time that one launch may take (600; 0: any)\n"
    "  --quiet                print no findings\n"
    "  -I, -D, -std, …        as for nvcc; see hone build --help\n\n"
    "Exit status: that of the program, or 1 when something was found that --fail-on names, 2 when the "
    "command is wrong.\n"
    "A program that needs a library (thrust, cub, cuBLAS, cuRAND, …) is told so by name; OpenCL programs run "
    "on PoCL.\n\n"
    "Examples:\n"
    "  hone run saxpy.cu\n"
    "  hone run main.cu kernels.cu -I include --fail-on race -- --size 1000\n";

}  // namespace

int runRun(const Arguments& arguments) {
  std::vector<std::string> words;
  std::string limit;
  bool isCaptured = false, hasData = false;
  const auto set = [](const char* name, const std::string& value) { setenv(name, value.c_str(), 1); };
  for (size_t i = 0; i < arguments.words.size(); ++i) {
    const std::string& w = arguments.words[i];
    const auto value = [&](const char* option) -> std::string {
      const std::string prefix = std::string(option) + "=";
      if (w.starts_with(prefix)) return w.substr(prefix.size());
      if (i + 1 >= arguments.words.size())
        throw Error(fmt::format("{} needs a value; see hone run --help", option));
      return arguments.words[++i];
    };
    const auto is = [&](const char* option) {
      return w == option || w.starts_with(std::string(option) + "=");
    };
    if (w == "--help" || w == "-h") {
      fmt::print("{}", help);
      return exitDone;
    }
    if (is("--target")) {
      const std::string name = value("--target");
      target::findTarget(target::loadTargets(target::targetsFolder()), name);  // a wrong name ends here
      set("HONE_RUN_TARGET", name);
    } else if (w == "--fast") {
      set("HONE_RUN_FAST", "1");
    } else if (w == "--leaks") {
      set("HONE_RUN_LEAKS", "1");
    } else if (w == "--quiet") {
      set("HONE_RUN_QUIET", "1");
    } else if (is("--fail-on")) {
      const std::string list = value("--fail-on");
      set("HONE_RUN_FAIL_ON", list == "none" ? "" : list);
    } else if (is("--json")) {
      set("HONE_RUN_JSON", value("--json"));
    } else if (is("--profile")) {
      set("HONE_RUN_PROFILE", value("--profile"));
    } else if (is("--capture")) {
      const std::string file = std::filesystem::absolute(value("--capture")).string();
      worker::clearCapture(file);
      set("HONE_CAPTURE", file);
      isCaptured = true;
    } else if (w == "--data") {
      hasData = true;
    } else if (is("--data-limit")) {
      limit = value("--data-limit");
    } else if (is("--max-steps")) {
      set("HONE_RUN_MAX_STEPS", value("--max-steps"));
    } else if (is("--max-seconds")) {
      const std::string seconds = value("--max-seconds");
      if (seconds.empty() || seconds.find_first_not_of("0123456789.") != std::string::npos)
        throw Error(fmt::format("--max-seconds {}: expected a number of seconds", seconds));
      set("HONE_RUN_MAX_SECONDS", seconds);
    } else if (is("--schedule")) {
      const std::string how = value("--schedule");
      if (!how.starts_with("random:") || how.size() == 7 ||
          how.find_first_not_of("0123456789", 7) != std::string::npos)
        throw Error(fmt::format("--schedule {}: expected random:SEED with a number", how));
      set("HONE_RUN_RANDOM", how.substr(7));
    } else if (w.starts_with("--") && !w.starts_with("--std") && !w.starts_with("--compiler-options") &&
               !w.starts_with("--include-path") && !w.starts_with("--gpu-") && !w.starts_with("--generate") &&
               !w.starts_with("--expt") && !w.starts_with("--extended") && !w.starts_with("--use_fast")) {
      throw Error(fmt::format("unknown option '{}'; see hone run --help", w));
    } else {
      words.push_back(w);
    }
  }
  if (hasData || !limit.empty()) {
    if (!isCaptured) throw Error("--data says what a capture records: give --capture FILE, too");
    try {
      set("HONE_CAPTURE_DATA",
          std::to_string(limit.empty() ? worker::usualDataLimit : worker::dataLimit(limit)));
    } catch (const std::runtime_error& problem) {
      throw Error(problem.what(), 2);
    }
  }
  std::vector<std::string> notes;
  const BuildRequest request = readBuildWords(words, notes);
  for (const std::string& n : notes) fmt::print(stderr, "hone: {}\n", n);
  if (request.phase != BuildPhase::Link || request.isSharedLibrary || request.isRun ||
      !request.output.empty())
    throw Error("-c, -dlink, -lib, -shared, -fatbin, -E, -M, -run and -o belong to hone build");
  if (request.dependencies.isWrittenBeside)
    throw Error("-MD and -MMD belong to hone build: hone run builds again by itself when a file has changed");
  const std::string program = cachedProgram(request);
  set("HONE_TARGETS_DIR", target::targetsFolder());
  std::error_code error;
  set("HONE_EXECUTABLE", std::filesystem::read_symlink("/proc/self/exe", error).string());  // for NVRTC
  std::fflush(stdout);
  const pid_t child = fork();
  if (child == 0) {
    std::vector<char*> argv{const_cast<char*>(program.c_str())};
    for (const std::string& a : arguments.compilerFlags) argv.push_back(const_cast<char*>(a.c_str()));
    argv.push_back(nullptr);
    execv(program.c_str(), argv.data());
    fmt::print(stderr, "hone: cannot start {}\n", program);
    _exit(126);
  }
  int status = 0;
  waitpid(child, &status, 0);
  if (WIFSIGNALED(status)) {
    fmt::print(stderr, "hone: the program was ended by signal {} ({})\n", WTERMSIG(status),
               strsignal(WTERMSIG(status)));
    return 128 + WTERMSIG(status);
  }
  return WEXITSTATUS(status);
}

}  // namespace hone::cli
