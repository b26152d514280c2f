// The function that runs a kernel and its plan on the caller's data and compares what they leave in memory.
#pragma once

#include "emit/EmitPlan.h"
#include "emit/Emitter.h"

namespace hone::emit {

struct SelfCheckNames {
  std::string function, original, launch;   // the last two as called at the place
  std::string grid, block, shared, stream;  // parameters of the launch function
};

// As source without includes of its own. Arrays that the kernel only writes start out as poison, others as
// the caller's copy. Reports an error to `host` where the kernel takes pointers that no parameter shows.
std::string selfCheckFunction(const ir::Kernel& original, const SelfCheckNames& names, Emitter& host);

}  // namespace hone::emit
