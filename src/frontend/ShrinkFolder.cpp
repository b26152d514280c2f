#include "frontend/ShrinkFolder.h"

#include <algorithm>
#include <cctype>
#include <cstdlib>

namespace fs = std::filesystem;

namespace hone::frontend {
namespace {

std::uintmax_t sizeBelow(const fs::path& path) {
  std::error_code error;
  if (!fs::is_directory(path, error)) {
    const std::uintmax_t size = fs::file_size(path, error);
    return error ? 0 : size;
  }
  std::uintmax_t total = 0;
  for (fs::recursive_directory_iterator it(path, error), end; !error && it != end; it.increment(error)) {
    std::error_code ignored;
    if (it->is_regular_file(ignored)) total += it->file_size(ignored);
  }
  return total;
}

}  // namespace

std::vector<fs::path> shrinkFolder(const fs::path& folder, std::uintmax_t limit,
                                   const std::function<bool(const fs::path&)>& counts) {
  struct Kept {
    fs::file_time_type used;
    std::uintmax_t size;
    fs::path path;
  };
  std::vector<Kept> all;
  std::uintmax_t total = 0;
  std::error_code error;
  for (fs::directory_iterator it(folder, error), end; !error && it != end; it.increment(error)) {
    if (!counts(it->path())) continue;
    std::error_code gone;
    Kept one{it->last_write_time(gone), sizeBelow(it->path()), it->path()};
    if (gone) continue;
    total += one.size;
    all.push_back(std::move(one));
  }
  std::sort(all.begin(), all.end(), [](const Kept& a, const Kept& b) { return a.used < b.used; });
  std::vector<fs::path> removed;
  for (const Kept& one : all) {
    if (total <= limit) break;
    std::error_code ignored;
    if (fs::remove_all(one.path, ignored) == 0 || ignored) continue;
    total -= one.size;
    removed.push_back(one.path);
  }
  return removed;
}

std::uintmax_t givenCacheSize() {
  constexpr std::uintmax_t usual = std::uintmax_t(1) << 30;
  const char* given = std::getenv("HONE_CACHE_SIZE");
  if (!given || !*given) return usual;
  char* end = nullptr;
  const double number = std::strtod(given, &end);
  double unit = 1;
  for (const char c : {'K', 'M', 'G'}) {
    unit *= 1024;
    if (end && std::toupper(static_cast<unsigned char>(*end)) == c)
      return static_cast<std::uintmax_t>(number * unit);
  }
  return number >= 0 && end && *end == '\0' ? static_cast<std::uintmax_t>(number) : usual;
}

}  // namespace hone::frontend
