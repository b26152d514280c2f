#include "cli/nvcc/CopyKey.h"

#include <fmt/core.h>

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <functional>
#include <set>

#include "cli/inputs/Inputs.h"
#include "cli/inputs/ProjectFile.h"
#include "frontend/CompilerFlags.h"
#include "frontend/ContentHash.h"
#include "frontend/SourceText.h"
#include "frontend/ToolchainPaths.h"
#include "hone/Config.h"

namespace hone::cli {

namespace fs = std::filesystem;

namespace {

constexpr const char* keyFormat = "2";  // raise it when copies come to be made in another way

bool isFileThere(const std::string& path) {
  std::error_code ignored;
  return fs::is_regular_file(path, ignored);
}

// Which hone this is: a version may be built twice.
std::string programStamp() {
  std::error_code ignored;
  const fs::path program = fs::read_symlink("/proc/self/exe", ignored);
  return fmt::format("{} {} {}", config::version, fs::file_size(program, ignored),
                     fs::last_write_time(program, ignored).time_since_epoch().count());
}

// Folders that includes are looked for in, those for quotes first.
std::vector<std::string> searchFolders(const frontend::CompilerFlags& flags) {
  std::vector<std::string> quoted, all;
  for (size_t i = 0; i < flags.forClang.size(); ++i) {
    const std::string& flag = flags.forClang[i];
    if (flag.starts_with("-I"))
      all.push_back(flag.substr(2));
    else if ((flag == "-isystem" || flag == "-iquote") && i + 1 < flags.forClang.size())
      (flag == "-iquote" ? quoted : all).push_back(flags.forClang[++i]);
  }
  quoted.insert(quoted.end(), all.begin(), all.end());
  return quoted;
}

// Calls `each` with the byte behind every #include.
void eachInclude(const std::string& text, const std::function<void(size_t)>& each) {
  const auto skip = [&](size_t at) {
    while (at < text.size() && (text[at] == ' ' || text[at] == '\t')) ++at;
    return at;
  };
  for (size_t line = 0; line < text.size(); line = std::min(text.find('\n', line), text.size() - 1) + 1) {
    size_t at = skip(line);
    if (at >= text.size() || text[at] != '#') continue;
    at = skip(at + 1);
    if (text.compare(at, 7, "include") != 0) continue;
    at = skip(at + 7);
    if (at < text.size()) each(at);
  }
}

// Calls `each` with begin and end of the name in every #include "name".
void eachQuotedInclude(const std::string& text, const std::function<void(size_t, size_t)>& each) {
  eachInclude(text, [&](size_t at) {
    const size_t end = text.find_first_of("\"\n", at + 1);
    if (text[at] == '"' && end != std::string::npos && text[end] == '"') each(at + 1, end);
  });
}

bool hasComputedInclude(const std::string& text) {
  bool isOne = false;
  eachInclude(text, [&](size_t at) {
    isOne = isOne || std::isalpha(static_cast<unsigned char>(text[at])) != 0 || text[at] == '_';
  });
  return isOne;
}

}  // namespace

std::string requestKey(const CopyRequest& request) {
  std::string key = keyFormat;
  const auto add = [&](const std::string& part) { key += fmt::format("\n{}:{}", part.size(), part); };
  const auto addFile = [&](const std::string& file) { add(frontend::contentHash(readFile(file))); };
  add(programStamp());
  add(request.path);
  add(canonicalPath(request.path));
  addFile(request.path);
  const frontend::CompilerFlags flags = frontend::readFlags(request.flags, "");
  for (const std::string& flag : flags.forClang) add(flag);
  add(fmt::format("{} {} {} {} {} {} {}", flags.arch, flags.standard, flags.language, flags.fastMath,
                  flags.relocatableDeviceCode, flags.openmp, request.includesByPath));
  for (const std::string& option : request.options) {
    add(option);
    const std::string value = option.substr(option.find('=') + 1);  // npos + 1 is 0
    if (isFileThere(value)) addFile(value);
  }
  if (const std::string project = findProjectFile(); !project.empty()) {
    addFile(project);
    for (const ProjectFile::Place& capture : readProjectFile(project).captures)
      if (isFileThere(capture.path)) addFile(capture.path);
  }
  add(request.target.model);
  add(fmt::format("{}", request.architectures));
  add(request.target.lowest ? request.target.lowest->str() : "");
  add(target::targetsFolder());
  if (const auto toolkit = frontend::findCudaToolkit(request.cudaPath))
    add(fmt::format("{} {}", toolkit->root, toolkit->version));
  return frontend::contentHash(key);
}

CopyInputs copyInputs(const CopyRequest& request, const std::vector<std::string>& included) {
  CopyInputs inputs;
  const frontend::CompilerFlags flags = frontend::readFlags(request.flags, "");
  std::set<std::string> files, absent;
  for (const std::string& file : included) files.insert(fs::absolute(file).lexically_normal().string());
  for (size_t i = 0; i + 1 < flags.forClang.size(); ++i)
    if (flags.forClang[i] == "-include" || flags.forClang[i] == "-imacros")
      files.insert(flags.forClang[i + 1]);
  for (const std::string& file : files)
    if (isFileThere(file)) inputs.files[file] = frontend::contentHash(readFile(file));
  // A file that appears in front of one that was found would be read in its place.
  const std::vector<std::string> folders = searchFolders(flags);
  files.insert(fs::absolute(request.path).lexically_normal().string());
  for (const std::string& file : files) {
    if (!isFileThere(file) || file.starts_with("/usr/")) continue;
    std::vector<std::string> places{fs::path(file).parent_path().string()};
    places.insert(places.end(), folders.begin(), folders.end());
    for (const std::string& name : frontend::scanIncludes(readFile(file)))
      for (const std::string& place : places) {
        const std::string candidate = (fs::path(place) / name).lexically_normal().string();
        if (isFileThere(candidate)) break;
        absent.insert(candidate);
      }
  }
  // What a run is told stands beside the source (docs/commands.md).
  const std::string beside = fs::absolute(request.path + ".hone.toml").lexically_normal().string();
  if (isFileThere(beside))
    inputs.files[beside] = frontend::contentHash(readFile(beside));
  else
    absent.insert(beside);
  inputs.absent.assign(absent.begin(), absent.end());
  return inputs;
}

std::string includeObstacle(const CopyRequest& request, const std::vector<std::string>& included,
                            const SourceCopy& copy) {
  const fs::path folder = fs::absolute(request.path).lexically_normal().parent_path();
  const std::vector<std::string> folders = searchFolders(frontend::readFlags(request.flags, ""));
  // Headers of the user elsewhere, which must not find what stands beside the source.
  for (const std::string& file : included) {
    const fs::path own = fs::absolute(file).lexically_normal().parent_path();
    if (request.includesByPath || own == folder || file.starts_with("/usr/") || !isFileThere(file)) continue;
    for (const std::string& name : quotedIncludes(readFile(file))) {
      const std::string beside = (folder / name).string();
      if (isFileThere((own / name).string()) || !isFileThere(beside)) continue;
      for (const std::string& one : folders) {
        const std::string found = (fs::path(one) / name).string();
        if (!isFileThere(found)) continue;
        if (canonicalPath(found) == canonicalPath(beside)) break;
        return fmt::format("{} includes \"{}\", of which there is another beside the source", file, name);
      }
    }
  }
  for (size_t i = request.includesByPath ? 0 : 1; i < copy.files.size(); ++i) {
    const std::string& text = copy.files[i].text;
    if (text.find("__has_include") != std::string::npos || hasComputedInclude(text))
      return fmt::format("{} asks for files by __has_include or by a macro", copy.files[i].user);
  }
  return "";
}

std::vector<std::string> quotedIncludes(const std::string& text) {
  std::vector<std::string> out;
  eachQuotedInclude(text, [&](size_t begin, size_t end) { out.push_back(text.substr(begin, end - begin)); });
  return out;
}

std::string withIncludesFrom(const std::string& text, const std::string& folder,
                             const std::vector<std::string>& except) {
  std::string out;
  size_t at = 0;
  eachQuotedInclude(text, [&](size_t begin, size_t end) {
    const std::string name = text.substr(begin, end - begin);
    const std::string full = (fs::absolute(folder) / name).lexically_normal().string();
    if (std::find(except.begin(), except.end(), name) != except.end() || !isFileThere(full)) return;
    out.append(text, at, begin - at);
    out += full;
    at = end;
  });
  return out.append(text, at);
}

}  // namespace hone::cli
