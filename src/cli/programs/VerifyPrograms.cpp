#include "cli/programs/VerifyPrograms.h"

#include <fcntl.h>
#include <fmt/core.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>

#include "cli/inputs/Arguments.h"
#include "cli/inputs/Inputs.h"
#include "cli/programs/BuildProgram.h"
#include "ir/CountOf.h"
#include "ir/Error.h"
#include "target/Target.h"

namespace hone::cli {

namespace fs = std::filesystem;

namespace {

struct Outcome {
  int status = 0;
  std::string printed;
  std::map<std::string, std::string> files;  // written, by name relative to where it ran
  std::set<std::string> findings;            // kind, kernel and array
};

std::string contents(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  std::stringstream text;
  text << in.rdbuf();
  return text.str();
}

BuildRequest requestOf(const std::string& path, const std::vector<std::string>& flags) {
  BuildRequest request;
  request.flags = withAbsolutePaths(flags);
  std::error_code error;
  if (fs::is_directory(path, error)) {
    for (const auto& entry : fs::directory_iterator(path))
      for (const char* extension : {".cu", ".cpp", ".cc", ".c"})
        if (entry.path().extension() == extension)
          request.sources.push_back(fs::absolute(entry.path(), error).string());
    std::sort(request.sources.begin(), request.sources.end());
    if (request.sources.empty()) throw Error(fmt::format("{}: no source files in this folder", path));
  } else {
    checkInput(path);
    request.sources.push_back(fs::absolute(path, error).string());
  }
  return request;
}

// Runs a program in a folder of its own, so that what it writes can be told.
Outcome runAlone(const std::string& program, const std::vector<std::string>& arguments,
                 const fs::path& folder) {
  fs::create_directories(folder / "work");
  const std::string out = (folder / "stdout").string(), json = (folder / "findings.json").string();
  const pid_t child = fork();
  if (child == 0) {
    const int file = open(out.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
    dup2(file, 1);
    setenv("HONE_RUN_JSON", json.c_str(), 1);
    setenv("HONE_RUN_QUIET", "1", 1);
    setenv("HONE_RUN_FAIL_ON", "", 1);
    setenv("HONE_TARGETS_DIR", target::targetsFolder().c_str(), 1);
    if (chdir((folder / "work").c_str()) != 0) _exit(126);
    std::vector<char*> argv{const_cast<char*>(program.c_str())};
    for (const std::string& a : arguments) argv.push_back(const_cast<char*>(a.c_str()));
    argv.push_back(nullptr);
    execv(program.c_str(), argv.data());
    _exit(126);
  }
  int status = 0;
  waitpid(child, &status, 0);
  Outcome outcome;
  outcome.status = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  outcome.printed = contents(out);
  for (const auto& entry : fs::recursive_directory_iterator(folder / "work"))
    if (entry.is_regular_file())
      outcome.files[fs::relative(entry.path(), folder / "work").string()] = contents(entry.path());
  const nlohmann::json report = nlohmann::json::parse(contents(json), nullptr, false);
  if (report.is_object())
    for (const auto& f : report["findings"])
      outcome.findings.insert(f["kind"].get<std::string>() + " in " + f["kernel"].get<std::string>());
  return outcome;
}

// The first line in which two texts differ, "" when they are the same.
std::string firstDifference(const std::string& a, const std::string& b) {
  if (a == b) return "";
  std::istringstream left(a), right(b);
  std::string x, y;
  for (unsigned line = 1;; ++line) {
    const bool more = bool(std::getline(left, x)), moreToo = bool(std::getline(right, y));
    if (!more && !moreToo) return "the bytes at the end";
    if (more != moreToo) return fmt::format("line {}: one ends here", line);
    if (x != y) return fmt::format("line {}: '{}' and '{}'", line, x.substr(0, 80), y.substr(0, 80));
  }
}

}  // namespace

int verifyPrograms(const ProgramPair& pair) {
  const std::string first = cachedProgram(requestOf(pair.first, pair.flags)),
                    second = cachedProgram(requestOf(pair.second, pair.flags));
  std::string scratch = (fs::temp_directory_path() / "hone-verify-XXXXXX").string();
  if (!mkdtemp(scratch.data())) throw Error("cannot make a folder in " + fs::temp_directory_path().string());
  const Outcome a = runAlone(first, pair.arguments, fs::path(scratch) / "a"),
                b = runAlone(second, pair.arguments, fs::path(scratch) / "b");
  std::error_code ignored;
  fs::remove_all(scratch, ignored);
  bool equal = true;
  const auto differs = [&](const std::string& what) {
    equal = false;
    fmt::print("{}\n", what);
  };
  if (a.status != b.status) differs(fmt::format("exit status {} and {}", a.status, b.status));
  if (const std::string d = firstDifference(a.printed, b.printed); !d.empty())
    differs("printed text differs in " + d);
  for (const auto& [name, bytes] : a.files) {
    auto it = b.files.find(name);
    if (it == b.files.end())
      differs(fmt::format("only {} writes {}", pair.first, name));
    else if (it->second != bytes)
      differs(fmt::format("{} differs in {}", name, firstDifference(bytes, it->second)));
  }
  for (const auto& [name, bytes] : b.files)
    if (!a.files.count(name)) differs(fmt::format("only {} writes {}", pair.second, name));
  for (const std::string& f : b.findings)
    if (!a.findings.count(f))
      differs(fmt::format("{} has a finding that {} has not: {}", pair.second, pair.first, f));
  for (const std::string& f : a.findings)
    if (b.findings.count(f)) fmt::print("both have a finding: {}\n", f);
  fmt::print("{} and {}: {} ({} printed, {} written)\n", pair.first, pair.second,
             equal ? "equal" : "NOT EQUAL", ir::countOf(a.printed.size(), "byte"),
             ir::countOf(a.files.size(), "file"));
  return equal ? exitDone : exitCode;
}

}  // namespace hone::cli
