// Collects findings of one launch: one entry per kind, place and array, with how often; a few examples per
// line.
#pragma once

#include <atomic>
#include <map>
#include <mutex>
#include <tuple>
#include <unordered_map>

#include "sim/check/Finding.h"
#include "sim/memory/Access.h"

namespace hone::sim {

// The shape of the launch, to turn linear indices into coordinates.
struct LaunchShape {
  std::array<uint32_t, 3> grid{1, 1, 1}, block{1, 1, 1};
  ThreadId thread(uint64_t linearBlock, uint32_t warp, unsigned lane) const;
};

class Findings {
 public:
  Findings(const Program& program, const LaunchShape& shape);

  // One side of a finding: an instruction executed by a thread.
  struct Side {
    uint32_t pc = 0;
    WarpPlace place;
    unsigned lane = 0;
    bool writes = false, atomic = false;
  };
  struct Where {  // memory a finding is about
    MemorySpace space = MemorySpace::Global;
    std::string array;
    int64_t index = -1, length = -1;
    bool isInBytes = false;  // these, as its elements are not known
  };

  // Thread-safe. Repeats of the same kind at the same instruction(s) and array only count; the example kept
  // is the one of the lowest block, so that it does not depend on which block ran first.
  void add(FindingKind kind, FindingClass cls, const Side& side, const Where* where, const Side* other,
           std::string message);
  // The same without a text to make: true when add was called for these before and a repeat was counted.
  // `array` is any number that tells arrays apart.
  bool repeat(FindingKind kind, FindingClass cls, const Side& side, const Side* other, uint64_t array);
  bool empty() const { return none.load(std::memory_order_relaxed); }
  // In the order of file, line and kind; at most `perLine` for one line and kind. What a worse finding at the
  // same two places says already is left out: the other direction, a missing warp barrier, a same-value
  // write.
  std::vector<Finding> take(unsigned perLine = 3);

 private:
  using Key = std::tuple<FindingKind, FindingClass, uint32_t, uint32_t, std::string>;
  struct Entry {
    Finding finding;
    uint64_t block = 0;
  };
  struct Repeat {
    std::atomic<uint64_t> count = 0, block = 0;
    Key key;
  };
  // A repeat that this thread has counted before, so that it need not wait for others to count it again.
  struct Known {
    uint64_t findings = 0, hash = 0;
    Repeat* repeat = nullptr;
  };
  const Program& program;
  const LaunchShape& shape;
  const uint64_t number;  // of all that were ever made, from 1
  std::mutex mutex;
  std::atomic<bool> none{true};
  std::map<Key, Entry> entries;
  std::unordered_map<uint64_t, Repeat> repeats;  // whose places in memory stay
  Key keyOf(FindingKind kind, FindingClass cls, const Side& side, const Side* other,
            const std::string& array) const;
  Party partyOf(const Side& side) const;
};

}  // namespace hone::sim
