#include "cli/programs/FileGroups.h"

#include <fmt/core.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <numeric>
#include <set>

#include "cli/inputs/ImportFiles.h"
#include "ir/Error.h"
#include "report/Progress.h"

namespace hone::cli {

namespace {

using GroupJson = nlohmann::json;

// In the child: what a file defines, launches and includes.
std::string lookAt(const std::string& path, const ParseOptions& parse, bool keepGoing) {
  std::vector<GivenFile> files;
  GroupJson out = {{"whole", false}, {"parsed", false}, {"count", 0}};
  for (const char* list : {"kernels", "seen", "homes", "launches", "included"})
    out[list] = GroupJson::array();
  try {
    out["whole"] = importAll({path}, parse, {keepGoing, {}, true}, files);
  } catch (const Error& error) {
    fmt::print(stderr, "{}\n", error.what());
    return out.dump();
  }
  const frontend::ImportResult& import = files.front().import;
  out["parsed"] = import.parsed;
  size_t count = 0;
  for (const frontend::ImportedKernel& kernel : import.kernels) {
    if (kernel.isInSystemHeader) continue;
    ++count;
    const std::string home = kernel.loc.valid() ? canonicalPath(*kernel.loc.file) : files.front().canonical;
    const bool isStatic = kernel.kernel && kernel.kernel->isStatic;
    if (!isStatic && home == files.front().canonical) out["kernels"].push_back(kernel.qualifiedName);
    out["seen"].push_back(kernel.qualifiedName);
    out["homes"].push_back(home);
  }
  out["count"] = count;
  for (const frontend::ImportedLaunch& launch : import.launches)
    out["launches"].push_back(launch.launch.kernel);
  for (const std::string& name : import.included) out["included"].push_back(canonicalPath(name));
  return out.dump(-1, ' ', false, GroupJson::error_handler_t::replace);
}

struct LookedAt {
  bool isWhole = false;
  size_t count = 0;
  std::set<std::string> kernels;  // that other files may launch
  std::set<std::string> seen;     // all, those of headers among them
  std::set<std::string> homes, launches, included;
};

size_t foldersInCommon(const std::string& a, const std::string& b) {
  size_t count = 0;
  for (size_t i = 0; i < std::min(a.size(), b.size()) && a[i] == b[i]; ++i) count += a[i] == '/';
  return count;
}

// Sets of files that are joined two by two.
class Joined {
 public:
  explicit Joined(size_t count) : parents(count) { std::iota(parents.begin(), parents.end(), size_t(0)); }
  size_t rootOf(size_t i) {
    while (parents[i] != i) i = parents[i] = parents[parents[i]];
    return i;
  }
  void join(size_t a, size_t b) {
    a = rootOf(a), b = rootOf(b);
    parents[std::max(a, b)] = std::min(a, b);
  }

 private:
  std::vector<size_t> parents;
};

// The file that most likely defines what another launches: the nearest that has a kernel of that name.
void joinLaunches(const std::vector<LookedAt>& files, const std::vector<std::string>& canonical,
                  Joined& joined) {
  std::map<std::string, std::vector<size_t>> definers;
  for (size_t i = 0; i < files.size(); ++i)
    for (const std::string& kernel : files[i].kernels) definers[kernel].push_back(i);
  for (size_t i = 0; i < files.size(); ++i)
    for (const std::string& kernel : files[i].launches) {
      const auto found = definers.find(kernel);
      if (found == definers.end() || files[i].seen.contains(kernel)) continue;
      const std::vector<size_t>& all = found->second;
      joined.join(i, *std::max_element(all.begin(), all.end(), [&](size_t a, size_t b) {
                    return foldersInCommon(canonical[a], canonical[i]) <
                           foldersInCommon(canonical[b], canonical[i]);
                  }));
    }
}

}  // namespace

GroupedFiles groupFiles(const std::vector<std::string>& paths, const ParseOptions& parse, bool keepGoing,
                        const ChildPool& pool) {
  std::vector<LookedAt> files(paths.size());
  std::vector<std::string> canonical, problems(paths.size()), said(paths.size());
  canonical.reserve(paths.size());
  for (const std::string& path : paths) canonical.push_back(canonicalPath(path));
  ChildPool children = pool;
  children.keepsTexts = true;
  {
    report::Progress progress(paths.size());
    children.run(
        paths.size(), [&](size_t i) { return lookAt(paths[i], parse, keepGoing); },
        [&](size_t i, const ChildResult& child) {
          const GroupJson json = GroupJson::parse(child.output, nullptr, false);
          said[i] = child.said;
          if (!child.problem.empty() || !json.is_object()) {
            problems[i] =
                "hone " + (child.problem.empty() ? "gave no result" : child.problem) + " while reading it";
          } else {
            files[i] = {json["whole"], json["count"],    json["kernels"], json["seen"],
                        json["homes"], json["launches"], json["included"]};
            if (!files[i].isWhole)
              problems[i] =
                  json["parsed"].get<bool>() ? "it has errors that may reach kernels" : "could not be read";
          }
          progress.step("reading " + paths[i]);
        });
  }
  Joined joined(paths.size());
  std::map<std::string, size_t> byHome;
  std::vector<bool> isPart(paths.size());
  for (size_t i = 0; i < paths.size(); ++i) {
    for (const std::string& home : files[i].homes) joined.join(i, byHome.emplace(home, i).first->second);
    // A file of kernels that does not parse by itself is read as a part of one that includes it.
    for (size_t other = 0; other < paths.size(); ++other)
      if (other != i && files[i].isWhole && files[i].included.contains(canonical[other]))
        joined.join(i, other), isPart[other] = true;
  }
  joinLaunches(files, canonical, joined);
  GroupedFiles out;
  std::map<size_t, FileGroup> groups;
  for (size_t i = 0; i < paths.size(); ++i) {
    if (!problems[i].empty() && !isPart[i]) {
      out.broken.push_back({paths[i], problems[i], said[i]});
      continue;
    }
    FileGroup& group = groups[joined.rootOf(i)];
    group.paths.push_back(paths[i]);
    group.kernels += files[i].count;
  }
  for (auto& [first, group] : groups) {
    if (group.kernels > 0)
      out.groups.push_back(std::move(group));
    else
      out.withoutKernels.insert(out.withoutKernels.end(), group.paths.begin(), group.paths.end());
  }
  return out;
}

}  // namespace hone::cli
