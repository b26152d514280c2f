// What the warp barriers of one warp order: an access of one lane before a later one of another.
#pragma once

#include <array>
#include <cstdint>
#include <memory>

#include "sim/bytecode/Program.h"

namespace hone::sim {

class WarpOrder {
 public:
  // Lanes of `mask` met; accesses made before have clocks below `clock`.
  void meet(uint32_t mask, uint64_t clock);
  // Whether an access of `earlier` at clock `at` lies before the last meeting that reaches `later`.
  bool ordered(unsigned earlier, unsigned later, uint64_t at) const {
    return at < all || (pairs && at < (*pairs)[later][earlier]);
  }

 private:
  using Row = std::array<uint64_t, warpLanes>;  // by lane: what is known of it
  uint64_t all = 0;
  std::unique_ptr<std::array<Row, warpLanes>> pairs;  // by lane that knows; made by the first partial barrier
};

}  // namespace hone::sim
