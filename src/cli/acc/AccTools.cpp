#include "cli/acc/AccTools.h"

#include <fmt/core.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>

#include "cli/programs/RunTool.h"
#include "frontend/ToolchainPaths.h"
#include "ir/Error.h"

namespace hone::cli {

namespace fs = std::filesystem;

int runVisibly(const std::vector<std::string>& words, bool isVerbose) {
  if (isVerbose) {
    std::string line;
    for (const std::string& word : words) line += (line.empty() ? "" : " ") + word;
    fmt::print(stderr, "{}\n", line);
  }
  std::fflush(nullptr);
  const pid_t child = fork();
  if (child == 0) {
    std::vector<char*> argv;
    for (const std::string& word : words) argv.push_back(const_cast<char*>(word.c_str()));
    argv.push_back(nullptr);
    execvp(argv[0], argv.data());
    _exit(127);
  }
  int status = 0;
  waitpid(child, &status, 0);
  if (WIFSIGNALED(status)) return 128 + WTERMSIG(status);
  if (WEXITSTATUS(status) == 127)
    throw Error(fmt::format(
        "{} is not installed, and compiling needs it (`make setup` installs it; HONE_CLANG names another)",
        words[0]));
  return WEXITSTATUS(status);
}

namespace {

// Errors of newer compilers that older C relies on: warnings, as with GCC up to 13. What the user says of
// them comes later and counts.
void addOlderC(std::vector<std::string>& words) {
  for (const char* name : {"implicit-function-declaration", "implicit-int", "int-conversion",
                           "incompatible-function-pointer-types", "return-mismatch"})
    words.push_back(fmt::format("-Wno-error={}", name));
}

}  // namespace

std::vector<std::string> accCompiler(const AccRequest& request, const std::string& language) {
  std::vector<std::string> out{hostCompiler()};
  if (!language.empty()) out.insert(out.end(), {"-x", language});
  // What GCC takes silently, and pragmas that are done already.
  out.insert(out.end(),
             {"-Qunused-arguments", "-Wno-unknown-warning-option", "-Wno-ignored-optimization-argument",
              "-Wno-source-uses-openacc", "-Wno-unknown-pragmas", accMacro, "-isystem",
              frontend::honeIncludeDirectory() + "/acc"});
  addOlderC(out);
  out.insert(out.end(), request.compileFlags.begin(), request.compileFlags.end());
  out.insert(out.end(), request.commonFlags.begin(), request.commonFlags.end());
  // omp.h, which the host may lack.
  out.insert(out.end(), {"-idirafter", frontend::honeIncludeDirectory() + "/cuda_removed"});
  return out;
}

std::vector<std::string> accParseFlags(const AccRequest& request) {
  std::vector<std::string> out;
  addOlderC(out);
  for (const std::string& flag : request.compileFlags)
    if (flag != "-E" && flag != "-M" && flag != "-MM") out.push_back(flag);
  out.insert(out.end(), request.commonFlags.begin(), request.commonFlags.end());
  return out;
}

void deliverFile(const fs::path& made, const fs::path& place) {
  std::error_code error;
  const fs::file_status there = fs::status(place, error);
  if (fs::exists(there) && !fs::is_regular_file(there)) {  // /dev/null, a pipe
    std::ofstream(place, std::ios::binary) << std::ifstream(made, std::ios::binary).rdbuf();
    return;
  }
  fs::path beside = place;
  beside += fmt::format(".{}.tmp", getpid());
  fs::copy_file(made, beside, fs::copy_options::overwrite_existing, error);
  if (!error) fs::rename(beside, place, error);
  if (!error) return;
  std::error_code ignored;
  fs::remove(beside, ignored);
  throw Error(fmt::format("cannot write {}: {}", place.string(), error.message()), 1);
}

}  // namespace hone::cli
