// Which parts of a launch's arrays are recorded with it (`--data`). What an array is for cannot be seen from
// here: short ones come first, as those that hold places and decide branches mostly are.
#pragma once

#include <map>
#include <unordered_set>

#include "capture/RecordedLaunch.h"

namespace hone::capture {

constexpr uint64_t mostContents = 1 << 30;    // bytes of all arrays together that may be asked for
constexpr uint64_t longestPiece = 256 << 10;  // bytes in one line of the file

struct ContentsPiece {
  uint64_t allocation = 0, from = 0, bytes = 0;  // `from`: in the allocation
};

class ContentsChooser {
 public:
  // Nothing is chosen before.
  void allow(uint64_t bytes) { total = left = bytes; }
  bool isOn() const { return total > 0; }

  // For the first launch of each shape of a kernel (grid, block, lengths of arrays), sixteen shapes of it at
  // most: arrays of up to a sixteenth of the limit whole, of longer ones the begin and fifteen pieces of the
  // rest. A launch has at most half of what is left.
  std::vector<ContentsPiece> choose(const RecordedLaunch& launch);
  bool hasLeftOut() const { return isShort; }  // arrays, of which nothing was chosen for want of room

 private:
  uint64_t total = 0, left = 0;
  bool isShort = false;
  std::unordered_set<std::string> seen;    // shapes
  std::map<std::string, unsigned> shapes;  // of a kernel
};

}  // namespace hone::capture
