// What a plan costs who reads the file that it is written into.
#pragma once

#include <cstddef>

#include "ir/Plan.h"

namespace hone::tune {

// Lines of source that it adds beside the original, which stays. 0: it cannot be printed.
size_t linesAdded(const ir::Plan& plan);

}  // namespace hone::tune
