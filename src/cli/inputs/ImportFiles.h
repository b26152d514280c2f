// The files of a command, read and imported.
#pragma once

#include "cli/inputs/GivenFile.h"

namespace hone::cli {

struct ImportWish {
  bool keepGoing = false;            // errors that reach kernels stop nothing either
  std::vector<std::string> kernels;  // those that were asked for; none: all
  bool isQuiet = false;              // no notes
};

// Each file once, without what hone wrote into it before for the kernels asked for; what Clang has to say
// goes to stderr. False: the code is too broken to write anything: its errors reach a kernel that was asked
// for, or leave open what they reach. Throws hone::Error for a file that cannot be read.
bool importAll(const std::vector<std::string>& paths, const ParseOptions& parse, const ImportWish& wish,
               std::vector<GivenFile>& files);

}  // namespace hone::cli
