// The coalescing rules of old and new GPUs on the access patterns they are known by.
#include "target/CoalescingRules.h"

#include <gtest/gtest.h>

#include "ir/Error.h"
#include "target/Lanes.h"

using namespace hone::target;
using namespace hone::target::test;

namespace {

constexpr uint64_t base = 1 << 20;  // arrays begin at multiples of 256 bytes

// An access to floats with the subscript of thread (idx, idy) in iteration i; blocks are 16 threads wide and
// one high.
struct Pattern {
  const char* text;
  std::function<long(long idx, long idy, long tidx, long i)> index;
  long step;  // of the loop over i
  bool isCoalesced;
};

bool allCoalesced(const Pattern& p) {
  for (long bx = 0; bx < 2; ++bx)
    for (long idy = 0; idy < 2; ++idy)
      for (long it = 0; it < 16; ++it) {
        Lanes address = lanes([&](unsigned t) {
          long tidx = t % 16;
          return base + 4 * uint64_t(p.index(bx * 16 + tidx, idy, tidx, it * p.step));
        });
        Transactions found = coalesce(CoalescingRule::Strict16, address.data(), 0xffff, 4);
        EXPECT_EQ(found.groups, 1u);
        if (found.coalesced != 1) return false;
      }
  return true;
}

TEST(Coalescing, StrictVerdictsOfHalfWarps) {
  const long pitch = 1024;
  const Pattern patterns[] = {
      {"a[idy][i]", [=](long, long idy, long, long i) { return idy * pitch + i; }, 1, false},
      {"b[i][idx], pitch 1024", [=](long idx, long, long, long i) { return i * pitch + idx; }, 1, true},
      {"b[i][idx], pitch 1000", [=](long idx, long, long, long i) { return i * 1000 + idx; }, 1, false},
      {"b[idx+i]", [=](long idx, long, long, long i) { return idx + i; }, 1, false},
      {"b[idx+i], i += 16", [=](long idx, long, long, long i) { return idx + i; }, 16, true},
      {"A[idx][0]", [=](long idx, long, long, long) { return idx * pitch; }, 1, false},
      {"A[idy][0]", [=](long, long idy, long, long) { return idy * pitch; }, 1, false},
      {"A[idx]", [=](long idx, long, long, long) { return idx; }, 1, true},
      {"A[2*idx]", [=](long idx, long, long, long) { return 2 * idx; }, 1, false},
      {"A[idx+1]", [=](long idx, long, long, long) { return idx + 1; }, 1, false},
      {"a[idy][i+tidx], i += 16", [=](long, long idy, long tidx, long i) { return idy * pitch + i + tidx; },
       16, true},
  };
  for (const Pattern& p : patterns) EXPECT_EQ(allCoalesced(p), p.isCoalesced) << p.text;
}

TEST(Coalescing, StrictTransactions) {
  Lanes inOrder = lanes([](unsigned t) { return base + 4 * t; });
  Transactions t = coalesce(CoalescingRule::Strict16, inOrder.data(), ~0u, 4);
  EXPECT_EQ(t.count, 2u);
  EXPECT_EQ(t.list[0].bytes, 64u);
  // Lanes that take no part do no harm; one out of order costs all of its half warp.
  EXPECT_EQ(coalesce(CoalescingRule::Strict16, inOrder.data(), 0xfffe, 4).count, 1u);
  std::swap(inOrder[3], inOrder[4]);
  t = coalesce(CoalescingRule::Strict16, inOrder.data(), ~0u, 4);
  EXPECT_EQ(t.count, 17u);
  EXPECT_EQ(t.coalesced, 1u);
  Lanes wide = lanes([](unsigned l) { return base + 16 * l; });
  EXPECT_EQ(coalesce(CoalescingRule::Strict16, wide.data(), 0xffff, 16).count, 2u);
  EXPECT_EQ(coalesce(CoalescingRule::Strict16, lanes([](unsigned l) { return base + l; }).data(), 0xffff, 1)
                .coalesced,
            0u);
}

TEST(Coalescing, SegmentsShrinkToWhatIsUsed) {
  auto one = [](const Lanes& a, unsigned bytes = 4) {
    return coalesce(CoalescingRule::Segments, a.data(), 0xffff, bytes);
  };
  Transactions t = one(lanes([](unsigned l) { return base + 4 * l; }));
  ASSERT_EQ(t.count, 1u);
  EXPECT_EQ(t.list[0].bytes, 64u);
  // Order does not matter any more.
  EXPECT_EQ(one(lanes([](unsigned l) { return base + 4 * (15 - l); })).count, 1u);
  // A shift by one word inside a segment of 128 bytes costs the whole segment, across two segments 64 + 32
  // bytes.
  t = one(lanes([](unsigned l) { return base + 4 * l + 4; }));
  ASSERT_EQ(t.count, 1u);
  EXPECT_EQ(t.list[0].bytes, 128u);
  t = one(lanes([](unsigned l) { return base + 64 + 4 * l + 4; }));
  ASSERT_EQ(t.count, 2u);
  EXPECT_EQ(t.list[0].bytes, 64u);
  EXPECT_EQ(t.list[1].bytes, 32u);
  EXPECT_EQ(t.coalesced, 0u);
  EXPECT_EQ(one(lanes([](unsigned l) { return base + 4096 * l; })).count, 16u);
  EXPECT_EQ(one(lanes([](unsigned) { return base; })).list[0].bytes, 32u);
  EXPECT_EQ(one(lanes([](unsigned l) { return base + l; }), 1).list[0].bytes, 32u);
}

TEST(Coalescing, LinesAndSectors) {
  Lanes inOrder = lanes([](unsigned l) { return base + 4 * l; });
  EXPECT_EQ(coalesce(CoalescingRule::Lines, inOrder.data(), ~0u, 4).count, 1u);
  EXPECT_EQ(coalesce(CoalescingRule::Sectors, inOrder.data(), ~0u, 4).count, 4u);
  Lanes shifted = lanes([](unsigned l) { return base + 4 * l + 4; });
  EXPECT_EQ(coalesce(CoalescingRule::Lines, shifted.data(), ~0u, 4).count, 2u);
  EXPECT_EQ(coalesce(CoalescingRule::Sectors, shifted.data(), ~0u, 4).count, 5u);
  // 16 bytes a lane go by quarter warps, so a line that two of them share is asked for twice.
  Lanes same = lanes([](unsigned) { return base; });
  EXPECT_EQ(coalesce(CoalescingRule::Lines, same.data(), ~0u, 16).count, 4u);
  EXPECT_EQ(coalesce(CoalescingRule::Sectors, same.data(), ~0u, 16).count, 1u);
}

TEST(Coalescing, RulesHaveNames) {
  for (const char* name : {"strict16", "segments", "lines", "sectors"})
    EXPECT_STREQ(str(coalescingRule(name)), name);
  EXPECT_THROW(coalescingRule("loose"), hone::Error);
}

}  // namespace
