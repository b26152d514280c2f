// hone revert: takes back what `hone opt` and `hone tune` wrote into source files.
#include <fmt/core.h>

#include <CLI/CLI.hpp>
#include <cstdio>
#include <filesystem>

#include "cli/commands/Command.h"
#include "cli/inputs/Inputs.h"
#include "cli/inputs/ScanText.h"
#include "cli/inputs/TakeBack.h"
#include "cli/rewrite/CallsElsewhere.h"
#include "emit/Patch.h"
#include "frontend/CompilerFlags.h"

namespace hone::cli {

namespace fs = std::filesystem;

namespace {

const char* const revertFooter =
    "What hone wrote stands between marks (`// hone: …`) that hold what was there before and a hash. Only "
    "that\n"
    "text goes; whatever else was changed in the files since stays. Text between marks that was edited is\n"
    "refused with its line and status 1, and no file changes; so is what files that were not given call.\n"
    "Headers that a file includes are looked at too: beside it, and in the folders of -I. Nothing is "
    "compiled.\n\n"
    "Examples:\n"
    "  hone revert matmul.cu --diff         show what would go\n"
    "  hone revert a.cu b.cu -- -I include  all files that hone was given, with their headers";

// Files by canonical path, each with what it is called in messages; headers after those that include them.
class MarkedFiles {
 public:
  explicit MarkedFiles(const ParseOptions& options) : parse(options) {}

  void add(const std::string& path) {
    checkInput(path);
    const frontend::SourceRequest request = requestFor(path, parse);
    folders.clear();
    const std::vector<std::string> flags = frontend::readFlags(request.flags, request.directory).forClang;
    for (size_t i = 0; i < flags.size(); ++i)
      if (flags[i] == "-I" && i + 1 < flags.size())
        folders.emplace_back(flags[i + 1]);
      else if (flags[i].starts_with("-I"))
        folders.emplace_back(flags[i].substr(2));
    visit(path);
  }

  std::map<std::string, std::string> known;

 private:
  void visit(const std::string& path) {
    if (!known.emplace(canonicalPath(path), path).second) return;
    const std::string text = readFile(path);
    for (size_t at = 0; at < text.size();) {
      const size_t end = std::min(text.find('\n', at), text.size());
      const std::string name = includedName(std::string_view(text).substr(at, end - at));
      at = end + 1;
      if (name.empty()) continue;
      std::vector<fs::path> places = {fs::path(path).parent_path()};
      places.insert(places.end(), folders.begin(), folders.end());
      std::error_code ignored;
      for (const fs::path& place : places)
        if (const fs::path header = place / name; fs::is_regular_file(header, ignored)) {
          visit(header.lexically_normal().string());
          break;
        }
    }
  }

  const ParseOptions& parse;
  std::vector<fs::path> folders;
};

}  // namespace

int runRevert(const Arguments& arguments) {
  CLI::App app("Takes back what hone wrote into source files and leaves everything else as it is.",
               "hone revert");
  std::vector<std::string> paths;
  bool diff = false;
  ParseOptions parse;
  app.add_option("FILE", paths, "source files, best all that hone was given")->required();
  app.add_flag("--diff", diff, "change nothing, print a unified diff");
  app.add_option("-p", parse.databaseFolder, "folder with the compile_commands.json of the program, for -I")
      ->type_name("DIR");
  app.footer(revertFooter);
  if (!parseArguments(app, arguments, true)) return exitDone;
  parse.flags = arguments.compilerFlags;
  loadDatabase(parse);
  MarkedFiles files(parse);
  for (const std::string& path : paths) files.add(path);

  std::map<std::string, std::string> results, shown, expected;
  std::string done;
  bool isEdited = false;
  for (const auto& [file, name] : files.known) {
    const std::string text = readFile(file);
    const emit::FoundMarks found = emit::findMarks(text);
    for (unsigned line : found.edited) fmt::print(stderr, "{}\n", editedBlock(name, line));
    isEdited = isEdited || !found.edited.empty();
    if (found.blocks.empty()) continue;
    results[file] = emit::withoutBlocks(text, found.blocks);
    expected[file] = text;
    shown[file] = emit::unifiedDiff(name, text, results[file]);
    done += fmt::format("{}: {} place{} as before\n", name, found.blocks.size(),
                        found.blocks.size() == 1 ? "" : "s");
  }
  if (isEdited) {
    fmt::print(stderr, "hone revert: nothing was written\n");
    return exitCode;
  }
  checkCallsElsewhere(expected, results);
  if (!diff) fmt::print(stderr, "{}", done);
  for (const std::string& path : paths)
    if (!results.contains(canonicalPath(path)))
      fmt::print(stderr, "{}: nothing in it that hone marked\n", path);
  if (!diff)
    for (const std::string& note : emit::writeAtomically(results, expected))
      fmt::print(stderr, "hone: {}\n", note);
  std::string text;
  for (const auto& [file, change] : shown) text += change;
  if (diff) std::fwrite(text.data(), 1, text.size(), stdout);
  return exitDone;
}

}  // namespace hone::cli
