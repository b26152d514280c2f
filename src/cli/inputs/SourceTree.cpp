#include "cli/inputs/SourceTree.h"

#include <fmt/core.h>

#include <algorithm>
#include <deque>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <sstream>
#include <string_view>

#include "cli/inputs/Inputs.h"
#include "frontend/SourceText.h"
#include "ir/Error.h"

namespace hone::cli {

namespace fs = std::filesystem;

namespace {

constexpr size_t largestFile = 64u << 20;
constexpr size_t mostIncludesFollowed = 500;

constexpr std::string_view kernelExtensions[] = {".cu", ".cl", ".ocl"};
constexpr std::string_view sourceExtensions[] = {".c", ".cc", ".cpp", ".cxx", ".C"};
constexpr std::string_view headerExtensions[] = {".cuh", ".clh", ".h",   ".hh",  ".hpp",
                                                 ".hxx", ".inl", ".inc", ".tpp", ".def"};

template <size_t N>
bool isOneOf(const std::string& extension, const std::string_view (&all)[N]) {
  return std::find(std::begin(all), std::end(all), extension) != std::end(all);
}

std::string slurp(const std::string& path) {
  std::error_code ignored;
  if (!fs::is_regular_file(path, ignored)) return "";  // to open a pipe is to wait for who writes to it
  std::ifstream in(path, std::ios::binary);
  std::ostringstream text;
  text << in.rdbuf();
  return text.str();
}

// Whether the compiler finds this angled include by itself.
bool isSystemHeader(const std::string& name) {
  if (name.find('.') == std::string::npos && name.find('/') == std::string::npos) return true;  // <vector>
  std::error_code ignored;
  for (const char* folder : {"/usr/include", "/usr/local/include", "/usr/local/cuda/include"})
    if (fs::exists(fs::path(folder) / name, ignored)) return true;
  return false;
}

size_t commonDepth(const std::string& a, const std::string& b) {
  size_t depth = 0;
  for (size_t i = 0; i < std::min(a.size(), b.size()) && a[i] == b[i]; ++i) depth += a[i] == '/';
  return depth;
}

}  // namespace

bool isSourceName(const std::string& path) {
  const std::string extension = fs::path(path).extension().string();
  return isOneOf(extension, kernelExtensions) || isOneOf(extension, sourceExtensions) ||
         isOneOf(extension, headerExtensions);
}

SourceTree::SourceTree(const std::vector<std::string>& folders) {
  for (const std::string& folder : folders) {
    std::error_code error;
    fs::file_status status = fs::status(folder, error);
    if (status.type() == fs::file_type::not_found) throw Error(fmt::format("{}: no such folder", folder));
    if (!fs::is_directory(status)) {
      add(folder);
      continue;
    }
    std::vector<std::string> found;
    fs::recursive_directory_iterator at(folder, fs::directory_options::skip_permission_denied, error), end;
    if (error) throw Error(fmt::format("{}: {}", folder, error.message()));
    for (; at != end; at.increment(error)) {
      if (error) break;
      std::string name = at->path().filename().string();
      std::error_code ignored;
      if (at->is_directory(ignored)) {
        if (name.starts_with('.')) at.disable_recursion_pending();
        continue;
      }
      if (at->is_regular_file(ignored) && !name.starts_with('.')) found.push_back(at->path().string());
    }
    std::sort(found.begin(), found.end());
    for (const std::string& path : found) add(path);
  }
}

void SourceTree::add(const std::string& path) {
  std::string extension = fs::path(path).extension().string();
  bool isKernelFile = isOneOf(extension, kernelExtensions), isHeader = isOneOf(extension, headerExtensions);
  if (!isKernelFile && !isHeader && !isOneOf(extension, sourceExtensions)) return;
  std::error_code ignored;
  if (fs::file_size(path, ignored) > largestFile) return;
  std::string canonical = canonicalPath(path);
  if (byCanonical.contains(canonical)) return;
  TreeFile file;
  file.path = path;
  file.isHeader = isHeader;
  file.scan = scanText(slurp(path));
  file.isUnit = isKernelFile || (!isHeader && !file.scan.inCode.empty());
  byCanonical.emplace(canonical, list.size());
  byName[fs::path(path).filename().string()].push_back(canonical);
  list.push_back(std::move(file));
}

const TreeFile* SourceTree::find(const std::string& canonical) const {
  auto found = byCanonical.find(canonical);
  return found == byCanonical.end() ? nullptr : &list[found->second];
}

const std::vector<std::string>& SourceTree::includesOf(const std::string& path) {
  auto [found, isNew] = includesCache.try_emplace(path);
  if (isNew) found->second = frontend::scanIncludes(slurp(path));
  return found->second;
}

std::set<std::string> SourceTree::includedUnits() {
  std::set<std::string> found;
  for (const auto& [canonical, index] : byCanonical)
    for (const std::string& name : includesOf(canonical))
      if (isOneOf(fs::path(name).extension().string(), kernelExtensions))
        if (const std::string file = lookUp(name, canonical); !file.empty() && file != canonical)
          found.insert(file);
  return found;
}

// The tree's file that `name` most likely means: the one nearest to where it is included.
std::string SourceTree::lookUp(const std::string& name, const std::string& from) const {
  fs::path wanted = fs::path(name).lexically_normal();
  while (!wanted.empty() && *wanted.begin() == "..") wanted = wanted.lexically_relative("..");
  auto candidates = byName.find(wanted.filename().string());
  if (candidates == byName.end()) return "";
  std::string best, suffix = "/" + wanted.string();
  for (const std::string& candidate : candidates->second) {
    if (!candidate.ends_with(suffix)) continue;
    auto rank = [&](const std::string& path) {
      return std::pair(commonDepth(path, from), -static_cast<long>(path.size()));
    };
    if (best.empty() || rank(candidate) > rank(best)) best = candidate;
  }
  return best;
}

std::vector<std::string> SourceTree::guessIncludeFlags(const std::string& path) {
  std::vector<std::string> folders;
  std::set<std::string> visited;
  std::deque<std::string> queue = {canonicalPath(path)};
  std::error_code ignored;
  while (!queue.empty() && visited.size() < mostIncludesFollowed) {
    std::string file = queue.front();
    queue.pop_front();
    if (!visited.insert(file).second) continue;
    fs::path own = fs::path(file).parent_path();
    for (const std::string& name : includesOf(file)) {
      std::string found;
      if (fs::exists(own / name, ignored)) found = (own / name).string();
      for (size_t i = 0; i < folders.size() && found.empty(); ++i)
        if (fs::exists(fs::path(folders[i]) / name, ignored)) found = (fs::path(folders[i]) / name).string();
      if (found.empty() && !isSystemHeader(name)) {
        found = lookUp(name, file);
        if (!found.empty()) {
          // The folder from which `name` leads to the file; "../x.h" is found from one level below.
          std::string folder =
              found.substr(0, found.size() - fs::path(name).lexically_normal().string().size());
          fs::path wanted = fs::path(name).lexically_normal();
          if (*wanted.begin() == "..") folder = fs::path(found).parent_path().string();
          while (folder.size() > 1 && folder.ends_with('/')) folder.pop_back();
          folders.push_back(folder);
        }
      }
      if (!found.empty()) queue.push_back(canonicalPath(found));
    }
  }
  std::vector<std::string> flags;
  for (const std::string& folder : folders) {
    flags.emplace_back("-idirafter");
    flags.push_back(folder);
  }
  return flags;
}

}  // namespace hone::cli
