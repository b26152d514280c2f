// Sizes that kernels are estimated at where nobody tells them.
#pragma once

#include "device/Case.h"

namespace hone::tune {

// Sizes at which a kernel shows what it costs: those given or launched with, larger ones in place of guesses.
device::CaseWish sizesToRank(const device::CaseMaker& maker);

// Parameters that nobody told and that decide how many blocks a launch in sight has, though the kernel bounds
// nothing by them.
std::vector<std::string> gridNumbers(const device::CaseMaker& maker, const device::CaseWish& wish);

// Whether a loop of the kernel runs up to this parameter.
bool boundsLoop(const ir::Kernel& kernel, const std::string& name);

// Whether what is compared with this size tells the threads of a grid apart, as in `for (i = id; i < n; i +=
// all)`.
bool isSharedOut(const device::KernelFacts& facts, const std::string& name);

}  // namespace hone::tune
