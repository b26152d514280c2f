// Random CUDA kernels that read and write one array within its bounds: subscripts, guards and loops as the
// model must follow them.
#pragma once

#include <string>

#include "RunTable.h"

namespace hone::test {

// One kernel named `random<seed>`.
std::string randomKernel(unsigned seed);
RunLine randomRun(unsigned seed);

}  // namespace hone::test
