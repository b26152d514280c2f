// The command line of hone acc, in the manner of gcc -fopenacc.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "cli/acc/AccRecipes.h"

namespace hone::cli {

enum class AccPhase : uint8_t { Preprocess, Check, Assembly, Object, Link };  // -E -M, -fsyntax-only, -S, -c

struct AccInput {
  std::string path;
  std::string language;   // "c" or "c++"; others are the compiler's alone
  bool isSource = false;  // else an object, an archive, a library, a word of the linker: as given
  bool isPlain = false;   // a source without OpenACC: assembly, stdin, preprocessed text of others
};

struct AccRequest {
  AccPhase phase = AccPhase::Link;
  std::vector<AccInput> inputs;              // in their order
  std::vector<std::string> compileFlags;     // for the compiler of the host and for reading regions
  std::vector<std::string> commonFlags;      // for compiling and linking: what has no meaning of its own here
  std::vector<std::string> linkFlags;        // for linking alone, without libraries
  std::vector<std::string> dependencyFlags;  // -MD -MMD -MP -MF -MT -MQ
  std::string output;
  std::string directory;  // what flags are relative to; empty: the current one
  bool isShared = false;
  bool isNaive = false;  // -O0: kernels stay as they are made
  bool usesOpenMp = false;
  bool isVerbose = false;
  bool isQuery = false;                   // asks the compiler about itself: its business
  bool explains = false, isJson = false;  // --explain
  std::vector<std::string> words;         // as given, for queries
  DeviceRewriter rewrite;                 // by recipes; none: kernels stay as they are made
};

// Throws hone::Error for what cannot be had.
AccRequest readAccWords(const std::vector<std::string>& words);

}  // namespace hone::cli
