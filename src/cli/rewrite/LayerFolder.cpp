#include "cli/rewrite/LayerFolder.h"

#include <fmt/core.h>

#include <filesystem>

#include "cli/inputs/Inputs.h"
#include "ir/Error.h"

namespace hone::cli {

namespace fs = std::filesystem;

namespace {

constexpr unsigned mostEntries = 1000;  // of files of one name

}  // namespace

std::map<std::string, std::string> layerFiles(const std::string& folder, const LayerEntry& entry) {
  std::error_code error;
  fs::path place;
  for (unsigned number = 1;; ++number) {
    place = fs::path(folder) / (number == 1 ? entry.stem : fmt::format("{}-{}", entry.stem, number));
    const fs::path original = place / "original.cl";
    if (!fs::exists(original, error) || readFile(original.string()) == entry.original) break;
    if (number == mostEntries)
      throw Error(fmt::format("--layer {}: {} entries for files of this name; empty it", folder, number));
  }
  fs::create_directories(place, error);
  if (error || !fs::is_directory(place))
    throw Error(fmt::format("--layer {}: the folder cannot be made: {}", folder, error.message()));
  std::string options;
  for (const std::string& one : entry.options) options += one + "\n";
  return {{(place / "original.cl").string(), entry.original},
          {(place / "program.cl").string(), entry.rewritten},
          {(place / "program.hone.h").string(), entry.header},
          {(place / "replace.c").string(), entry.source},
          {(place / "options").string(), options}};
}

std::vector<std::string> preprocessorOptions(const std::vector<std::string>& flags) {
  std::vector<std::string> out;
  for (size_t i = 0; i < flags.size(); ++i) {
    if (!flags[i].starts_with("-D") && !flags[i].starts_with("-U")) continue;
    out.push_back(flags[i].size() == 2 && i + 1 < flags.size() ? flags[i] + flags[i + 1] : flags[i]);
  }
  return out;
}

}  // namespace hone::cli
