// Collects findings of one launch: one entry per kind, place and array, with how often; a few examples per line.
#pragma once

#include <map>
#include <mutex>
#include <tuple>

#include "sim/Access.h"
#include "sim/Finding.h"

namespace hone::sim {

// The shape of the launch, to turn linear indices into coordinates.
struct LaunchShape {
  std::array<uint32_t, 3> grid{1, 1, 1}, block{1, 1, 1};
  ThreadId thread(uint64_t linearBlock, uint32_t warp, unsigned lane) const;
};

class Findings {
 public:
  Findings(const Program& program, const LaunchShape& shape) : program(program), shape(shape) {}

  // One side of a finding: an instruction executed by a thread.
  struct Side {
    uint32_t pc = 0;
    WarpPlace place;
    unsigned lane = 0;
    bool writes = false, atomic = false;
  };
  struct Where {                 // memory a finding is about
    MemorySpace space = MemorySpace::Global;
    std::string array;
    int64_t index = -1, length = -1;
  };

  // Thread-safe. Repeats of the same kind at the same instruction(s) and array only count.
  void add(FindingKind kind, FindingClass cls, const Side& side, const Where* where, const Side* other, std::string message);
  bool empty() const { return entries.empty(); }
  // In the order of file, line and kind; at most `perLine` for one line and kind.
  std::vector<Finding> take(unsigned perLine = 3);

 private:
  const Program& program;
  const LaunchShape& shape;
  std::mutex mutex;
  std::map<std::tuple<FindingKind, FindingClass, uint32_t, uint32_t, std::string>, Finding> entries;
};

}  // namespace hone::sim
