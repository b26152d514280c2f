// One line a file, and one for all of them: what became of the kernels.
#pragma once

#include <string>
#include <vector>

#include "cli/inputs/GivenFile.h"
#include "cli/rewrite/RewriteProgram.h"

namespace hone::cli {

// `hintsAtMore`: where kernels were left as they are, says how to learn why.
std::string summary(const std::vector<KernelOutcome>& outcomes, const DisplayNames& names, bool hintsAtMore);

}  // namespace hone::cli
