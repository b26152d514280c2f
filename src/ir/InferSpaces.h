// CUDA pointers do not say where they point. Finds, for each pointer variable and function parameter, the one
// space all its values come from (kernel parameters: global), and retypes the module; what mixes stays
// generic.
#pragma once

#include "ir/Kernel.h"

namespace hone::ir {

void inferSpaces(Module& module);

}  // namespace hone::ir
