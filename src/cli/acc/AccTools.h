// What hone acc starts beside itself: the compiler of the host, and the words it is given.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "cli/acc/AccWords.h"

namespace hone::cli {

// Runs a program whose output is the user's; returns its exit status. Throws hone::Error when there is none.
int runVisibly(const std::vector<std::string>& words, bool isVerbose);

// The compiler with what every compilation needs, the user's flags behind it; language "": by names.
std::vector<std::string> accCompiler(const AccRequest& request, const std::string& language);

// The words of the user that the preprocessor and the parser need.
std::vector<std::string> accParseFlags(const AccRequest& request);

// The value of _OPENACC: OpenACC 3.3.
inline constexpr const char* accMacro = "-D_OPENACC=202211";

// Takes a file that was made to its place at once; a place that is no plain file is written to.
void deliverFile(const std::filesystem::path& made, const std::filesystem::path& place);

}  // namespace hone::cli
