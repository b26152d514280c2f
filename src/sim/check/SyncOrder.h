// Order through memory: a fence and then an atomic or volatile write release what was done before the fence;
// an atomic or volatile read of the same place acquires it. Asked only when two accesses look like a race.
#pragma once

#include <atomic>
#include <cstdint>
#include <mutex>
#include <unordered_map>
#include <vector>

namespace hone::sim {

// How far one releasing write reaches: the accesses of its block with clocks below these.
struct Released {
  uint64_t block = 0;
  uint32_t thread = 0;
  uint64_t wholeBlock = 0, ownWarp = 0;          // seen by other blocks
  uint64_t wholeBlockNear = 0, ownWarpNear = 0;  // seen within the block, where block-scope fences serve too
  uint64_t at = 0;                               // clock of the releasing write itself
  bool covers(const Released& other) const;
};

// "Has seen the first `count` releases at this place."
struct Seen {
  uint32_t variable = 0;
  uint32_t count = 0;
};
using SeenSet = std::vector<Seen>;  // one entry per variable
void merge(SeenSet& into, const SeenSet& from);

class SyncOrder {
 public:
  bool any() const { return active.load(std::memory_order_relaxed); }

  void release(uint64_t place, const Released& released, const SeenSet* warpSeen, const SeenSet* blockSeen);
  void acquire(uint64_t place, SeenSet& seen);
  // Whether the access (block, thread, clock) comes before everything that someone who has seen these does
  // now. `place` is where: a releasing write lies before those that follow a read of what it wrote.
  bool ordered(uint64_t place, uint64_t block, uint32_t thread, uint64_t clock, bool sameBlock,
               const SeenSet* warpSeen, const SeenSet* blockSeen);

 private:
  struct Variable {
    uint64_t place = 0;
    std::vector<Released> releases;
    std::unordered_map<uint64_t, std::vector<uint32_t>> byBlock;  // positions in `releases`
    std::unordered_map<uint64_t, uint32_t> lastOfThread;          // by block and thread
    struct Known {
      uint32_t position;
      Seen seen;
    };
    std::vector<Known> known;  // what the releasing threads had seen elsewhere
    std::unordered_map<uint32_t, uint32_t> knownCount;
  };
  std::mutex mutex;
  std::atomic<bool> active{false};
  std::unordered_map<uint64_t, uint32_t> places;
  std::vector<Variable> variables;
};

}  // namespace hone::sim
