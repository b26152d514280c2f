#include "cli/programs/RunTool.h"

#include <fcntl.h>
#include <fmt/core.h>
#include <sys/wait.h>
#include <unistd.h>

#include <fstream>
#include <sstream>

#include "hone/Config.h"
#include "ir/Error.h"

namespace hone::cli {

namespace fs = std::filesystem;

std::string hostCompiler() {
  const char* given = std::getenv("HONE_CLANG");
  return given && *given ? given : config::hostCompiler;
}

Scratch::Scratch() {
  std::string name = (fs::temp_directory_path() / "hone-build-XXXXXX").string();
  if (!mkdtemp(name.data())) throw Error("cannot make a folder in " + fs::temp_directory_path().string());
  folder = name;
}

Scratch::~Scratch() {
  std::error_code ignored;
  fs::remove_all(folder, ignored);
}

Ran runTool(const std::vector<std::string>& words, const fs::path& scratch, bool verbose) {
  if (verbose) {
    std::string line;
    for (const std::string& w : words) line += (line.empty() ? "" : " ") + w;
    fmt::print(stderr, "{}\n", line);
  }
  const std::string log =
      (scratch / fmt::format("log{}", std::hash<std::string>{}(words.back()) + size_t(getpid()))).string();
  const pid_t child = fork();
  if (child == 0) {
    const int out = open(log.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
    dup2(out, 1);
    dup2(out, 2);
    std::vector<char*> argv;
    for (const std::string& w : words) argv.push_back(const_cast<char*>(w.c_str()));
    argv.push_back(nullptr);
    execvp(argv[0], argv.data());
    _exit(127);
  }
  Ran ran;
  int status = 0;
  waitpid(child, &status, 0);
  ran.status = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  std::ifstream in(log);
  std::stringstream text;
  text << in.rdbuf();
  ran.output = text.str();
  if (ran.status == 127 && ran.output.empty())
    throw Error(
        fmt::format("{} is not installed, and building CUDA programs needs it (`make setup` installs it; "
                    "HONE_CLANG names another)",
                    words[0]));
  return ran;
}

}  // namespace hone::cli
