// hone opt --emit: the kernels of a file alone, as a file of either language.
#pragma once

#include "cli/rewrite/OptOutput.h"

namespace hone::cli {

int emitOther(const std::vector<GivenFile>& files, const RewriteOptions& options, const std::string& language,
              const OptOutput& output, const std::string& json);

}  // namespace hone::cli
