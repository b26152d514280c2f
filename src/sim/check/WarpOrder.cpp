#include "sim/check/WarpOrder.h"

#include <algorithm>

namespace hone::sim {

void WarpOrder::meet(uint32_t mask, uint64_t clock) {
  if (mask == ~uint32_t(0)) {
    all = clock;
    return;
  }
  if (!pairs) {
    pairs = std::make_unique<std::array<Row, warpLanes>>();
    for (Row& row : *pairs) row.fill(0);
  }
  Row joined{};
  for (unsigned lane = 0; lane < warpLanes; ++lane) {
    if (!(mask >> lane & 1)) continue;
    for (unsigned k = 0; k < warpLanes; ++k) joined[k] = std::max(joined[k], (*pairs)[lane][k]);
  }
  for (unsigned lane = 0; lane < warpLanes; ++lane)
    if (mask >> lane & 1) joined[lane] = clock;
  for (unsigned lane = 0; lane < warpLanes; ++lane)
    if (mask >> lane & 1) (*pairs)[lane] = joined;
}

}  // namespace hone::sim
