#include "capture/OpenclEntries.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <spawn.h>
#include <sys/utsname.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <sstream>

extern char** environ;

namespace hone::capture {

namespace fs = std::filesystem;

namespace {

bool readWhole(const fs::path& path, std::string& text) {
  std::ifstream in(path, std::ios::binary);
  if (!in) return false;
  std::stringstream all;
  all << in.rdbuf();
  text = all.str();
  return true;
}

uint64_t fingerprint(const std::string& text) {
  uint64_t hash = 0xcbf29ce484222325;
  for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3;
  return hash;
}

// Status of a command whose output nobody sees.
int runQuietly(std::vector<std::string> words) {
  std::vector<char*> arguments;
  for (std::string& word : words) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  for (const int file : {STDOUT_FILENO, STDERR_FILENO})
    posix_spawn_file_actions_addopen(&actions, file, "/dev/null", O_WRONLY, 0);
  // What is loaded into this program is not meant for compilers.
  std::vector<char*> environment;
  for (char** one = environ; one && *one; ++one)
    if (std::strncmp(*one, "LD_PRELOAD=", 11) != 0) environment.push_back(*one);
  environment.push_back(nullptr);
  pid_t child = 0;
  const int failed =
      posix_spawnp(&child, arguments[0], &actions, nullptr, arguments.data(), environment.data());
  posix_spawn_file_actions_destroy(&actions);
  if (failed) return 127;
  int status = 0;
  while (waitpid(child, &status, 0) < 0)
    if (errno != EINTR) return 127;
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128;
}

// Compiles to `library`, by a name of this process first, so that nobody sees half of it.
bool compile(const fs::path& source, const fs::path& library) {
  const char* given = std::getenv("CC");
  const std::string compiler = given && *given ? given : "cc";
  const std::string made = library.string() + "." + std::to_string(getpid());
  std::vector<std::string> words{compiler, "-shared", "-fPIC", "-O1",          "-std=c99",
                                 "-w",     "-o",      made,    source.string()};
  for (const char* variable : {"CUDA_HOME", "CUDA_PATH"})
    if (const char* home = std::getenv(variable); home && *home)
      words.push_back("-I" + std::string(home) + "/include");
  words.push_back("-I/usr/local/cuda/include");
  std::vector<std::string> linked = words;
  linked.push_back("-l:libOpenCL.so.1");
  std::error_code error;
  if (runQuietly(linked) != 0 && runQuietly(words) != 0) {
    fs::remove(made, error);
    return false;
  }
  fs::rename(made, library, error);
  return !error;
}

}  // namespace

void tellReplacement(const std::string& line, bool isProblem) {
  const std::string text = "hone: " + line + "\n";
  const char* log = std::getenv("HONE_LOG");
  if (!log && isProblem) (void)!write(STDERR_FILENO, text.data(), text.size());
  if (!log || !*log || std::strcmp(log, "-") == 0) return;
  const int file = open(log, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
  if (file < 0) return;
  (void)!write(file, text.data(), text.size());
  close(file);
}

const HoneReplacement* ReplaceEntry::functions() {
  if (isTried) return table;
  isTried = true;
  const fs::path source = fs::path(folder) / "replace.c";
  std::string text, header;
  if (!readWhole(source, text) || !readWhole(fs::path(folder) / "program.hone.h", header)) {
    tellReplacement(folder + ": replace.c or program.hone.h is missing; the program's own kernels run", true);
    return nullptr;
  }
  utsname machine{};
  uname(&machine);
  char name[128];
  std::snprintf(name, sizeof name, "replace-%016llx-%s.so",
                static_cast<unsigned long long>(fingerprint(text + header)), machine.machine);
  std::error_code error;
  // Beside the sources, or where that cannot be written in a folder of this process.
  fs::path library = fs::path(folder) / name;
  void* handle = fs::exists(library, error) ? dlopen(library.c_str(), RTLD_NOW | RTLD_LOCAL) : nullptr;
  if (!handle && !compile(source, library)) {
    library = fs::temp_directory_path(error) / (std::to_string(getpid()) + "-" + name);
    if (!compile(source, library)) {
      tellReplacement(folder +
                          ": replace.c cannot be compiled (CC, else cc, with CL/cl.h); the program's own "
                          "kernels run",
                      true);
      return nullptr;
    }
  }
  if (!handle) handle = dlopen(library.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (library.parent_path() != fs::path(folder)) fs::remove(library, error);
  table = handle ? static_cast<const HoneReplacement*>(dlsym(handle, "hone_replacements_1")) : nullptr;
  if (!table) {
    const char* why = dlerror();
    tellReplacement(folder + ": what was compiled cannot be loaded: " + (why ? why : "another version"),
                    true);
  }
  return table;
}

const HoneReplacement* ReplaceEntry::of(const std::string& kernel) {
  for (const HoneReplacement* one = functions(); one && one->kernel; ++one)
    if (kernel == one->kernel) return one;
  return nullptr;
}

std::vector<ReplaceEntry> readEntries(const std::string& folder) {
  std::vector<ReplaceEntry> out;
  std::error_code error;
  for (const fs::directory_entry& place : fs::directory_iterator(folder, error)) {
    ReplaceEntry entry;
    std::string options;
    entry.folder = place.path().string();
    if (!readWhole(place.path() / "original.cl", entry.original) ||
        !readWhole(place.path() / "program.cl", entry.rewritten) ||
        !readWhole(place.path() / "options", options))
      continue;
    entry.options = macroOptions(options);
    out.push_back(std::move(entry));
  }
  if (error) tellReplacement(folder + ": " + error.message() + "; the program's own kernels run", true);
  return out;
}

std::vector<std::string> macroOptions(const std::string& options) {
  std::vector<std::string> out;
  std::istringstream words(options);
  bool isOpen = false;  // "-D" alone: its name is the next word
  for (std::string word; words >> word;) {
    if (isOpen)
      out.back() += word, isOpen = false;
    else if (word.starts_with("-D") || word.starts_with("-U"))
      out.push_back(word), isOpen = word.size() == 2;
  }
  std::sort(out.begin(), out.end());
  return out;
}

}  // namespace hone::capture
