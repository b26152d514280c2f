// Passes through the banks of shared memory, over the generations.
#include <gtest/gtest.h>

#include "target/CountBanks.h"
#include "target/Lanes.h"

using namespace hone::target;
using namespace hone::target::test;

namespace {

unsigned passes(const BankRules& rules, unsigned bytes, const std::function<uint64_t(unsigned)>& word,
                bool isLoad = true) {
  Lanes offset = lanes([&](unsigned l) { return bytes * word(l); });
  return countWavefronts(offset.data(), ~0u, bytes, isLoad, rules);
}

TEST(Banks, StridesOnHopper) {
  const BankRules rules = BankRules::of(shippedTarget("h200"));
  for (unsigned stride : {1u, 2u, 4u, 8u, 16u, 32u})
    EXPECT_EQ(passes(rules, 4, [=](unsigned l) { return stride * l; }), stride);
  EXPECT_EQ(passes(rules, 4, [](unsigned l) { return 33 * l; }), 1u);
  EXPECT_EQ(passes(rules, 4, [](unsigned) { return 7; }), 1u);
  EXPECT_EQ(passes(rules, 8, [](unsigned l) { return l; }), 2u);
  EXPECT_EQ(passes(rules, 16, [](unsigned l) { return l; }), 4u);
}

TEST(Banks, HalfWarpsAndOneBroadcastOnTesla) {
  const BankRules rules = BankRules::of(shippedTarget("gtx280"));
  EXPECT_EQ(passes(rules, 4, [](unsigned l) { return l; }), 2u);        // one pass for each half warp
  EXPECT_EQ(passes(rules, 4, [](unsigned l) { return 16 * l; }), 32u);  // all lanes in one bank
  EXPECT_EQ(passes(rules, 4, [](unsigned l) { return 17 * l; }), 2u);
  EXPECT_EQ(passes(rules, 4, [](unsigned) { return 5; }), 2u);  // broadcast
  // Pairs of lanes read one word: one word is broadcast in a pass, the others go lane by lane.
  EXPECT_GT(passes(rules, 4, [](unsigned l) { return l / 2; }), 2u);
}

// A tile of 16 by 16 threads reads its own point of an array in shared memory, as in a stencil's inner loop:
// x to the first or to the second subscript, rows padded or not. K20, both element sizes.
unsigned tilePasses(unsigned bytes, unsigned pitch, bool xIsFirst) {
  const BankRules rules = BankRules::of(shippedTarget("k20"));
  unsigned total = 0;
  for (unsigned warp = 0; warp < 8; ++warp)
    total += passes(rules, bytes, [=](unsigned l) {
      const unsigned x = l % 16, y = warp * 2 + l / 16;
      return xIsFirst ? x * pitch + y : y * pitch + x;
    });
  return total;
}

TEST(Banks, PaddingOnK20) {
  for (unsigned bytes : {4u, 8u}) {
    SCOPED_TRACE(bytes);
    const unsigned bad = tilePasses(bytes, 16, true), padded = tilePasses(bytes, 17, true);
    const unsigned good = tilePasses(bytes, 16, false), goodPadded = tilePasses(bytes, 17, false);
    EXPECT_EQ(good, 8u);                // x along rows: one pass for each warp
    EXPECT_GE(bad, 4 * good);           // x along columns: every other row in the same bank
    EXPECT_LE(padded * 2, bad);         // one element of padding takes away half of it or more
    EXPECT_LE(padded, 2 * goodPadded);  // and leaves little to gain by mapping x to rows
    EXPECT_LE(goodPadded, padded);
  }
}

TEST(Banks, WordsOfOneWideBankComeTogetherOnK20) {
  const BankRules rules = BankRules::of(shippedTarget("k20"));
  // Words i and i + 32 of the same 64 share a bank's row; those of the next 64 do not.
  EXPECT_EQ(passes(rules, 4, [](unsigned l) { return l % 2 * 32; }), 1u);
  EXPECT_EQ(passes(rules, 4, [](unsigned l) { return l % 2 * 64; }), 2u);
  EXPECT_EQ(passes(rules, 8, [](unsigned l) { return l; }), 1u);
  BankRules wide = rules;
  wide.bankBytes = 8;  // the 64-bit mode
  EXPECT_EQ(passes(wide, 8, [](unsigned l) { return l; }), 1u);
  EXPECT_EQ(passes(wide, 4, [](unsigned l) { return l % 2 * 32; }), 1u);  // banks 0 and 16
}

TEST(Banks, AtomicsAreServedLaneByLane) {
  const BankRules rules = BankRules::of(shippedTarget("h200"));
  Lanes same = lanes([](unsigned) { return 0; });
  EXPECT_EQ(countAtomicWavefronts(same.data(), ~0u, 4, SharedAtomic::Native, rules), 32u);
  EXPECT_EQ(countAtomicWavefronts(same.data(), ~0u, 4, SharedAtomic::Compare, rules), 64u);
  EXPECT_EQ(countAtomicWavefronts(same.data(), ~0u, 4, SharedAtomic::Loop, rules), 96u);
  EXPECT_EQ(countAtomicWavefronts(lanes([](unsigned l) { return 4 * l; }).data(), ~0u, 4,
                                  SharedAtomic::Native, rules),
            1u);
}

}  // namespace
