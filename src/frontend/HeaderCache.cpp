#include "frontend/HeaderCache.h"

#include "frontend/ContentHash.h"
#include "frontend/RunClang.h"
#include "frontend/ShrinkFolder.h"
#include "frontend/SourceText.h"
#include "hone/Config.h"

#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <mutex>
#include <set>
#include <string_view>

namespace fs = std::filesystem;

namespace hone::frontend {
namespace {

std::atomic<std::clock_t> ticksOfPrecompiling{0};

constexpr std::uintmax_t cacheLimit = std::uintmax_t(1) << 30;

/// Headers of the C and C++ libraries that give the same declarations wherever they are included first.
bool isStandardHeader(const std::string& name) {
  static const std::set<std::string_view> names = {"algorithm",
                                                   "array",
                                                   "atomic",
                                                   "bitset",
                                                   "chrono",
                                                   "climits",
                                                   "cmath",
                                                   "complex",
                                                   "cstddef",
                                                   "cstdint",
                                                   "cstdio",
                                                   "cstdlib",
                                                   "cstring",
                                                   "ctime",
                                                   "deque",
                                                   "exception",
                                                   "float.h",
                                                   "fstream",
                                                   "functional",
                                                   "iomanip",
                                                   "iostream",
                                                   "iterator",
                                                   "limits",
                                                   "limits.h",
                                                   "list",
                                                   "map",
                                                   "math.h",
                                                   "memory",
                                                   "mutex",
                                                   "numeric",
                                                   "optional",
                                                   "queue",
                                                   "random",
                                                   "set",
                                                   "sstream",
                                                   "stdexcept",
                                                   "stdint.h",
                                                   "stdio.h",
                                                   "stdlib.h",
                                                   "string",
                                                   "string.h",
                                                   "sys/time.h",
                                                   "thread",
                                                   "time.h",
                                                   "tuple",
                                                   "type_traits",
                                                   "unistd.h",
                                                   "unordered_map",
                                                   "unordered_set",
                                                   "utility",
                                                   "vector",
                                                   "cfloat",
                                                   "cctype",
                                                   "ctype.h",
                                                   "iosfwd",
                                                   "istream",
                                                   "ostream",
                                                   "valarray",
                                                   "stack",
                                                   "variant",
                                                   "initializer_list",
                                                   "typeinfo",
                                                   "new",
                                                   "condition_variable"};
  return names.contains(name);
}

/// Macros that change what system headers declare.
bool steersHeaders(std::string_view name) {
  for (std::string_view prefix :
       {"__",    "_USE_",     "_GNU_", "_POSIX_",       "_XOPEN_",    "_GLIBCXX",    "_LIBCPP", "_FORTIFY_",
        "_BSD_", "_DEFAULT_", "_ISOC", "_FILE_OFFSET_", "_LARGEFILE", "_CG_",        "_CCCL",   "CG_",
        "CUB_",  "THRUST_",   "CCCL_", "CUDA_API_PER_", "CUDA_NO_",   "CUDA_FORCE_", "CUDART_", "LIBCUDACXX"})
    if (name.starts_with(prefix)) return true;
  return false;
}

/// True when the text sets such a macro, so that its includes must not be read ahead of it.
bool textSteersHeaders(std::string_view text) {
  for (std::size_t at = text.find('#'); at != std::string_view::npos; at = text.find('#', at + 1)) {
    std::size_t word = text.find_first_not_of(" \t", at + 1);
    if (word == std::string_view::npos || text.compare(word, 6, "define") != 0) continue;
    std::size_t name = text.find_first_not_of(" \t", word + 6);
    if (name == std::string_view::npos || name == word + 6) continue;
    std::string_view rest = text.substr(name, 64);
    // Include guards such as _FILE_H_ are everywhere and harm nothing.
    std::string_view whole = rest.substr(0, rest.find_first_of(" \t\r\n("));
    bool isGuard = whole.find("_H") != std::string_view::npos || whole.find("_CU") != std::string_view::npos;
    if (steersHeaders(whole) && (whole[0] != '_' || !isGuard)) return true;
  }
  return false;
}

/// The flags that decide what the headers declare; -I and macros of the program itself are left out.
CompilerFlags steeringFlags(const CompilerFlags& flags) {
  CompilerFlags out;
  out.arch = flags.arch;
  out.standard = flags.standard;
  for (const std::string& flag : flags.forClang) {
    bool isMacro = flag.starts_with("-D") || flag.starts_with("-U");
    bool isOther = flag.starts_with("-f");
    if (isOther || (isMacro && steersHeaders(std::string_view(flag).substr(2)))) out.forClang.push_back(flag);
  }
  return out;
}

bool touch(const fs::path& file) {
  std::error_code error;
  fs::last_write_time(file, fs::file_time_type::clock::now(), error);
  return !error;
}

bool isThere(const std::string& file) {
  std::error_code ignored;
  return fs::exists(fs::path(file), ignored);
}

/// True when the file was written within the given time; what failed once may work another day.
bool isRecent(const std::string& file, std::chrono::seconds span) {
  std::error_code error;
  fs::file_time_type written = fs::last_write_time(file, error);
  return !error && fs::file_time_type::clock::now() - written < span;
}

bool writeFile(const std::string& file, const std::string& text) {
  std::string temporary = file + "." + std::to_string(::getpid()) + ".tmp";
  {
    std::ofstream out(temporary, std::ios::binary);
    out << text;
    if (!out.flush()) return false;
  }
  std::error_code error;
  fs::rename(temporary, file, error);
  return !error;
}

/// Removes what was not used for longest until the cache is small enough.
void prune(const fs::path& folder) {
  const auto removed = shrinkFolder(folder, cacheLimit, [](const fs::path& file) {
    return file.extension() == ".pch" || file.extension() == ".tmp";
  });
  std::error_code ignored;
  for (fs::path file : removed) fs::remove(file.replace_extension(".h"), ignored);
}

/// Makes the precompiled header `file` from the list of includes in `source`.
bool build(const std::string& source, const std::string& file, const std::vector<std::string>& arguments) {
  static std::atomic<unsigned> counter{0};
  SourceRequest request;
  request.path = source;
  ClangJob job;
  job.path = source;
  job.arguments = arguments;
  job.request = &request;
  std::string temporary = file + "." + std::to_string(::getpid()) + "." + std::to_string(counter++) + ".tmp";
  std::error_code error;
  const std::clock_t begin = std::clock();
  bool isBuilt = writePrecompiledHeader(job, temporary) && isThere(temporary);
  ticksOfPrecompiling += std::clock() - begin;
  if (isBuilt) fs::rename(temporary, file, error);
  if (!isBuilt || error) {
    fs::remove(temporary, error);
    return false;
  }
  return true;
}

}  // namespace

double secondsOfPrecompiling() { return static_cast<double>(ticksOfPrecompiling) / CLOCKS_PER_SEC; }

namespace {

/// The header for exactly this set; empty when there is none yet.
std::string findOrBuild(const HeaderSet& wanted, const std::string& folder) {
  std::vector<std::string> arguments =
      cudaArguments(steeringFlags(wanted.flags), wanted.toolkit, wanted.pass);
  std::string text;
  for (const std::string& name : wanted.extras) text += "#include <" + name + ">\n";
  // Raise the number when precompiled headers come to be made in another way.
  std::string key = std::string("2\n") + config::version + '\n' + config::clangVersion + '\n' + text;
  if (wanted.toolkit) key += wanted.toolkit->root + '\n' + std::to_string(wanted.toolkit->version);
  for (const std::string& argument : arguments) key += '\n' + argument;
  std::string base = folder + "/" + contentHash(key);
  std::string file = base + ".pch";

  if (isRecent(base + ".bad", std::chrono::hours(24))) return "";
  if (isThere(file)) {
    touch(file);
    return file;
  }
  std::error_code error;
  fs::create_directories(folder, error);
  if (error) return "";
  bool isKnown = isThere(base + ".h");
  if (!isKnown && !writeFile(base + ".h", text)) return "";
  // Most sets with extras come up once only, so the second time is soon enough.
  if (!isKnown && !wanted.extras.empty()) return "";
  prune(folder);
  if (!build(base + ".h", file, arguments)) {
    writeFile(base + ".bad", "");
    return "";
  }
  return file;
}

}  // namespace

std::vector<std::string> precompilableIncludes(std::string_view text,
                                               const std::optional<CudaToolkit>& toolkit) {
  std::set<std::string> found;
  if (textSteersHeaders(text)) return {};
  std::error_code ignored;
  for (const std::string& name : scanIncludes(text)) {
    bool isToolkits = false;
    if (toolkit) {
      fs::path include = fs::path(toolkit->root) / "include";
      isToolkits = fs::exists(include / name, ignored) || fs::exists(include / "cccl" / name, ignored);
    }
    if (name == "cuda_runtime.h" || name == "cuda.h" || name == "cuda_runtime_api.h") continue;
    if (isToolkits || isStandardHeader(name)) found.insert(name);
  }
  return {found.begin(), found.end()};
}

std::string cachedHeader(const HeaderSet& wanted) {
  // One maker at a time in this process; several processes at worst make the same file twice.
  static std::mutex making;
  std::lock_guard<std::mutex> lock(making);
  std::string folder = cacheDirectory();
  if (folder.empty()) return "";
  if (!wanted.extras.empty()) {
    std::string file = findOrBuild(wanted, folder);
    if (!file.empty()) return file;
  }
  HeaderSet plain = wanted;
  plain.extras.clear();
  return findOrBuild(plain, folder);
}

void rejectCachedHeader(const std::string& file) {
  std::error_code ignored;
  fs::remove(file, ignored);
  std::string base = file.substr(0, file.size() - 4);
  if (isRecent(base + ".again", std::chrono::minutes(1)))
    writeFile(base + ".bad", "");
  else
    writeFile(base + ".again", "");
}

}  // namespace hone::frontend
