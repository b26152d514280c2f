// A kernel as a GPU's compiler would make it run: short loops unrolled, and arrays of the thread's own whose
// every subscript is then a number taken apart into variables, which live in registers. Counts of local
// memory mean nothing without it.
#pragma once

#include "ir/Kernel.h"
#include "target/Target.h"

namespace hone::sim {

// Unrolls loops of known length that are small, that ask for it (#pragma unroll) or that subscript an array
// of the thread's own by their counter; the kernel as it was where there is nothing to do. Locations stay.
// `doubtful`: gets the bytes of arrays that may stay in memory all the same; nothing asks for the loops that
// subscript them to be unrolled, and these are so large that a compiler may leave them whole.
ir::KernelPtr arraysInRegisters(const ir::KernelPtr& kernel, const target::CompilerModel& compiler,
                                uint64_t* doubtful = nullptr);

}  // namespace hone::sim
