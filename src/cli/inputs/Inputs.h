// The files a command is given: what to parse, with which flags, and how to name them to the user.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "frontend/CompilationDatabase.h"
#include "frontend/Import.h"

namespace CLI {
class App;
}

namespace hone::cli {

struct ProjectFile;

// Options that every command that parses source has.
struct ParseOptions {
  std::string databaseFolder;  // -p
  std::string cudaPath;
  std::string projectFile;  // --project
  bool noProject = false;
  std::vector<std::string> flags;  // after --
  std::shared_ptr<const frontend::CompilationDatabase> database;
  std::shared_ptr<const ProjectFile> project;  // null: none is found or wanted
};

void addParseOptions(CLI::App& app, ParseOptions& options);

// Throws hone::Error when the file is missing, a folder, or cannot be read.
std::string readFile(const std::string& path);
void checkInput(const std::string& path);

// Reads the database that -p names; throws hone::Error when there is none.
void loadDatabase(ParseOptions& options);

// What to parse for one given file: its command in the database, or that of the file most like it, then the
// flags.
frontend::SourceRequest requestFor(const std::string& path, const ParseOptions& options);

// Include folders in flags made absolute, so that they mean the same seen from another folder.
std::vector<std::string> withAbsolutePaths(std::vector<std::string> flags);

// One name for one file, however it was reached: absolute, links followed.
std::string canonicalPath(const std::string& path);

// Short names for messages: as the user gave a file, else relative to the current folder where it is below
// it.
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
