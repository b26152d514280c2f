// Where the results of `hone opt` go.
#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "cli/rewrite/RewriteProgram.h"

namespace hone::cli {

struct OptOutput {
  std::string path;   // -o
  std::string layer;  // --layer: a folder for the OpenCL layer
  bool inPlace = false;
  bool diff = false;
  bool isQuiet = false;         // no remarks
  bool isVerbose = false;       // the summary needs not say how to learn more
  bool isPartOfMore = false;    // what is said of files in which nothing changed is left out
  bool enqueueHeaders = false;  // with each OpenCL file goes a header for its host program

  // Throws hone::Error for options that contradict each other or lead nowhere.
  void check(const std::vector<std::string>& inputs, bool kernelsOnly);

  // Whether changed headers have a place to go to.
  bool takesIncludedFiles() const { return inPlace || diff || isFolder; }

  // Remarks to stderr, then the files, the diff or the text; returns the exit status.
  int write(const RewriteProgram& program, const std::vector<GivenFile>& files, const std::string& recipe,
            const std::string& json) const;

  std::string* jsonText = nullptr;  // takes the JSON in place of a file
  // Takes the results in place of all files and remarks. May be null.
  std::function<void(const RewriteProgram&, const std::vector<GivenFile>&)> handOver;
  bool isFolder = false;  // `path` is a folder
  std::string
      commonRoot;  // what a mirrored tree is relative to; empty: the folder that the files have in common

  // The header that goes with an OpenCL file of this name: "k.hone.h" for "k.cl".
  static std::string headerFor(const std::string& file);

  // Whether headers have a place to go to.
  bool takesHeaders() const;

  // Writes one result text to -o or stdout.
  void writeText(const std::string& text) const;
};

// Remarks of all kernels, in the order of their places; `done` says what was done to those that were not left
// alone, where that is neither the recipe nor printing them again. `header` names, for a canonical path, the
// header that is written for it; empty: none. `isForLayer`: nobody has to enqueue kernels of OpenCL.
void printRemarks(const std::vector<KernelOutcome>& outcomes, const DisplayNames& names,
                  const std::string& done, const std::function<std::string(const std::string&)>& header = {},
                  bool isForLayer = false);

// The deepest folder that all files are below.
std::filesystem::path commonFolder(const std::vector<std::string>& files);

// Writes JSON to a file, or to stdout for "-".
void writeJson(const std::string& file, const std::string& text);

}  // namespace hone::cli
