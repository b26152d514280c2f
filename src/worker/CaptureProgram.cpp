#include "worker/CaptureProgram.h"

#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <climits>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <set>
#include <stdexcept>

namespace hone::worker {

namespace fs = std::filesystem;

namespace {

constexpr const char *kLibrary = "libhone_capture.so", *kLayer = "libhone_capture_cl.so";
constexpr int kNoProgram = 127;

struct Seen {
  bool isCapture = false;
  size_t launches = 0, begun = 0, ended = 0;  // processes
  std::set<std::string> kernels;
};

Seen lookAt(const std::string& file) {
  Seen seen;
  std::ifstream in(file);
  for (std::string line; std::getline(in, line);) {
    if (line.starts_with("{\"hone_capture\"")) seen.isCapture = true, ++seen.begun;
    seen.ended += line.ends_with(",\"end\":true}");
    const size_t kernel = line.find("\"kernel\":\"");
    if (kernel == std::string::npos || line.find("\"launch\":") == std::string::npos) continue;
    ++seen.launches;
    seen.kernels.insert(line.substr(kernel + 10, line.find('"', kernel + 10) - kernel - 10));
  }
  return seen;
}

std::string whyNothing(const std::string& library, const std::string& layer) {
  const std::string missing = library.empty() && layer.empty()
                                  ? std::string(kLibrary) + " (CUDA) and " + kLayer + " (OpenCL) are"
                              : library.empty() ? std::string(kLibrary) + " (CUDA) is"
                              : layer.empty()   ? std::string(kLayer) + " (OpenCL) is"
                                                : "";
  return missing.empty()
             ? "the program launched nothing by CUDA, nor by OpenCL through a loader that takes layers"
             : "if the program launches kernels: " + missing +
                   " not beside this program (docs/capture.md; programs of `hone build` need none)";
}

std::string counted(size_t count, const char* what) {
  return std::to_string(count) + " " + what + (count == 1 ? "" : "s");
}

}  // namespace

uint64_t dataLimit(const std::string& text) {
  constexpr uint64_t fewest = 64 << 10, most = 1 << 30;
  size_t used = 0;
  uint64_t bytes = 0;
  try {
    bytes = text.empty() || text[0] == '-' ? 0 : std::stoull(text, &used);
  } catch (const std::exception&) {
    used = 0;
  }
  const std::string unit = text.substr(used);
  const int shift = unit == "K" ? 10 : unit == "M" ? 20 : unit == "G" ? 30 : 0;
  if (used == 0 || (shift == 0 && !unit.empty()) || bytes > most >> shift || bytes << shift < fewest)
    throw std::runtime_error(
        "--data-limit takes a number of bytes from 64K to 1G (K, M and G may follow it)");
  return bytes << shift;
}

namespace {

// Beside this program, or where it was installed.
std::string findLibrary(const char* name) {
  char path[PATH_MAX] = {};
  if (readlink("/proc/self/exe", path, sizeof path - 1) <= 0) return "";
  const fs::path here = fs::path(path).parent_path();
  for (const fs::path& place : {here / name, here / "../lib/hone" / name, here / "../lib" / name}) {
    std::error_code problem;
    if (fs::exists(place, problem)) return fs::weakly_canonical(place).string();
  }
  return "";
}

}  // namespace

std::string injectionLibrary() {
  const char* given = std::getenv("HONE_CAPTURE_LIBRARY");
  return given ? given : findLibrary(kLibrary);
}

void clearCapture(const std::string& file) {
  std::error_code problem;
  if (!fs::exists(file, problem)) return;
  std::ifstream in(file);
  std::string line;
  std::getline(in, line);
  const bool isEmpty = fs::is_regular_file(file, problem) && fs::file_size(file, problem) == 0;
  if (!isEmpty && !line.starts_with("{\"hone_capture\""))
    throw std::runtime_error("'" + file +
                             "' is there and is no capture: it stays; give another name with -o");
  if (!fs::remove(file, problem))
    throw std::runtime_error("'" + file + "' cannot be written: " + problem.message());
}

int captureProgram(const CaptureRequest& request) {
  const std::string file = fs::absolute(request.file).string();
  clearCapture(file);
  const std::string library = injectionLibrary(), layer = findLibrary(kLayer);
  std::cout.flush();
  const pid_t child = fork();
  if (child < 0) throw std::runtime_error(std::string("cannot start a process: ") + std::strerror(errno));
  if (child == 0) {
    setenv("HONE_CAPTURE", file.c_str(), 1);
    if (request.dataBytes) setenv("HONE_CAPTURE_DATA", std::to_string(request.dataBytes).c_str(), 1);
    if (!library.empty()) setenv("CUDA_INJECTION64_PATH", library.c_str(), 1);
    if (!layer.empty()) {
      const char* others = std::getenv("OPENCL_LAYERS");
      setenv("OPENCL_LAYERS", (others && *others ? layer + ":" + others : layer).c_str(), 1);
    }
    std::vector<char*> words;
    words.reserve(request.command.size() + 1);
    for (const std::string& word : request.command) words.push_back(const_cast<char*>(word.c_str()));
    words.push_back(nullptr);
    execvp(words[0], words.data());
    _exit(kNoProgram);
  }
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {}
  const Seen seen = lookAt(file);
  if (!seen.isCapture && WIFEXITED(status) && WEXITSTATUS(status) == kNoProgram)
    throw std::runtime_error("'" + request.command[0] + "' cannot be started");
  if (WIFSIGNALED(status))
    std::cerr << "the program was ended by signal " << WTERMSIG(status) << " (" << strsignal(WTERMSIG(status))
              << ")\n";
  if (!seen.isCapture)
    std::cerr << "nothing was recorded: " << whyNothing(library, layer) << "\n";
  else
    std::cerr << seen.launches << (seen.launches == 1 ? " launch" : " different launches") << " of "
              << counted(seen.kernels.size(), "kernel") << ": " << request.file
              << (seen.ended < seen.begun ? ", which may lack the last counts and times" : "") << "\n";
  return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

}  // namespace hone::worker
