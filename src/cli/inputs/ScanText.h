// Finds kernels by looking at text alone: in files that no compiler was run on, and inside string literals.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace hone::cli {

struct TextKernel {
  std::string name;
  unsigned line = 0;  // of a kernel in a string: the line where the string begins
  bool isOpenCL = false;
};

struct TextScan {
  std::vector<TextKernel> inCode;     // definitions, comments and strings left out
  std::vector<TextKernel> inStrings;  // definitions inside string literals
};

TextScan scanText(std::string_view text);

// "x.h" of `#include "x.h"` or `#include <x.h>`; empty for other lines.
std::string includedName(std::string_view line);

}  // namespace hone::cli
