// What a command line of nvcc asks for, as far as it concerns who rewrites sources on the way.
#pragma once

#include <string>
#include <vector>

namespace hone::cli {

struct NvccCall {
  struct Source {
    size_t word = 0;   // of `words`
    std::string path;  // as written there
  };
  std::vector<std::string> words;            // with those of response files in their place
  std::vector<Source> sources;               // CUDA files that are compiled; none: nothing to rewrite
  std::vector<std::string> otherTexts;       // further files that the compiler reads as source
  std::vector<std::string> flags;            // the words but the input files
  std::string whyNot;                        // why nothing is rewritten, for the log
  std::vector<int> architectures;            // 80 for sm_80 and compute_80, each once, rising
  bool hasOpenArchitecture = false;          // "native", "all" and the like
  bool writesDependencies = false;           // -MD and the like, beside the output
  std::string output;                        // -o
  std::vector<std::string> dependencyFiles;  // -MF

  // Where nvcc may have put the dependencies of a source.
  std::vector<std::string> dependencyCandidates(const Source& source) const;

 private:
  friend NvccCall readNvccCall(std::vector<std::string> words);
  std::string outputFolder;  // -odir
};

// Never throws: what cannot be read is for nvcc to complain about.
NvccCall readNvccCall(std::vector<std::string> words);

}  // namespace hone::cli
