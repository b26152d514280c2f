#include "cli/inputs/DatabaseFiles.h"

#include <fmt/core.h>

#include <algorithm>
#include <filesystem>
#include <set>

#include "cli/inputs/ScanText.h"
#include "ir/Error.h"

namespace hone::cli {

namespace fs = std::filesystem;

namespace {

bool hasKernels(const std::string& path) {
  const std::string extension = fs::path(path).extension().string();
  if (extension == ".cu" || extension == ".cl" || extension == ".ocl") return true;
  try {
    return !scanText(readFile(path)).inCode.empty();
  } catch (const Error&) {
    return false;  // no plain file
  }
}

// Of a folder, all that is below it.
bool isBelow(const std::string& file, const std::string& folder) {
  return file.starts_with(folder.ends_with('/') ? folder : folder + "/");
}

}  // namespace

ChosenFiles chooseFiles(const std::vector<std::string>& given, const ParseOptions& parse) {
  ChosenFiles out;
  std::set<std::string> known;
  DisplayNames names;
  std::error_code ignored;
  const auto add = [&](const std::string& path) {
    if (known.insert(canonicalPath(path)).second) out.paths.push_back(path);
  };
  const auto addBelow = [&](const std::string& folder) {
    std::vector<std::string> found;
    for (const frontend::CompileCommand& command : parse.database->commands()) {
      const std::string file = canonicalPath(command.file);
      if (!folder.empty() && !isBelow(file, canonicalPath(folder))) continue;
      if (!fs::exists(file, ignored))
        out.missing.push_back(names.of(file));
      else if (hasKernels(file))
        found.push_back(names.of(file));
    }
    std::sort(found.begin(), found.end());
    for (const std::string& path : found) add(path);
    return !found.empty();
  };
  if (given.empty() && !parse.database)
    throw Error(
        "no files: name some, or give -p DIR (or `database` in hone.toml) for all of a compilation database");
  if (given.empty()) {
    out.areOfDatabase = true;
    if (!addBelow(""))
      throw Error(fmt::format("{}: lists no CUDA or OpenCL file that is there", parse.databaseFolder));
  }
  for (const std::string& path : given) {
    if (!fs::is_directory(path, ignored)) {
      checkInput(path);
      add(path);
      continue;
    }
    if (!parse.database)
      throw Error(
          fmt::format("{}: is a directory; name its files, or use `hone survey {}`; with -p DIR (or "
                      "`database` in hone.toml) it stands for the files below it that the compilation "
                      "database lists",
                      path, path));
    out.areOfDatabase = true;
    if (!addBelow(path))
      throw Error(fmt::format("{}: {} lists no CUDA or OpenCL file below it", path, parse.databaseFolder));
  }
  std::sort(out.missing.begin(), out.missing.end());
  out.missing.erase(std::unique(out.missing.begin(), out.missing.end()), out.missing.end());
  return out;
}

}  // namespace hone::cli
