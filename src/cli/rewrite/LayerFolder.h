// The folder from which hone's OpenCL layer (capture/OpenclReplace.cpp) takes what to enqueue in place of a
// program's kernels.
#pragma once

#include <map>
#include <string>
#include <vector>

namespace hone::cli {

struct LayerEntry {
  std::string stem;                  // of the file that holds the kernels: "mm"
  std::string original, rewritten;   // its text as programs have it, and what hone made of it
  std::string header;                // with the functions that enqueue (emit::enqueueHeader)
  std::string source;                // that hands these to the layer (emit::replacementSource)
  std::vector<std::string> options;  // of the preprocessor (-D, -U) that all this is for
};

// The files of an entry by path; it takes the place of an earlier one for the same text. Makes its folder.
// Throws hone::Error where that cannot be.
std::map<std::string, std::string> layerFiles(const std::string& folder, const LayerEntry& entry);

// Of the flags behind `--` those that say which text the preprocessor takes, each as one word: "-DN=4".
std::vector<std::string> preprocessorOptions(const std::vector<std::string>& flags);

}  // namespace hone::cli
