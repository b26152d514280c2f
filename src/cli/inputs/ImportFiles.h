// The files of a command, read and imported.
#pragma once

#include "cli/inputs/GivenFile.h"

namespace hone::cli {

// Each file once, without what hone wrote into it before for the kernels named (all where none is); what
// Clang has to say goes to stderr. False: the code is too broken to write anything, which `keepGoing` puts up
// with where kernels are left that the errors do not reach. Throws hone::Error for a file that cannot be
// read.
bool importAll(const std::vector<std::string>& paths, const ParseOptions& parse, bool keepGoing,
               const std::vector<std::string>& kernels, std::vector<GivenFile>& files);

}  // namespace hone::cli
