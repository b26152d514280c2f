// Understands the command lines people build GPU code with: nvcc's, clang's and OpenCL build options.
#pragma once

#include <functional>
#include <string>
#include <vector>

namespace hone::frontend {

/// What a command line says that matters to parsing; everything else is dropped or noted.
struct CompilerFlags {
  /// Preprocessor and language flags in clang's spelling, in their order, with absolute paths.
  std::vector<std::string> forClang;
  /// "sm_90"; empty when the flags name none.
  std::string arch;
  /// "c++17"; empty when the flags name none.
  std::string standard;
  /// "CL1.2"; empty when the flags name none.
  std::string openclStandard;
  /// What -x says ("cuda", "cl", "c++", "c"); empty when it says nothing.
  std::string language;
  std::string cudaPath;
  bool fastMath = false;
  bool relocatableDeviceCode = false;
  bool openmp = false;
  /// The input files that the command line names, absolute.
  std::vector<std::string> inputs;
  /// Words for the user on flags that were skipped.
  std::vector<std::string> notes;
};

/// Reads `flags` as seen from `directory` (empty: the current one). Response files (`@file`, `-optf file`)
/// are read.
CompilerFlags readFlags(const std::vector<std::string>& flags, const std::string& directory);

/// Splits a line of flags as a POSIX shell would, without expanding anything. `endsInQuote` is told of a
/// quote that is not closed.
std::vector<std::string> splitCommandLine(const std::string& line, bool* endsInQuote = nullptr);

/// The words with those of response files (`@file`, `-optf file`, `--options-file=file`) in the place of
/// these; paths are seen from `directory` (empty: the current one). `problem` is told of a file that cannot
/// be read, which then is left out.
std::vector<std::string> withResponseFiles(const std::vector<std::string>& words,
                                           const std::string& directory,
                                           const std::function<void(const std::string&)>& problem);

}  // namespace hone::frontend
