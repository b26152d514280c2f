// A launch as it is recorded: what the program handed over, as raw bytes, and the memory behind its pointers.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace hone::capture {

// A word of the arguments that points into memory of the device.
struct RecordedPointer {
  uint32_t at = 0;          // in the arguments
  uint64_t allocation = 0;  // its begin, by which allocations are told apart
  uint64_t bytes = 0;       // of the allocation
  uint64_t offset = 0;      // in it
  bool isPool = false;      // a pool may have cut it from more: `bytes` is an upper bound
  bool isManaged = false;
};

struct RecordedLaunch {
  std::string kernel;  // its name in object files
  std::array<uint32_t, 3> grid{1, 1, 1}, block{1, 1, 1};
  uint64_t shared = 0;  // bytes, dynamic
  int device = 0;
  unsigned stream = 0;  // 0: the default one; others by number, in the order they came
  bool isCooperative = false, isInGraph = false;
  std::vector<std::pair<uint32_t, uint32_t>> parameters;  // offset and size
  std::vector<uint8_t> bytes;                             // the arguments
  std::vector<RecordedPointer> pointers;
};

}  // namespace hone::capture
