// Where the results of `hone opt` go.
#pragma once

#include <string>
#include <vector>

#include "cli/RewriteProgram.h"

namespace hone::cli {

struct OptOutput {
  std::string path;  // -o
  bool inPlace = false;
  bool diff = false;

  // Throws hone::Error for options that contradict each other or lead nowhere.
  void check(const std::vector<std::string>& inputs, bool kernelsOnly);

  // Whether changed headers have a place to go to.
  bool takesIncludedFiles() const { return inPlace || diff || isFolder; }

  // Remarks to stderr, then the files, the diff or the text; returns the exit status.
  int write(const RewriteProgram& program, const std::vector<GivenFile>& files, const std::string& recipe,
            const std::string& json) const;

  bool isFolder = false;  // `path` is a folder

  // Writes one result text to -o or stdout.
  void writeText(const std::string& text) const;
};

// Remarks of all kernels, in the order of their places.
void printRemarks(const std::vector<KernelOutcome>& outcomes, const DisplayNames& names,
                  const std::string& done);

// Writes JSON to a file, or to stdout for "-".
void writeJson(const std::string& file, const std::string& text);

}  // namespace hone::cli
