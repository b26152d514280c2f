// Everything that a command line of hone acc asks for, done.
#pragma once

#include "cli/acc/AccWords.h"

namespace hone::cli {

// Returns the exit status; throws hone::Error.
int buildAcc(const AccRequest& request);

}  // namespace hone::cli
