// Device code of several files made one program: kernels that call routines of other files.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "cli/acc/AccWords.h"

namespace hone::cli {

// An object in `scratch` with the kernels that the objects of a link lack; empty: they lack none. Sources are
// read again for it. Throws hone::Error for what no file defines, or more than one.
std::string linkAcc(const AccRequest& request, const std::vector<std::string>& inputs,
                    const std::filesystem::path& scratch);

}  // namespace hone::cli
