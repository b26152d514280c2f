// The compiler of the host and other programs that a build starts.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace hone::cli {

std::string hostCompiler();

// A folder of our own that is gone when the build ends.
struct Scratch {
  std::filesystem::path folder;
  Scratch();
  ~Scratch();
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;
};

struct Ran {
  int status = 0;
  std::string output;  // both streams
};

// Throws hone::Error when there is no such program.
Ran runTool(const std::vector<std::string>& words, const std::filesystem::path& scratch, bool verbose);

}  // namespace hone::cli
