// malloc and free of kernels.
#include "sim/execute/Executor.h"

namespace hone::sim {

void Executor::heapCall(BlockRun& b, Warp& w, const CallSite& site, uint32_t pc, uint32_t mask) {
  const uint64_t* given = reg<uint64_t>(w, site.args[0]);
  if (site.function == "device_malloc") {
    uint64_t* const result = reg<uint64_t>(w, site.results[0]);
    for (unsigned l = 0; l < warpLanes; ++l)
      if ((mask >> l) & 1) result[l] = launch.memory.takeFromHeap(given[l]);
    return;
  }
  uint32_t bad = 0;
  for (unsigned l = 0; l < warpLanes; ++l)
    if (((mask >> l) & 1) && given[l] && !launch.memory.giveToHeap(given[l])) bad |= 1u << l;
  if (!bad) return;
  fault(FindingKind::WildPointer, b, w, pc, bad,
        "frees an address that the heap did not give, or that was freed before");
}

}  // namespace hone::sim
