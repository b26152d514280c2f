// The body of a kernels construct, kernel by kernel.
#pragma once

#include "acc/KernelMaker.h"

namespace hone::acc {

/// Each outermost nest with a loop that may run in parallel becomes a kernel, in the order of the text; what
/// stands between is done by kernels of one thread.
void splitKernels(const frontend::AccRegion& region, const frontend::AccUnit& unit, LoweredRegion& into);

}  // namespace hone::acc
