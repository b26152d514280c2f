#include "target/Occupancy.h"

#include <algorithm>

namespace hone::target {

namespace {

unsigned roundUp(unsigned value, unsigned unit) { return (value + unit - 1) / unit * unit; }

}  // namespace

Occupancy occupancyOf(const Target& target, const KernelNeeds& needs) {
  Occupancy out;
  const unsigned warpsPerBlock =
      (std::max(1u, needs.threadsPerBlock) + target.warpSize - 1) / target.warpSize;
  const unsigned maxWarps = target.threadsPerMultiprocessor / target.warpSize;
  auto limit = [&](unsigned blocks, const char* by) {
    if (!out.limiter.empty() && blocks >= out.blocks) return;
    out.blocks = blocks;
    out.limiter = by;
  };
  limit(target.blocksPerMultiprocessor, "blocks");
  limit(maxWarps / warpsPerBlock, "threads");
  if (needs.registersPerThread) {
    const unsigned perWarp = roundUp(needs.registersPerThread * target.warpSize, target.registerUnit);
    const unsigned perBlock =
        target.allocatesRegistersByBlock()
            ? roundUp(needs.registersPerThread * target.warpSize * warpsPerBlock, target.registerUnit)
            : perWarp * warpsPerBlock;
    limit(target.registersPerMultiprocessor / perBlock, "registers");
  }
  // Where a block may not ask for all of a multiprocessor's shared memory, the rest is what each block costs
  // by itself.
  const unsigned own = target.sharedPerMultiprocessor - target.sharedPerBlockOptIn;
  if (const unsigned perBlock = roundUp(needs.sharedPerBlock + own, target.sharedUnit))
    limit(target.sharedPerMultiprocessor / perBlock, "shared memory");
  if (needs.threadsPerBlock > target.threadsPerBlock) limit(0, "threads");
  if (needs.sharedPerBlock > target.sharedPerBlockOptIn) limit(0, "shared memory");
  if (needs.registersPerThread > target.registersPerThread) limit(0, "registers");
  out.warps = out.blocks * warpsPerBlock;
  out.share = static_cast<double>(out.warps) / maxWarps;
  return out;
}

}  // namespace hone::target
