// The options that a program gives NVRTC.
#pragma once

#include <string>
#include <vector>

namespace hone::cli {

struct RunTimeOptions {
  std::vector<std::string> flags;           // -I, -D, -U, -include, -std, -arch, -use_fast_math
  std::string architecture = "compute_90";  // as given
  bool isDeviceCode = false;                // functions without a word are __device__
  bool searchesSourceFolder = true;
  std::string problem;  // what is wrong with an option, as NVRTC says it; empty: nothing
};

RunTimeOptions readRunTimeOptions(const std::vector<std::string>& words);

}  // namespace hone::cli
