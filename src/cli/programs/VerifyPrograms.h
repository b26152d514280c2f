// Two whole CUDA programs on the embedded device: do they print and write the same?
#pragma once

#include <string>
#include <vector>

namespace hone::cli {

struct ProgramPair {
  std::string first, second;           // a .cu file, or a folder with the sources of a program
  std::vector<std::string> flags;      // for building both
  std::vector<std::string> arguments;  // for both
};

// Prints the verdict; returns the exit status of hone verify.
int verifyPrograms(const ProgramPair& pair);

}  // namespace hone::cli
