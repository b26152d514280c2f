#include "cli/nvcc/FindNvcc.h"

#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <set>
#include <sstream>

#include "frontend/ToolchainPaths.h"

namespace hone::cli {

namespace fs = std::filesystem;

namespace {

bool isProgram(const fs::path& file) {
  std::error_code ignored;
  return fs::is_regular_file(file, ignored) && ::access(file.c_str(), X_OK) == 0;
}

bool isHone(const fs::path& file) {
  std::error_code ignored;
  return fs::equivalent(file, "/proc/self/exe", ignored);
}

std::string inPath(const std::string& name) {
  const char* path = std::getenv("PATH");
  std::istringstream folders(path ? path : "");
  for (std::string folder; std::getline(folders, folder, ':');)
    if (const fs::path file = fs::path(folder.empty() ? "." : folder) / name;
        isProgram(file) && !isHone(file))
      return file.string();
  return "";
}

std::string programFor(const std::string& word) {
  if (word.find('/') == std::string::npos) return inPath(word);
  return isProgram(word) && !isHone(word) ? word : "";
}

// Files that nvcc takes are no program, whatever their mode says.
bool isInput(const std::string& word) {
  static const std::set<std::string> endings{".cu", ".c",   ".cc",     ".cpp",   ".cxx", ".o",
                                             ".a",  ".so",  ".obj",    ".lib",   ".ptx", ".cubin",
                                             ".ii", ".gpu", ".fatbin", ".ltoir", ".h"};
  return endings.contains(fs::path(word).extension().string());
}

}  // namespace

std::string findNvcc(std::vector<std::string>& words) {
  if (!words.empty() && !words[0].empty() && words[0][0] != '-' && words[0][0] != '@' && !isInput(words[0]))
    if (std::string found = programFor(words[0]); !found.empty()) {
      words.erase(words.begin());
      return found;
    }
  // Who names one wants that one or none.
  if (const char* given = std::getenv("HONE_NVCC"); given && *given) return programFor(given);
  if (std::string found = inPath("nvcc"); !found.empty()) return found;
  const std::string usual = "/usr/local/cuda/bin/nvcc";
  return isProgram(usual) ? usual : "";
}

std::string toolkitOf(const std::string& nvcc) {
  std::error_code error;
  const fs::path root = fs::canonical(nvcc, error).parent_path().parent_path();
  return !error && frontend::isCudaIncludeDirectory((root / "include").string()) ? root.string() : "";
}

}  // namespace hone::cli
