#include "cli/programs/HostHeaders.h"

#include <fmt/core.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>

#include "frontend/ToolchainPaths.h"
#include "hone/Config.h"

namespace hone::cli {

namespace fs = std::filesystem;

std::vector<std::string> HostCompiler::including() const {
  std::vector<std::string> out{words.front()};
  for (const std::string& header : headers) out.insert(out.end(), {"-include", header});
  out.insert(out.end(), words.begin() + 1, words.end());
  return out;
}

std::vector<std::string> HostCompiler::afterReading(const std::string& precompiled) const {
  std::vector<std::string> out = words;
  out.insert(out.end(), {"-Xclang", "-include-pch", "-Xclang", precompiled});
  return out;
}

std::string precompiledHeaders(const HostCompiler& compiler,
                               const std::function<bool(const std::vector<std::string>&)>& run) {
  const std::string folder = frontend::cacheDirectory();
  // What the flags include would be read twice.
  const bool includes = std::any_of(compiler.words.begin(), compiler.words.end(),
                                    [](const std::string& word) { return word.starts_with("-include"); });
  if (folder.empty() || compiler.headers.empty() || includes) return "";
  std::string key = std::string("host 1\n") + config::version;
  for (const std::string& word : compiler.including()) key += '\n' + word;
  const std::string base = fmt::format("{}/host-{:016x}", folder, std::hash<std::string>{}(key));
  const std::string source = base + ".h", file = base + ".pch";
  std::error_code error;
  if (fs::exists(file, error)) {
    fs::last_write_time(file, fs::file_time_type::clock::now(), error);  // the oldest are removed first
    return file;
  }
  if (!fs::exists(source, error)) {
    fs::create_directories(folder, error);
    std::ofstream(source) << "";
    return "";
  }
  const std::string temporary = fmt::format("{}.{}.tmp", file, getpid());
  std::vector<std::string> words = compiler.including();
  words.insert(words.end(), {"-Xclang", "-emit-pch", "-c", source, "-o", temporary});
  if (run(words)) fs::rename(temporary, file, error);
  const bool isMade = !error && fs::exists(file, error);
  if (!isMade) fs::remove(temporary, error);
  return isMade ? file : "";
}

}  // namespace hone::cli
