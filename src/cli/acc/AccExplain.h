// What hone acc makes of the constructs of a file, for people and as JSON.
#pragma once

#include "cli/acc/AccWords.h"

namespace hone::cli {

// To stdout; returns the exit status.
int explainAcc(const AccRequest& request);

}  // namespace hone::cli
