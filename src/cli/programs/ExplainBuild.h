// What the compiler and the linker of the host say, in terms of the program.
#pragma once

#include <string>

namespace hone::cli {

// Names the library behind a header that was not found; what Clang said otherwise.
std::string explainCompile(const std::string& output);
// Says what a failed link lacks in terms of the program.
std::string explainLink(const std::string& output);

}  // namespace hone::cli
