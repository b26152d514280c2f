#include "cli/nvcc/CopyCache.h"

#include <fmt/core.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>

#include "frontend/ContentHash.h"
#include "frontend/ShrinkFolder.h"
#include "frontend/ToolchainPaths.h"
#include "ir/Error.h"

namespace hone::cli {

namespace fs = std::filesystem;
using Json = nlohmann::json;

namespace {

constexpr const char* entryName = ".hone-entry";
constexpr const char* badName = ".hone-bad";
constexpr const char* temporaryStart = ".new-";
constexpr size_t setsOfList = 8;  // of headers that one command line met lately
constexpr std::chrono::hours leftoverAge{1};

std::optional<std::string> contentsOf(const fs::path& file) {
  std::error_code error;
  if (!fs::is_regular_file(file, error)) return std::nullopt;
  std::ifstream in(file, std::ios::binary);
  std::string text((std::istreambuf_iterator<char>(in)), std::istreambuf_iterator<char>());
  if (in.bad()) return std::nullopt;
  return text;
}

void writeNew(const fs::path& file, const std::string& text) {
  std::error_code error;
  fs::create_directories(file.parent_path(), error);
  std::ofstream out(file, std::ios::binary);
  out << text;
  out.flush();
  if (!out) throw Error(fmt::format("{}: cannot be written: {}", file.string(), std::strerror(errno)));
}

// Complete or not at all, whoever else writes it.
void writeByRename(const fs::path& file, const std::string& text) {
  const fs::path temporary =
      file.parent_path() / fmt::format("{}{}-{}", temporaryStart, file.filename().string(), ::getpid());
  std::error_code error, ignored;
  try {
    writeNew(temporary, text);
  } catch (...) {
    fs::remove(temporary, ignored);
    throw;
  }
  fs::rename(temporary, file, error);
  if (!error) return;
  fs::remove(temporary, ignored);
  throw Error(fmt::format("{}: cannot be written: {}", file.string(), error.message()));
}

Json jsonOf(const std::optional<std::string>& text) {
  return text ? Json::parse(*text, nullptr, false) : Json(Json::value_t::discarded);
}

// The copy in a folder, if all of it is there as it was written.
std::optional<KeptCopy> readEntry(const fs::path& folder) {
  const Json entry = jsonOf(contentsOf(folder / entryName));
  KeptCopy copy;
  copy.folder = folder.string();
  try {
    for (const Json& one : entry.at("files")) {
      const fs::path file = folder / one.at("place").get<std::string>();
      const std::optional<std::string> text = contentsOf(file);
      if (!text || frontend::contentHash(*text) != one.at("hash").get<std::string>()) return std::nullopt;
      if (copy.path.empty()) copy.path = file.string();
      copy.names[file.string()] = one.at("user").get<std::string>();
    }
    copy.news = entry.at("news").get<std::string>();
    copy.details = entry.at("details").get<std::string>();
    if (const Json& cut = entry.at("cut"); !cut.is_null()) copy.cutShortAt = cut.get<double>();
  } catch (const Json::exception&) {
    return std::nullopt;
  }
  copy.bad = contentsOf(folder / badName).value_or("");
  return copy;
}

void touchNow(const fs::path& path) {
  std::error_code ignored;
  fs::last_write_time(path, fs::file_time_type::clock::now(), ignored);
}

}  // namespace

bool CopyInputs::areUnchanged() const {
  std::error_code ignored;
  return std::none_of(absent.begin(), absent.end(),
                      [&](const std::string& file) { return fs::is_regular_file(file, ignored); }) &&
         std::all_of(files.begin(), files.end(), [](const auto& file) {
           const std::optional<std::string> text = contentsOf(file.first);
           return text && frontend::contentHash(*text) == file.second;
         });
}

CopyCache::CopyCache() {
  const char* given = std::getenv("HONE_CACHE");
  const std::string base = frontend::cacheDirectory();
  if (base.empty())
    throw Error(
        given && *given
            ? fmt::format("HONE_CACHE={}: this folder cannot be made, or others may write to it; name one "
                          "that is yours alone",
                          given)
            : "there is no cache folder that is yours alone and can be made; set HONE_CACHE to one");
  const size_t special = base.find_first_of("'\"`$&;|<>()*?\n");
  if (special != std::string::npos)
    throw Error(
        fmt::format("{}: nvcc hands paths to a shell as they are, which would not take the {} in it; "
                    "set HONE_CACHE to another folder",
                    base, base[special] == '\n' ? "line's end" : std::string(1, base[special])));
  folder = frontend::privateFolder(base + "/nvcc");
  if (folder.empty()) throw Error(fmt::format("{}/nvcc: cannot be made or is not yours alone", base));
}

std::string CopyCache::listOf(const std::string& request) const {
  return fmt::format("{}/{}.inputs", folder, request);
}

std::optional<KeptCopy> CopyCache::find(const std::string& request) const {
  const Json list = jsonOf(contentsOf(listOf(request)));
  if (!list.is_array()) return std::nullopt;
  for (const Json& one : list) {
    try {
      const CopyInputs inputs{one.at("files").get<std::map<std::string, std::string>>(),
                              one.at("absent").get<std::vector<std::string>>()};
      if (!inputs.areUnchanged()) continue;
      const fs::path entry = fs::path(folder) / one.at("entry").get<std::string>();
      std::optional<KeptCopy> found = readEntry(entry);
      if (!found) return std::nullopt;
      touchNow(entry);
      touchNow(listOf(request));
      return found;
    } catch (const Json::exception&) {
      return std::nullopt;
    }
  }
  return std::nullopt;
}

void CopyCache::checkWritable() const {
  if (::access(folder.c_str(), W_OK) != 0)
    throw Error(fmt::format("{}: cannot be written: {}", folder, std::strerror(errno)));
}

KeptCopy CopyCache::keep(const std::string& request, const CopyInputs& inputs, const SourceCopy& made) const {
  std::string key = request;
  for (const auto& [path, hash] : inputs.files) key += fmt::format("\n{}\n{}", path, hash);
  if (made.cutShortAt) key += fmt::format("\ncut short at {}", *made.cutShortAt);
  const std::string name = frontend::contentHash(key);
  const fs::path entry = fs::path(folder) / name;
  const fs::path temporary = fs::path(folder) / fmt::format("{}{}-{}", temporaryStart, name, ::getpid());
  std::error_code error;
  fs::remove_all(temporary, error);
  Json files = Json::array();
  try {
    for (const SourceCopy::File& file : made.files) {
      writeNew(temporary / file.place, file.text);
      files.push_back(
          {{"place", file.place}, {"user", file.user}, {"hash", frontend::contentHash(file.text)}});
    }
    const Json cut = made.cutShortAt ? Json(*made.cutShortAt) : Json();
    const Json whole{{"files", files}, {"news", made.news}, {"details", made.details}, {"cut", cut}};
    writeNew(temporary / entryName, whole.dump(1) + "\n");
  } catch (...) {
    fs::remove_all(temporary, error);
    throw;
  }
  fs::rename(temporary, entry, error);
  if (error) {
    // Another build made it meanwhile, or what is there is damaged.
    if (readEntry(entry)) {
      fs::remove_all(temporary, error);
    } else {
      const fs::path damaged = temporary.string() + "-damaged";
      fs::rename(entry, damaged, error);
      fs::rename(temporary, entry, error);
      std::error_code ignored;
      fs::remove_all(damaged, ignored);
      fs::remove_all(temporary, ignored);
      if (error) throw Error(fmt::format("{}: cannot be written: {}", entry.string(), error.message()));
    }
  }
  Json list = Json::array({{{"entry", name}, {"files", inputs.files}, {"absent", inputs.absent}}});
  if (const Json known = jsonOf(contentsOf(listOf(request))); known.is_array())
    for (const Json& one : known)
      if (list.size() < setsOfList && one.is_object() && one.value("entry", "") != name) list.push_back(one);
  writeByRename(listOf(request), list.dump(1) + "\n");
  std::optional<KeptCopy> kept = readEntry(entry);
  if (!kept) throw Error(fmt::format("{}: cannot be read back", entry.string()));
  prune(entry.string());
  return *kept;
}

void CopyCache::reject(const KeptCopy& copy, const std::string& why) {
  writeByRename(fs::path(copy.folder) / badName, why);
}

bool CopyCache::isWhole(const KeptCopy& copy) { return readEntry(copy.folder).has_value(); }

void CopyCache::prune(const std::string& exceptFolder) const {
  frontend::shrinkFolder(folder, frontend::givenCacheSize(), [&](const fs::path& path) {
    if (!path.filename().string().starts_with(temporaryStart)) return path != exceptFolder;
    // Of a build that was killed, or of one that runs now.
    std::error_code ignored;
    if (fs::file_time_type::clock::now() - fs::last_write_time(path, ignored) > leftoverAge)
      fs::remove_all(path, ignored);
    return false;
  });
}

}  // namespace hone::cli
