// The files a command is given: what to parse, with which flags, and how to name them to the user.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "frontend/Import.h"

namespace CLI {
class App;
}

namespace hone::cli {

// Options that every command that parses source has.
struct ParseOptions {
  std::string databaseFolder;  // -p
  std::string cudaPath;
  std::vector<std::string> flags;  // after --
};

void addParseOptions(CLI::App& app, ParseOptions& options);

// Throws hone::Error when the file is missing, a folder, or cannot be read.
std::string readFile(const std::string& path);
void checkInput(const std::string& path);

// What to parse for one given file. With -p, its entry in compile_commands.json; throws hone::Error when the folder has
// none.
frontend::SourceRequest requestFor(const std::string& path, const ParseOptions& options);

// One name for one file, however it was reached: absolute, links followed.
std::string canonicalPath(const std::string& path);

// Short names for messages: as the user gave a file, else relative to the current folder where it is below it.
class DisplayNames {
 public:
  void give(const std::string& path);
  std::string of(const std::string& path) const;

 private:
  std::map<std::string, std::string> given;  // canonical path to the user's spelling
};

// "file:line" with the display name.
std::string placeOf(const ir::SourceLoc& loc, const DisplayNames& names);

}  // namespace hone::cli
