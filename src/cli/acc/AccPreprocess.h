// The text of a source whose constructs come out of macros or headers.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "cli/acc/AccWords.h"

namespace hone::cli {

// As the compiler's -E gives it, with macros in pragmas of OpenACC expanded too. Throws hone::Error with what
// the compiler says.
std::string preprocessedForAcc(const AccInput& input, const AccRequest& request,
                               const std::filesystem::path& scratch);

// The text, as long as it was, without pragmas that ask for a loop to be unrolled and the like where they
// stand beside one of OpenACC: Clang takes no two of them for one loop, nor a call in front of it.
std::string withoutLoopHints(std::string text);

// Flags for reading such a text: files that flags include are in it already.
std::vector<std::string> withoutIncludedFiles(const std::vector<std::string>& flags);

}  // namespace hone::cli
