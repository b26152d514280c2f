#include "frontend/ToolchainPaths.h"

#include "hone/Config.h"

#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <initializer_list>

namespace fs = std::filesystem;

namespace hone::frontend {
namespace {

std::string environment(const char* name) {
  const char* value = std::getenv(name);
  return value ? value : "";
}

bool isThere(const fs::path& path) {
  std::error_code ignored;
  return fs::exists(path, ignored);
}

/// The number after "#define CUDA_VERSION" in cuda.h, 0 when there is none.
int readCudaVersion(const fs::path& header) {
  std::ifstream in(header);
  for (std::string line; std::getline(in, line);) {
    constexpr std::string_view define = "#define CUDA_VERSION ";
    if (line.compare(0, define.size(), define) == 0)
      return static_cast<int>(std::strtol(line.c_str() + define.size(), nullptr, 10));
  }
  return 0;
}

std::optional<CudaToolkit> toolkitAt(const std::string& root) {
  if (root.empty()) return std::nullopt;
  fs::path include = fs::path(root) / "include";
  if (!isThere(include / "cuda_runtime.h") || !isThere(include / "cuda.h")) return std::nullopt;
  int version = readCudaVersion(include / "cuda.h");
  if (version < 7000) return std::nullopt;
  return CudaToolkit{root, version};
}

}  // namespace

std::string resourceDirectory() {
  std::string given = environment("HONE_RESOURCE_DIR");
  return given.empty() ? config::resourceDir : given;
}

std::string honeIncludeDirectory() {
  static const std::string found = [] {
    if (std::string given = environment("HONE_INCLUDE_DIR"); !given.empty()) return given;
    std::error_code error;
    fs::path program = fs::read_symlink("/proc/self/exe", error);
    if (!error) {
      fs::path installed = program.parent_path().parent_path() / config::installedIncludeDir;
      if (isThere(installed / "hone_cuda.h")) return installed.string();
    }
    return std::string(config::sourceIncludeDir);
  }();
  return found;
}

std::string checkInstallation() {
  std::string resources = resourceDirectory();
  if (!isThere(fs::path(resources) / "include" / "stddef.h"))
    return "Clang's resource directory " + resources + " is missing; set HONE_RESOURCE_DIR to what `clang-" +
           std::string(config::clangVersion).substr(0, 2) + " -print-resource-dir` prints";
  if (!isThere(fs::path(honeIncludeDirectory()) / "hone_cuda.h"))
    return "hone's own headers are missing from " + honeIncludeDirectory() + "; set HONE_INCLUDE_DIR";
  return "";
}

std::optional<CudaToolkit> findCudaToolkit(const std::string& preferred) {
  if (!preferred.empty()) return toolkitAt(preferred);
  for (const std::string& root :
       {environment("CUDA_PATH"), environment("CUDA_HOME"), std::string("/usr/local/cuda")})
    if (auto found = toolkitAt(root)) return found;
  return std::nullopt;
}

bool isCudaIncludeDirectory(const std::string& directory) {
  return isThere(fs::path(directory) / "cuda_runtime.h") && isThere(fs::path(directory) / "driver_types.h");
}

std::string privateFolder(const std::string& folder) {
  std::error_code error;
  fs::create_directories(fs::path(folder).parent_path(), error);
  if (::mkdir(folder.c_str(), 0700) != 0 && errno != EEXIST) return "";
  struct stat info{};
  if (::stat(folder.c_str(), &info) != 0 || !S_ISDIR(info.st_mode) || info.st_uid != ::geteuid()) return "";
  // Others could have put something there.
  if ((info.st_mode & 0022) != 0) return "";
  if ((info.st_mode & 0077) != 0 && ::chmod(folder.c_str(), 0700) != 0) return "";
  return folder;
}

std::string cacheDirectory() {
  if (const std::string given = environment("HONE_CACHE"); !given.empty())
    return privateFolder(fs::absolute(given).string());
  if (std::string base = environment("XDG_CACHE_HOME"); !base.empty()) return privateFolder(base + "/hone");
  if (std::string home = environment("HOME"); !home.empty()) return privateFolder(home + "/.cache/hone");
  return "";
}

}  // namespace hone::frontend
