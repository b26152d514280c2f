// Options of the commands that look at kernels of files: which files, which kernels, where results go as
// JSON, how to parse.
#pragma once

#include "cli/inputs/GivenFile.h"

namespace hone::cli {

struct Arguments;

struct KernelOptions {
  std::vector<std::string> paths, kernels;
  std::string json;
  ParseOptions parse;
  DisplayNames names;  // of the files, once `take` was called

  void addFiles(CLI::App& app, const std::string& what = "source files", bool areRequired = true);  // FILE
  void addKernels(CLI::App& app);                                 // --kernel
  void addJson(CLI::App& app, const std::string& what);           // --json
  void addParser(CLI::App& app) { addParseOptions(app, parse); }  // -p, --cuda-path

  // After parsing: flags behind `--`, what the project's file says where the command line does not (of these,
  // those that are not null), the database, names for messages. Throws hone::Error.
  void take(const Arguments& arguments, std::string* target = nullptr,
            std::vector<std::string>* captures = nullptr, bool isQuiet = false);
};

// Reads and imports a file; prints what Clang has to say.
GivenFile readGiven(const std::string& path, const ParseOptions& parse);
// The same; throws hone::Error when there is nothing to work with.
GivenFile importGiven(const std::string& path, const ParseOptions& parse, bool isOneOfSeveral = false);

}  // namespace hone::cli
