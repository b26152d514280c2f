#include <gtest/gtest.h>

#include "sim/ShadowBench.h"

namespace hone::sim::test {
namespace {

using Lines = std::vector<std::string>;
constexpr AccessKind load = AccessKind::Load, store = AccessKind::Store, atomic = AccessKind::Atomic;

ShadowOptions racesOnly() { return {true, false, true}; }
uint64_t own(unsigned lane) { return lane * 4; }

TEST(SharedRaces, OwnWordsAreFine) {
  Launch l(64, 1, racesOnly());
  for (uint32_t w = 0; w < 2; ++w) {
    auto at = [&](unsigned lane) { return (w * 32 + lane) * 4; };
    l.shared(store, 1, 0, w, at, {});
    l.shared(load, 2, 0, w, at, {});
    l.shared(store, 3, 0, w, at, {});
  }
  EXPECT_EQ(l.take(), Lines());
}

TEST(SharedRaces, WriteThenReadOfAnotherWarp) {
  Launch l(64, 1, racesOnly());
  l.shared(store, 1, 0, 0, own, {});
  l.shared(load, 2, 0, 1, own, {});
  EXPECT_EQ(l.take(), Lines{"race/race 2 1 tile[0]"});
}

TEST(SharedRaces, BarrierOrders) {
  Launch l(64, 1, racesOnly());
  l.shared(store, 1, 0, 0, own, {});
  l.block(0).blockBarrier();
  l.shared(load, 2, 0, 1, own, {});
  l.block(0).blockBarrier();
  l.shared(store, 3, 0, 0, own, {});
  EXPECT_EQ(l.take(), Lines());
}

TEST(SharedRaces, BarrierForGlobalMemoryDoesNot) {
  Launch l(64, 1, racesOnly(), true);
  l.shared(store, 1, 0, 0, own, {});
  l.block(0).blockBarrier(false, true);
  l.shared(load, 2, 0, 1, own, {});
  EXPECT_EQ(l.take(), Lines{"race/race 2 1 tile[0]"});
}

TEST(SharedRaces, ReadThenWriteOfAnotherWarp) {
  Launch l(64, 1, racesOnly());
  l.shared(load, 1, 0, 0, own, {});
  l.shared(store, 2, 0, 1, own, {});
  EXPECT_EQ(l.take(), Lines{"race/race 2 1 tile[0]"});
}

TEST(SharedRaces, EveryReaderCountsForALaterWrite) {
  // Whoever writes, a reader of another warp is remembered, in whatever order the readers came.
  for (uint32_t writer = 0; writer < 4; ++writer) {
    Launch l(128, 1, racesOnly());
    for (uint32_t w : {writer, (writer + 1) % 4, writer, writer}) l.shared(load, 1, 0, w, own, {});
    l.shared(store, 2, 0, writer, own, {});
    EXPECT_EQ(l.take(), Lines{"race/race 2 1 tile[0]"}) << writer;
  }
}

TEST(SharedRaces, BroadcastReadThenWriteByOneOfTheReaders) {
  Launch l(32, 1, racesOnly());
  l.shared(load, 1, 0, 0, [](unsigned) { return 40; }, {});
  l.shared(store, 2, 0, 0, [](unsigned) { return 40; }, {1u << 7});
  EXPECT_EQ(l.take(), Lines{"missing-warp-sync/race 2 1 tile[10]"});
}

TEST(SharedRaces, WarpBarrierOrdersTheLanesItNames) {
  Launch l(32, 1, racesOnly());
  auto neighbour = [](unsigned lane) { return (lane ^ 1) * 4; };
  l.shared(store, 1, 0, 0, own, {});
  l.shared(load, 2, 0, 0, neighbour, {});
  EXPECT_EQ(l.take(), Lines{"missing-warp-sync/race 2 1 tile[1]"});
  l.reset();
  l.shared(store, 1, 0, 0, own, {});
  l.block(0).warpBarrier(0, ~0u);
  l.shared(load, 2, 0, 0, neighbour, {});
  EXPECT_EQ(l.take(), Lines());
  l.reset();
  l.shared(store, 1, 0, 0, own, {});
  l.block(0).warpBarrier(0, 0xffff);
  l.shared(load, 2, 0, 0, neighbour, {0xffff});
  EXPECT_EQ(l.take(), Lines());
  l.shared(load, 2, 0, 0, neighbour, {0xffff0000});
  EXPECT_EQ(l.take(), Lines{"missing-warp-sync/race 2 1 tile[17]"});
}

TEST(SharedRaces, PartialWarpBarriersChain) {
  Launch l(32, 1, racesOnly());
  l.shared(store, 1, 0, 0, own, {1u});
  l.block(0).warpBarrier(0, 0b011);
  l.block(0).warpBarrier(0, 0b110);
  l.shared(load, 2, 0, 0, [](unsigned) { return 0; }, {0b100});
  EXPECT_EQ(l.take(), Lines());
}

TEST(SharedRaces, LockstepWarps) {
  Launch l(64, 1, {true, false, false});
  l.shared(store, 1, 0, 0, own, {});
  l.shared(load, 2, 0, 0, [](unsigned lane) { return (lane ^ 1) * 4; }, {});
  EXPECT_EQ(l.take(), Lines());
  l.shared(store, 3, 0, 0, [](unsigned) { return 0; }, {0b11});
  EXPECT_EQ(l.take(), Lines{"race/race 3 3 tile[0]"});
  l.shared(load, 4, 0, 1, own, {});
  EXPECT_EQ(l.take(), Lines({"race/race 4 1 tile[1]", "race/race 4 3 tile[0]"}));
}

TEST(SharedRaces, OneInstructionToOneAddress) {
  Launch l(32, 1, racesOnly());
  l.shared(store, 1, 0, 0, [](unsigned) { return 8; }, {});
  EXPECT_EQ(l.take(), Lines{"race/race 1 1 tile[2]"});
  l.reset();
  l.shared(store, 1, 0, 0, [](unsigned) { return 8; },
           {~0u, 4, CacheHint::Default, [](unsigned) { return 7; }});
  EXPECT_EQ(l.take(), Lines{"race/same-value 1 1 tile[2]"});
}

TEST(SharedRaces, SameValueOfAnotherWarpIsAWarning) {
  Launch l(64, 1, racesOnly());
  auto seven = [](unsigned) { return 7u; };
  l.shared(store, 1, 0, 0, [](unsigned) { return 8; }, {1, 4, CacheHint::Default, seven});
  l.shared(store, 1, 0, 1, [](unsigned) { return 8; }, {1, 4, CacheHint::Default, seven});
  EXPECT_EQ(l.take(), Lines{"race/same-value 1 1 tile[2]"});
}

TEST(SharedRaces, LoopOverOneInstruction) {
  Launch l(32, 1, racesOnly());
  l.shared(store, 1, 0, 0, own, {});
  l.shared(store, 1, 0, 0, [](unsigned lane) { return (lane + 1) * 4; }, {});
  EXPECT_EQ(l.take(), Lines{"missing-warp-sync/race 1 1 tile[1]"});
}

TEST(SharedRaces, Atomics) {
  Launch l(64, 1, racesOnly());
  auto zero = [](unsigned) { return 0; };
  l.shared(atomic, 1, 0, 0, zero, {});
  l.shared(atomic, 2, 0, 1, zero, {});
  EXPECT_EQ(l.take(), Lines());
  l.shared(load, 3, 0, 0, zero, {1});
  EXPECT_EQ(l.take(), Lines{"race/race 3 2 tile[0]"});
  l.block(0).blockBarrier();
  l.shared(load, 3, 0, 0, zero, {1});
  l.shared(atomic, 4, 0, 1, zero, {1});
  EXPECT_EQ(l.take(), Lines{"race/race 4 3 tile[0]"});
}

TEST(SharedRaces, WhoeverTookTheLastTicketMayReset) {
  Launch l(64, 1, racesOnly());
  auto zero = [](unsigned) { return 0; };
  l.shared(atomic, 1, 0, 0, zero, {1});
  l.shared(atomic, 1, 0, 1, zero, {1});
  l.shared(store, 2, 0, 1, zero, {1});
  EXPECT_EQ(l.take(), Lines());
}

TEST(SharedRaces, BytesOfOneWord) {
  Launch l(64, 1, racesOnly());
  auto byte = [](unsigned lane) { return lane; };
  l.shared(store, 1, 0, 0, byte, {~0u, 1});
  l.shared(load, 2, 0, 0, byte, {~0u, 1});
  EXPECT_EQ(l.take(), Lines());
  l.shared(load, 3, 0, 1, [](unsigned) { return 4; }, {1, 4});
  EXPECT_EQ(l.take(), Lines{"race/race 3 1 tile[1]"});
  l.shared(store, 4, 0, 1, [](unsigned lane) { return 32 + lane; }, {~0u, 1});
  EXPECT_EQ(l.take(), Lines());
}

TEST(SharedRaces, WordFirstBytesLater) {
  Launch l(64, 1, racesOnly());
  l.shared(store, 1, 0, 0, own, {});
  l.shared(load, 2, 0, 1, [](unsigned lane) { return 2 + lane * 4; }, {1, 1});
  EXPECT_EQ(l.take(), Lines{"race/race 2 1 tile[0]"});
}

TEST(SharedRaces, WideAccesses) {
  Launch l(64, 1, racesOnly());
  l.shared(store, 1, 0, 0, [](unsigned lane) { return lane * 16; }, {~0u, 16});
  l.shared(store, 1, 0, 1, [](unsigned lane) { return 512 + lane * 16; }, {~0u, 16});
  EXPECT_EQ(l.take(), Lines());
  l.shared(load, 2, 0, 1, [](unsigned) { return 12; }, {1, 4});
  EXPECT_EQ(l.take(), Lines{"race/race 2 1 tile[3]"});
}

TEST(SharedRaces, AnotherBlockStartsClean) {
  Launch l(64, 2, racesOnly());
  for (int i = 0; i < 3; ++i) {
    l.shared(store, 1, 0, uint32_t(i) % 2, own, {});
    l.block(0).restart(0);
  }
  EXPECT_EQ(l.take(), Lines());
}

TEST(SharedRaces, TwoRowsOfATile) {
  // Half a warp reads one word, the other half another; then each half reads a row that begins off the other.
  Launch l(64, 1, racesOnly());
  l.shared(store, 1, 0, 0, own, {});
  l.shared(load, 2, 0, 1, [](unsigned lane) { return 256 + (lane / 16) * 4; }, {});
  l.shared(load, 3, 0, 1, [](unsigned lane) { return 512 + (lane / 16) * 68 + lane % 16 * 4; }, {});
  EXPECT_EQ(l.take(), Lines());
  l.shared(load, 4, 0, 1, [](unsigned lane) { return 64 + (lane / 16) * 1024; }, {});
  EXPECT_EQ(l.take(), Lines{"race/race 4 1 tile[16]"});
}

TEST(SharedRaces, DynamicArrayIsNamed) {
  Launch l(64, 1, racesOnly());
  l.shared(store, 1, 0, 0, [](unsigned lane) { return 2048 + lane * 4; }, {});
  l.shared(load, 2, 0, 1, [](unsigned lane) { return 2048 + lane * 4; }, {2});
  EXPECT_EQ(l.take(), Lines{"race/race 2 1 rest[1]"});
}

TEST(SharedRaces, VolatileFlagsAndVolatileData) {
  // Without a fence and without anyone waiting, volatile orders nothing between warps.
  Launch l(64, 1, racesOnly());
  l.shared(store, 1, 0, 0, own, {~0u, 4, CacheHint::Volatile, {}});
  l.shared(load, 2, 0, 1, own, {~0u, 4, CacheHint::Volatile, {}});
  EXPECT_EQ(l.take(), Lines{"race/race 2 1 tile[0]"});
  Launch withFence(64, 1, racesOnly(), false, true);
  withFence.shared(store, 1, 0, 0, own, {~0u, 4, CacheHint::Volatile, {}});
  withFence.shared(load, 2, 0, 1, own, {~0u, 4, CacheHint::Volatile, {}});
  EXPECT_EQ(withFence.take(), Lines());
  // In one warp it is old warp-synchronous code.
  withFence.shared(load, 3, 0, 0, [](unsigned lane) { return (lane ^ 1) * 4; },
                   {~0u, 4, CacheHint::Volatile, {}});
  EXPECT_EQ(withFence.take(), Lines{"missing-warp-sync/race 3 1 tile[1]"});
}

TEST(SharedRaces, LockOrdersCriticalSections) {
  auto section = [](Launch& l, uint32_t warp, bool fences) {
    auto lock = [](unsigned) { return 100; };
    auto data = [](unsigned) { return 200; };
    l.shared(atomic, 1, 0, warp, lock, {1});
    if (fences) l.block(0).fence(warp, 1, true);
    l.shared(load, 2, 0, warp, data, {1});
    l.shared(store, 3, 0, warp, data, {1});
    if (fences) l.block(0).fence(warp, 1, true);
    l.shared(atomic, 4, 0, warp, lock, {1});
  };
  Launch l(64, 1, racesOnly(), false, true);
  for (int i = 0; i < 3; ++i) {
    section(l, 0, true);
    section(l, 1, true);
  }
  EXPECT_EQ(l.take(), Lines());
  Launch bad(64, 1, racesOnly(), false, true);
  section(bad, 0, false);
  section(bad, 1, false);
  EXPECT_EQ(bad.take(), Lines({"race/race 2 3 tile[50]", "race/race 3 3 tile[50]"}));
}

}  // namespace
}  // namespace hone::sim::test
