// What compilers do to loops of their own accord, and what they leave.
#pragma once

#include "ir/Kernel.h"

namespace hone::tune {

// Whether threads meet in an innermost loop, by votes, shuffles or barriers: compilers unroll no such loop
// unless they know how often it runs.
bool keepsLoopsWhole(const ir::Kernel& kernel);

}  // namespace hone::tune
