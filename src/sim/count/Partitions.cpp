#include "sim/count/Partitions.h"

#include <algorithm>

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
  auto& asked = moments[Key{place.block / target.multiprocessors, pc, place.warp, turn}];
  const bool isKnown = std::any_of(asked.begin(), asked.end(), [&](const Asked& one) {
    return one.address == address && one.block != place.block;
  });
  if (!isKnown) asked.push_back({address, place.block, pieces});
}

void Partitions::next(uint32_t pc, const WarpPlace& place) { ++turnOf(pc, place); }

void Partitions::finish(std::vector<MemoryCount>& counts) {
  for (const auto& [key, asked] : moments) {
    std::vector<uint64_t> loads(target.partitions);
    uint64_t sum = 0;
    bool isSeveral = false;
    for (const Asked& one : asked) {
      loads[one.address / target.partitionBytes % target.partitions] += one.pieces;
      sum += one.pieces;
      isSeveral = isSeveral || one.block != asked.front().block;
    }
    const uint64_t even = (sum + target.partitions - 1) / target.partitions;
    MemoryCount& count = counts[key.pc];
    count.partitionBusiest += isSeveral ? *std::max_element(loads.begin(), loads.end()) : even;
    count.partitionEven += even;
  }
}

}  // namespace hone::sim
