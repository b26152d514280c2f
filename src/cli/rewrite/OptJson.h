// What `hone opt` did, as JSON (docs/json.md).
#pragma once

#include <string>
#include <vector>

#include "cli/rewrite/RewriteProgram.h"

namespace hone::cli {

std::string optJson(const RewriteProgram& program, const std::vector<GivenFile>& files,
                    const std::string& recipe, const DisplayNames& names);

}  // namespace hone::cli
