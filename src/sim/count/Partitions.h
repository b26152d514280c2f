// How evenly blocks that run at the same time use the partitions of global memory.
#pragma once

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "sim/count/Counters.h"
#include "target/Target.h"

namespace hone::sim {

// Blocks that follow each other, as many as there are multiprocessors, run in step: the nth execution of an
// instruction by one warp of each of them happens at the same time. What these ask of one partition is served
// one after another; the same address for several blocks is served once, and what all of them ask for alike
// is no matter of how blocks lie to each other.
class Partitions {
 public:
  explicit Partitions(const target::Target& target) : target(target), total(target.partitions) {}

  void add(uint32_t pc, const WarpPlace& place, uint64_t address, unsigned bytes);
  // The request is complete: the next one of this instruction and warp is a later moment.
  void next(uint32_t pc, const WarpPlace& place);

  // Adds partitionBusiest and partitionEven to the counts by pc.
  void finish(std::vector<MemoryCount>& counts);
  const std::vector<uint64_t>& all() const { return total; }

 private:
  struct Key {
    uint64_t wave;
    uint32_t pc, warp, turn;
    bool operator==(const Key&) const = default;
  };
  struct KeyHash {
    size_t operator()(const Key& k) const {
      uint64_t h = k.wave * 0x9e3779b97f4a7c15u ^ (uint64_t(k.pc) << 40 | uint64_t(k.warp) << 32 | k.turn);
      h ^= h >> 29;
      return h * 0xbf58476d1ce4e5b9u;
    }
  };
  const target::Target& target;
  std::vector<uint64_t> total;
  struct Asked {
    uint64_t address, block;
    uint32_t pieces;
  };
  std::unordered_map<Key, std::vector<Asked>, KeyHash> moments;
  std::unordered_map<Key, uint32_t, KeyHash> turns;  // by block, pc and warp

  uint32_t& turnOf(uint32_t pc, const WarpPlace& place);
};

}  // namespace hone::sim
