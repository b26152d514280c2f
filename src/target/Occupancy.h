// How many blocks of a kernel a multiprocessor holds at a time.
#pragma once

#include <string>

#include "target/Target.h"

namespace hone::target {

struct KernelNeeds {
  unsigned threadsPerBlock = 0;
  unsigned registersPerThread = 0;
  unsigned sharedPerBlock = 0;  // bytes, static and dynamic
};

struct Occupancy {
  unsigned blocks = 0;  // on one multiprocessor; 0: the kernel cannot run
  unsigned warps = 0;
  double share = 0;     // of the warps that a multiprocessor can hold
  std::string limiter;  // "blocks", "threads", "registers", "shared memory"
};

Occupancy occupancyOf(const Target& target, const KernelNeeds& needs);

}  // namespace hone::target
