// Programs that were built before.
#include <fmt/core.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>

#include "cli/programs/BuildProgram.h"
#include "frontend/ToolchainPaths.h"
#include "hone/Config.h"
#include "ir/Error.h"

namespace hone::cli {

namespace fs = std::filesystem;

namespace {

std::string hashText(const std::string& text) {
  uint64_t h = 0xcbf29ce484222325ull;
  for (const char c : text) h = (h ^ uint8_t(c)) * 0x100000001b3ull;
  return fmt::format("{:016x}", h);
}

// Size and time of change of a file, in words; "gone" when there is none.
std::string stampOf(const std::string& path) {
  std::error_code error;
  const auto time = fs::last_write_time(path, error);
  if (error) return "gone";
  const auto size = fs::file_size(path, error);
  return fmt::format("{} {}", size, time.time_since_epoch().count());
}

}  // namespace

std::string cachedProgram(BuildRequest request) {
  std::error_code error;
  std::string key = fs::current_path(error).string() + "\n" + config::version + "\n";
  for (const auto* list :
       {&request.sources, &request.objects, &request.flags, &request.hostFlags, &request.linkFlags}) {
    for (const std::string& w : *list) key += w + "\n";
    key += "\n";
  }
  if (request.linksDevice) key += "linked\n";
  const std::string self = fs::read_symlink("/proc/self/exe", error).string();
  key += self + " " + stampOf(self);
  std::string cache = frontend::cacheDirectory();
  const fs::path other = fs::temp_directory_path() / fmt::format("hone-cache-{}", geteuid());
  if (cache.empty()) cache = frontend::privateFolder(other.string());
  if (cache.empty())
    throw Error(fmt::format(
        "no folder for programs: neither hone's folder in the cache nor {} is a folder of yours that "
        "others cannot write to; mend that (chmod 700) or set XDG_CACHE_HOME",
        other.string()));
  const fs::path folder = fs::path(cache) / "programs" / hashText(key);
  const fs::path program = folder / "program", list = folder / "files", said = folder / "notes";
  // Unchanged: the same files with the same sizes and times.
  if (std::ifstream in(list); in && fs::exists(program, error)) {
    bool same = true;
    std::string name, stamp;
    while (same && std::getline(in, name) && std::getline(in, stamp)) same = stampOf(name) == stamp;
    if (same) {
      std::ifstream notes(said);
      for (std::string note; std::getline(notes, note);) fmt::print(stderr, "hone: {}\n", note);
      return program.string();
    }
  }
  fs::create_directories(folder, error);
  const fs::path fresh = folder / fmt::format("program.{}", getpid());
  request.output = fresh.string();
  const BuildResult built = buildProgram(request);
  std::ostringstream files, notes;
  for (const std::string& n : built.notes) {
    fmt::print(stderr, "hone: {}\n", n);
    notes << n << "\n";
  }
  std::ofstream(said) << notes.str();
  std::set<std::string> once(built.dependencies.begin(), built.dependencies.end());
  for (const std::string& d : once) files << d << "\n" << stampOf(d) << "\n";
  std::ofstream(list) << files.str();
  fs::rename(fresh, program, error);
  if (error) throw Error(fmt::format("cannot write {}: {}", program.string(), error.message()));
  return program.string();
}

}  // namespace hone::cli
