#include "device/LaunchLimits.h"

#include <fmt/core.h>

namespace hone::device {

namespace {

// Of all compute capabilities from 3.0 on (CUDA C++ Programming Guide, technical specifications). Those of
// OpenCL are each device's own.
constexpr uint64_t mostOfBlock = 1024;
constexpr std::array<uint32_t, 3> mostAlong = {1024, 1024, 64};
constexpr uint32_t mostBlocksBesides = 65535;       // along y and z
constexpr int64_t mostShared = int64_t(227) << 10;  // bytes, where a kernel asks for more than usual
constexpr int64_t mostLocal = int64_t(64) << 20;

}  // namespace

std::string whyNoBlock(ir::Language language, const std::array<uint32_t, 3>& block) {
  if (language == ir::Language::OpenCL) return "";
  const uint64_t threads = uint64_t(block[0]) * block[1] * block[2];
  if (threads > mostOfBlock)
    return fmt::format("a block of {} has {} threads, and no GPU launches more than {}", extentsText(block),
                       threads, mostOfBlock);
  for (size_t axis = 0; axis < 3; ++axis)
    if (block[axis] > mostAlong[axis])
      return fmt::format("a block of {} has {} threads along {}, and no GPU launches more than {}",
                         extentsText(block), block[axis], "xyz"[axis], mostAlong[axis]);
  return "";
}

std::string whyNoGrid(ir::Language language, const std::array<uint32_t, 3>& grid) {
  if (language == ir::Language::OpenCL) return "";
  for (size_t axis = 1; axis < 3; ++axis)
    if (grid[axis] > mostBlocksBesides)
      return fmt::format("a grid of {} has {} blocks along {}, and no GPU launches more than {}",
                         extentsText(grid), grid[axis], "xyz"[axis], mostBlocksBesides);
  return "";
}

std::string whyNotShared(ir::Language language, int64_t bytes) {
  const int64_t most = language == ir::Language::OpenCL ? mostLocal : mostShared;
  if (bytes >= 0 && bytes <= most) return "";
  return fmt::format("{} bytes of shared memory are not possible{}", bytes,
                     bytes < 0 ? "" : fmt::format("; no GPU gives a block more than {}", most));
}

}  // namespace hone::device
