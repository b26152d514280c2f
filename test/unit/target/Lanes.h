// Addresses of the lanes of a warp, by hand.
#pragma once

#include <array>
#include <functional>
#include <string>

#include "target/CountSectors.h"
#include "target/Target.h"

namespace hone::target::test {

inline const Target& shippedTarget(const std::string& name) {
  static const std::vector<Target> all = loadTargets(std::string(HONE_TEST_DIR) + "/../targets");
  return findTarget(all, name);
}

using Lanes = std::array<uint64_t, warpLanes>;

inline Lanes lanes(const std::function<uint64_t(unsigned)>& address) {
  Lanes out;
  for (unsigned i = 0; i < warpLanes; ++i) out[i] = address(i);
  return out;
}

}  // namespace hone::target::test
