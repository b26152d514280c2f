// The files that a compilation database lists, and folders as names for those below them.
#pragma once

#include <string>
#include <vector>

#include "cli/inputs/Inputs.h"

namespace hone::cli {

struct ChosenFiles {
  std::vector<std::string> paths;    // each once, as seen from the current folder where that is above it
  bool areOfDatabase = false;        // some of them were not named one by one
  std::vector<std::string> missing;  // listed, and not there
};

// What a command is to work on: the files given; for a folder, those of the database below it; where nothing
// is given, all of the database. CUDA and OpenCL files by their names, C and C++ files where they have
// kernels in them. Throws hone::Error where there is nothing.
ChosenFiles chooseFiles(const std::vector<std::string>& given, const ParseOptions& parse);

}  // namespace hone::cli
