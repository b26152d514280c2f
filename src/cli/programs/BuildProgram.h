// Builds a CUDA program for the embedded device: host code by Clang against hone's CUDA runtime, kernels as
// byte code that the program carries.
#pragma once

#include <string>
#include <vector>

namespace hone::cli {

struct BuildRequest {
  std::vector<std::string> sources;    // .cu, .cpp, .cc, .c
  std::vector<std::string> objects;    // .o, .a, .so
  std::vector<std::string> flags;      // for parsing and compiling: -I, -D, -std, -O, …
  std::vector<std::string> linkFlags;  // -L, -l
  std::string output;
  bool compileOnly = false;     // -c
  bool linksDevice = false;     // -rdc=true, -dc: device code may be in other files
  bool deviceLinkOnly = false;  // -dlink: the output is an object with the linked device code
  std::string bundleEnding;     // of -fatbin, -cubin, -ptx: the output is what the driver API loads
  bool namesHone = false;       // the program starts this hone when it compiles (NVRTC)
  bool verbose = false;
};

struct BuildResult {
  std::vector<std::string> notes;         // kernels left alone, flags skipped
  std::vector<std::string> dependencies;  // every file that was read, absolute
};

// Throws hone::Error with what is wrong and what to do; leaves no output then.
BuildResult buildProgram(const BuildRequest& request);

// Reads a command line in nvcc's manner into a request; words it does not know become notes.
BuildRequest readBuildWords(std::vector<std::string> words, std::vector<std::string>& notes);

// A program built from the same files with the same flags before, built now if there is none; notes go to
// stderr.
std::string cachedProgram(BuildRequest request);

}  // namespace hone::cli
