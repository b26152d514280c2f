#include "cli/Inputs.h"

#include <fmt/core.h>

#include <CLI/CLI.hpp>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "ir/Error.h"

namespace hone::cli {

namespace fs = std::filesystem;

void addParseOptions(CLI::App& app, ParseOptions& options) {
  app.add_option("-p", options.databaseFolder, "folder with the compile_commands.json of the program")
      ->type_name("DIR");
  app.add_option("--cuda-path", options.cudaPath,
                 "root of a CUDA toolkit (else CUDA_PATH, CUDA_HOME, /usr/local/cuda)")
      ->type_name("DIR");
}

void checkInput(const std::string& path) {
  std::error_code error;
  fs::file_status status = fs::status(path, error);
  if (status.type() == fs::file_type::not_found) throw Error(fmt::format("{}: no such file", path));
  if (fs::is_directory(status))
    throw Error(fmt::format("{}: is a directory; name its files, or use `hone survey {}`", path, path));
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

frontend::SourceRequest requestFor(const std::string& path, const ParseOptions& options) {
  frontend::SourceRequest request;
  request.path = path;
  request.cudaPath = options.cudaPath;
  request.flags = options.flags;
  return request;
}

std::string canonicalPath(const std::string& path) {
  std::error_code error;
  fs::path full = fs::weakly_canonical(path, error);
  return error ? fs::absolute(path, error).lexically_normal().string() : full.string();
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
