#include "cli/acc/AccRecipes.h"

#include <fmt/core.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <regex>
#include <set>

#include "acc/DeviceText.h"
#include "cli/acc/AccSource.h"
#include "cli/inputs/Inputs.h"
#include "cli/programs/BuildProgram.h"
#include "frontend/ContentHash.h"
#include "frontend/ShrinkFolder.h"
#include "frontend/ToolchainPaths.h"
#include "hone/Config.h"
#include "ir/Error.h"

namespace hone::cli {

namespace fs = std::filesystem;

namespace {

std::string settingOf(const char* name) {
  const char* given = std::getenv(name);
  return given ? given : "";
}

// A hone that was built again may choose otherwise.
std::string ownStamp() {
  std::error_code error;
  const fs::path self = fs::read_symlink("/proc/self/exe", error);
  return fmt::format("{} {} {}", config::version, fs::file_size(self, error),
                     fs::last_write_time(self, error).time_since_epoch().count());
}

// Whole or not at all, whoever else builds the same.
void keepFile(const fs::path& file, const std::string& text) {
  const fs::path beside = file.string() + fmt::format(".{}.tmp", getpid());
  std::ofstream(beside, std::ios::binary) << text;
  std::error_code ignored;
  fs::rename(beside, file, ignored);
}

std::vector<std::string> headerFlags() {
  const std::string ours = frontend::honeIncludeDirectory();
  // Installed, and in the source tree.
  return {"-I" + ours + "/acc", "-I" + (fs::path(ours).parent_path() / "acc").string()};
}

// Kernels of one name and what was made of them are others in each object.
std::vector<std::string> ownNames(const AccSource& source, const std::string& text, const std::string& tag) {
  std::set<std::string> names;
  for (const acc::LoweredRegion& region : source.lowered)
    for (const acc::LoweredKernel& one : region.kernels) {
      const std::regex name("\\b" + one.kernel->name + "\\w*");
      for (std::sregex_iterator at(text.begin(), text.end(), name), end; at != end; ++at)
        names.insert(at->str());
    }
  std::vector<std::string> out;
  for (const std::string& name : names) out.push_back(fmt::format("-D{0}={0}_{1}", name, tag));
  return out;
}

// The object of a device file with its kernels' byte code.
void compileDevice(const fs::path& file, const std::vector<std::string>& names,
                   const std::vector<std::string>& hostFlags, const fs::path& object) {
  BuildRequest request;
  request.sources = {file.string()};
  request.flags = headerFlags();
  request.flags.insert(request.flags.end(), names.begin(), names.end());
  request.hostFlags = hostFlags;
  request.hostFlags.emplace_back("-fPIC");
  request.phase = BuildPhase::Object;
  request.output = object.string();
  const BuildResult built = buildProgram(request);
  if (!built.notes.empty()) throw Error(built.notes.front());
}

}  // namespace

std::optional<std::string> objectByRecipes(const AccSource& source, const std::string& tag,
                                           const std::vector<std::string>& hostFlags,
                                           const DeviceRewriter& rewrite, const fs::path& scratch) {
  const bool lacksCode = std::any_of(source.programs.begin(), source.programs.end(),
                                     [](const std::vector<uint8_t>& one) { return one.empty(); });
  if (!rewrite || source.programs.empty() || lacksCode) return std::nullopt;
  const acc::DeviceText device = acc::deviceText(source.unit, source.lowered, tag);
  if (!device.reason.empty()) return std::nullopt;
  std::string key = ownStamp();
  // With another limit of time more may be found.
  for (const char* name : {"HONE_TARGET", "HONE_OPTIONS", "HONE_TIME_LIMIT"}) key += "\n" + settingOf(name);
  for (const std::string& flag : hostFlags) key += "\n" + flag;
  const std::string cache = frontend::cacheDirectory();
  const fs::path folder = cache.empty() ? scratch : fs::path(cache) / "acc";
  std::error_code error;
  fs::create_directories(folder, error);
  const std::string base = (folder / frontend::contentHash(key + "\n" + device.text)).string();
  const fs::path object = base + ".o", none = base + ".none";
  if (fs::exists(object, error)) {
    for (const fs::path& used : {object, fs::path(base + ".cu")})
      fs::last_write_time(used, fs::file_time_type::clock::now(), error);
    return object.string();
  }
  if (fs::exists(none, error)) return std::nullopt;
  const fs::path file = base + ".cu";  // findings name its lines
  const auto keep = [&](const fs::path& result, const std::string& content) {
    keepFile(result, content);
    frontend::shrinkFolder(folder, frontend::givenCacheSize(),
                           [&](const fs::path& one) { return !one.string().starts_with(base); });
  };
  const auto keepNothing = [&](const std::string& why) {
    fs::remove(file, error);
    keep(none, why + "\n");
  };
  try {
    keepFile(file, device.text);
    const RewrittenDevice made = rewrite(file.string(), headerFlags());
    if (made.text.empty()) {
      keepNothing(made.news);
      return std::nullopt;
    }
    const fs::path rewritten = scratch / "device.cu", fresh = scratch / "device.o";
    std::ofstream(rewritten, std::ios::binary) << made.text;
    compileDevice(rewritten, ownNames(source, made.text, tag), hostFlags, fresh);
    keep(object, readFile(fresh.string()));
    return fs::exists(object, error) ? object.string() : fresh.string();
  } catch (const std::exception& problem) {
    keepNothing(problem.what());
    return std::nullopt;
  }
}

}  // namespace hone::cli
