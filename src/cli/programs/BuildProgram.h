// Builds a CUDA program for the embedded device: host code by Clang against hone's CUDA runtime, kernels as
// byte code that the program carries.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace hone::cli {

// Up to where files are taken. Of several that a command line names nvcc takes the one that ends first, here
// the greatest.
enum class BuildPhase : uint8_t {
  Link,
  Archive,       // -lib
  DeviceLink,    // -dlink: the output is an object with the linked device code
  Object,        // -c, -dc, -dw
  Bundle,        // -fatbin, -cubin, -ptx: the output is what the driver API loads
  Preprocess,    // -E
  Dependencies,  // -M, -MM
};

// The rules for make that -M, -MD and the like ask for.
struct DependencyRequest {
  bool isWrittenBeside = false;  // -MD, -MMD: while compiling
  bool hasSystemHeaders = true;  // not of -MM and -MMD
  bool hasPhonyTargets = false;  // -MP
  std::string file;              // -MF
  std::string target;            // -MT, -MQ, as make reads it
  bool operator==(const DependencyRequest&) const = default;
};

struct BuildRequest {
  std::vector<std::string> sources;    // .cu, .cpp, .cc, .c
  std::vector<std::string> objects;    // .o, .a, .so
  std::vector<std::string> flags;      // for parsing and compiling: -I, -D, -std, -O, …
  std::vector<std::string> hostFlags;  // for the host's side alone: -g, -fPIC, …
  std::vector<std::string> linkFlags;  // -L, -l, -Xlinker
  std::string output;
  std::string outputFolder;  // -odir, for what -o does not name
  BuildPhase phase = BuildPhase::Link;
  std::string bundleEnding;      // of -fatbin, -cubin, -ptx
  bool linksDevice = false;      // -rdc=true, -dc: device code may be in other files
  bool isSharedLibrary = false;  // -shared
  std::string archiver = "ar";
  std::vector<std::string> archiveFlags;  // -Xarchive
  DependencyRequest dependencies;
  bool isRun = false;  // -run: with runArguments, when it is built
  std::vector<std::string> runArguments;
  bool namesHone = false;  // the program starts this hone when it compiles (NVRTC)
  bool verbose = false;
  bool operator==(const BuildRequest&) const = default;
};

struct BuildResult {
  std::vector<std::string> notes;         // kernels left alone, flags skipped
  std::vector<std::string> dependencies;  // every file that was read, absolute
  std::string output;                     // of a link
  std::string printed;                    // what -E and -M have for stdout
};

// Throws hone::Error with what is wrong and what to do; leaves no output then.
BuildResult buildProgram(const BuildRequest& request);

// Reads a command line in nvcc's manner into a request; words it does not know, and those that it skips
// though nvcc would do something here, become notes. Throws hone::Error for what cannot be had.
BuildRequest readBuildWords(std::vector<std::string> words, std::vector<std::string>& notes);

// Whether an option of nvcc's, by its short name, changes nothing here, because it concerns the GPU's machine
// code, warnings of nvcc's, or tools that are not used.
bool isWithoutEffect(const std::string& option);

// A program built from the same files with the same flags before, built now if there is none; notes go to
// stderr.
std::string cachedProgram(BuildRequest request);

}  // namespace hone::cli
