#include "cli/inputs/Inputs.h"

#include <fmt/core.h>

#include <CLI/CLI.hpp>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <unordered_map>

#include "ir/Error.h"

namespace hone::cli {

namespace fs = std::filesystem;

void addParseOptions(CLI::App& app, ParseOptions& options) {
  app.add_option("-p", options.databaseFolder, "folder with the compile_commands.json of the program")
      ->type_name("DIR");
  app.add_option("--cuda-path", options.cudaPath,
                 "root of a CUDA toolkit (else CUDA_PATH, CUDA_HOME, /usr/local/cuda)")
      ->type_name("DIR");
  app.add_option("--project", options.projectFile,
                 "the project's file (else hone.toml here or in a folder above), see docs/project.md")
      ->type_name("FILE");
  app.add_flag("--no-project", options.noProject, "take nothing from a hone.toml");
}

void checkInput(const std::string& path) {
  std::error_code error;
  fs::file_status status = fs::status(path, error);
  if (status.type() == fs::file_type::not_found) throw Error(fmt::format("{}: no such file", path));
  if (fs::is_directory(status))
    throw Error(fmt::format("{}: is a directory; name its files, or use `hone survey {}`", path, path));
  if (!error && !fs::is_regular_file(status))
    throw Error(fmt::format("{}: is a pipe or a device; hone reads files", path));
}

std::string readFile(const std::string& path) {
  checkInput(path);
  std::ifstream in(path, std::ios::binary);
  std::ostringstream text;
  if (in) text << in.rdbuf();
  if (!in.is_open() || in.bad())
    throw Error(fmt::format("{}: cannot be read: {}", path, std::strerror(errno)));
  return text.str();
}

void loadDatabase(ParseOptions& options) {
  if (options.databaseFolder.empty()) return;
  std::string error;
  auto loaded = frontend::CompilationDatabase::load(options.databaseFolder, error);
  if (!loaded) throw Error(fmt::format("-p {}: {}", options.databaseFolder, error));
  options.database = std::make_shared<frontend::CompilationDatabase>(std::move(*loaded));
}

std::vector<std::string> withAbsolutePaths(std::vector<std::string> flags) {
  std::error_code ignored;
  for (size_t i = 0; i < flags.size(); ++i) {
    for (std::string prefix : {"-I", "-isystem", "-iquote", "-idirafter", "-include", "--include-path="}) {
      if (!flags[i].starts_with(prefix)) continue;
      if (flags[i] == prefix) {  // the path is the next argument
        if (i + 1 < flags.size()) flags[i + 1] = fs::absolute(flags[i + 1], ignored).string(), ++i;
      } else {
        flags[i] = prefix + fs::absolute(flags[i].substr(prefix.size()), ignored).string();
      }
      break;
    }
  }
  return flags;
}

frontend::SourceRequest requestFor(const std::string& path, const ParseOptions& options) {
  frontend::SourceRequest request;
  request.path = path;
  request.cudaPath = options.cudaPath;
  if (const auto* command = options.database ? options.database->findNearest(path) : nullptr) {
    request.flags = command->flags;
    request.directory = command->directory;
  }
  std::vector<std::string> own = request.directory.empty() ? options.flags : withAbsolutePaths(options.flags);
  request.flags.insert(request.flags.end(), own.begin(), own.end());
  return request;
}

std::string canonicalPath(const std::string& path) {
  // Asked again and again for few files; what a run reads does not move under it.
  static std::unordered_map<std::string, std::string> known;
  auto found = known.find(path);
  if (found != known.end()) return found->second;
  std::error_code error, ignored;
  fs::path full = fs::weakly_canonical(path, error);
  std::string result = error ? fs::absolute(path, ignored).lexically_normal().string() : full.string();
  if (fs::exists(result, ignored)) known.emplace(path, result);
  return result;
}

void DisplayNames::give(const std::string& path) { given.emplace(canonicalPath(path), path); }

std::string DisplayNames::of(const std::string& path) const {
  std::string full = canonicalPath(path);
  auto found = given.find(full);
  if (found != given.end()) return found->second;
  std::error_code error;
  std::string here = fs::current_path(error).string() + "/";
  return full.starts_with(here) ? full.substr(here.size()) : full;
}

std::string placeOf(const ir::SourceLoc& loc, const DisplayNames& names) {
  if (!loc.valid()) return "";
  return fmt::format("{}:{}", names.of(*loc.file), loc.line);
}

}  // namespace hone::cli
