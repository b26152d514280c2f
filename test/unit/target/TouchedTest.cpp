// The blocks that a warp touches, against looking each of them up.
#include "target/CountSectors.h"

#include <gtest/gtest.h>

#include <random>

#include "target/Lanes.h"

using namespace hone::target;
using namespace hone::target::test;

namespace {

// Each block when the first lane comes to it, one after the other.
Touched plainlyTouched(const uint64_t* address, uint32_t mask, unsigned bytes, unsigned blockBytes) {
  Touched out;
  for (unsigned lane = 0; lane < warpLanes; ++lane) {
    if (!(mask >> lane & 1)) continue;
    const uint64_t block = address[lane] / blockBytes;
    unsigned at = 0;
    while (at < out.count && out.block[at] != block) ++at;
    if (at == out.count) {
      out.block[at] = block;
      out.bytes[at] = 0;
      ++out.count;
    }
    for (unsigned k = 0; k < bytes; ++k)
      out.bytes[at] |= uint32_t(1) << (address[lane] % blockBytes + k) % 32;
  }
  return out;
}

TEST(Touched, AnyAddresses) {
  std::mt19937 random(11);
  unsigned rows = 0;
  for (unsigned k = 0; k < 20000; ++k) {
    const unsigned bytes = 1u << random() % 5, blockBytes = random() % 4 ? 32 : 128;
    const uint64_t base = (1 << 20) + random() % 64 * bytes;
    // Rows, one place, rows of some lanes, strides, falling rows, anything.
    const unsigned form = random() % 6, part = 1u << random() % 5, stride = random() % 40;
    const Lanes address = lanes([&](unsigned lane) -> uint64_t {
      switch (form) {
        case 0: return base + lane * bytes;
        case 1: return base;
        case 2: return base + lane % part * bytes + lane / part * uint64_t(stride) * bytes;
        case 3: return base + uint64_t(lane) * stride * bytes;
        case 4: return base + (warpLanes - lane) * bytes;
        default: return base + random() % 300 * bytes;
      }
    });
    const uint32_t mask = random() % 2 ? ~uint32_t(0) : static_cast<uint32_t>(random());
    rows += form == 0 && mask == ~uint32_t(0);
    const Touched found = touchedBlocks(address.data(), mask, bytes, blockBytes),
                  plain = plainlyTouched(address.data(), mask, bytes, blockBytes);
    ASSERT_EQ(found.count, plain.count) << k;
    for (unsigned i = 0; i < plain.count; ++i) {
      ASSERT_EQ(found.block[i], plain.block[i]) << k;
      ASSERT_EQ(found.bytes[i], plain.bytes[i]) << k;
    }
  }
  EXPECT_GT(rows, 1000u);
}

}  // namespace
