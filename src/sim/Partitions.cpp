#include "sim/Partitions.h"

#include <algorithm>
#include <numeric>

namespace hone::sim {

namespace {

constexpr uint32_t turnsKept = 64;  // later turns of a loop repeat the pattern of the first

}  // namespace

uint32_t& Partitions::turnOf(uint32_t pc, const WarpPlace& place) {
  return turns[Key{place.block, pc, place.warp, 0}];
}

void Partitions::add(uint32_t pc, const WarpPlace& place, uint64_t address, unsigned bytes) {
  const uint64_t partition = address / target.partitionBytes % target.partitions;
  // Requests are served in pieces of 32 bytes.
  const unsigned pieces = std::max(1u, bytes / 32);
  total[partition] += pieces;
  const uint32_t turn = turnOf(pc, place);
  if (turn >= turnsKept) return;
  auto& loads = moments[Key{place.block / target.multiprocessors, pc, place.warp, turn}];
  loads.resize(target.partitions);
  loads[partition] += pieces;
}

void Partitions::next(uint32_t pc, const WarpPlace& place) { ++turnOf(pc, place); }

void Partitions::finish(std::vector<MemoryCount>& counts) {
  for (const auto& [key, loads] : moments) {
    const uint64_t sum = std::accumulate(loads.begin(), loads.end(), uint64_t(0));
    MemoryCount& count = counts[key.pc];
    count.partitionBusiest += *std::max_element(loads.begin(), loads.end());
    count.partitionEven += (sum + target.partitions - 1) / target.partitions;
  }
}

}  // namespace hone::sim
