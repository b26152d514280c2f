#include <thread>

#include <gtest/gtest.h>

#include "sim/ShadowBench.h"

namespace hone::sim::test {
namespace {

using Lines = std::vector<std::string>;
constexpr AccessKind load = AccessKind::Load, store = AccessKind::Store, atomic = AccessKind::Atomic;

ShadowOptions racesOnly() { return {true, false, true}; }
uint64_t own(unsigned lane) { return lane * 4; }
uint64_t zero(unsigned) { return 0; }

TEST(GlobalRaces, ReadByAllWrittenByNone) {
  Launch l(64, 4, racesOnly());
  for (uint32_t b = 0; b < 4; ++b)
    for (uint32_t w = 0; w < 2; ++w) {
      l.global(load, 1, b, w, own, {});
      l.global(load, 2, b, w, zero, {});
    }
  EXPECT_EQ(l.take(), Lines());
  EXPECT_FALSE(l.shadow->foundBlockConflict());
}

TEST(GlobalRaces, WriteAndReadOfTwoBlocks) {
  Launch l(64, 4, racesOnly());
  l.global(store, 1, 0, 0, own, {});
  l.block(0).blockBarrier();
  l.global(load, 2, 1, 0, own, {});
  EXPECT_TRUE(l.shadow->foundBlockConflict());
  EXPECT_EQ(l.take(), Lines{"race/race 2 1 blocks out[0]"});
}

TEST(GlobalRaces, ReaderOfAnyBlockThenWrite) {
  for (uint32_t writer = 0; writer < 3; ++writer) {
    Launch l(64, 4, racesOnly());
    for (uint32_t b : {writer, (writer + 1) % 3, writer}) l.global(load, 1, b, 0, own, {});
    l.global(store, 2, writer, 0, own, {});
    EXPECT_EQ(l.take(), Lines{"race/race 2 1 blocks out[0]"}) << writer;
  }
}

TEST(GlobalRaces, BarrierOrdersTheBlock) {
  Launch l(64, 4, racesOnly());
  l.global(store, 1, 0, 0, own, {});
  l.block(0).blockBarrier();
  l.global(load, 2, 0, 1, own, {});
  EXPECT_EQ(l.take(), Lines());
  l.global(store, 3, 0, 0, own, {});
  EXPECT_EQ(l.take(), Lines{"race/race 3 2 out[0]"});
}

TEST(GlobalRaces, BarrierForLocalMemoryDoesNot) {
  Launch l(64, 4, racesOnly(), true);
  l.global(store, 1, 0, 0, own, {});
  l.block(0).blockBarrier(true, false);
  l.global(load, 2, 0, 1, own, {});
  EXPECT_EQ(l.take(), Lines{"race/race 2 1 out[0]"});
}

TEST(GlobalRaces, GridBarrierOrdersBlocks) {
  Launch l(64, 2, racesOnly());
  l.global(store, 1, 0, 0, own, {});
  for (uint32_t b = 0; b < 2; ++b) l.block(b).gridBarrier(1);
  l.global(load, 2, 1, 0, own, {});
  EXPECT_EQ(l.take(), Lines());
  l.global(store, 3, 0, 0, own, {});
  EXPECT_EQ(l.take(), Lines{"race/race 3 2 blocks out[0]"});
}

TEST(GlobalRaces, NextLaunchStartsClean) {
  Launch l(64, 2, racesOnly());
  l.global(store, 1, 0, 0, own, {});
  l.reset();
  l.global(store, 1, 1, 0, own, {});
  EXPECT_EQ(l.take(), Lines());
}

TEST(GlobalRaces, SameValueOfTwoBlocks) {
  Launch l(64, 2, racesOnly());
  Launch::How one{1, 4, CacheHint::Default, [](unsigned) { return 1u; }};
  l.global(store, 1, 0, 0, zero, one);
  l.global(store, 1, 1, 0, zero, one);
  EXPECT_EQ(l.take(), Lines{"race/same-value 1 1 blocks out[0]"});
}

TEST(GlobalRaces, LastBlockReadsPartialSums) {
  // Each thread or the first one fences; a ticket is taken; the last block reads what all wrote.
  for (int variant = 0; variant < 4; ++variant) {
    Launch l(64, 4, racesOnly(), false, true);
    auto slot = [](uint32_t b, uint32_t w) {
      return [=](unsigned lane) { return 1024 + ((b * 2 + w) * 32 + lane) * 4; };
    };
    for (uint32_t b = 0; b < 4; ++b) {
      for (uint32_t w = 0; w < 2; ++w) {
        l.global(store, 1, b, w, slot(b, w), {});
        if (variant == 0) l.block(b).fence(w, ~0u);
      }
      l.block(b).blockBarrier();
      if (variant == 1) l.block(b).fence(0, 1);
      if (variant == 3) l.block(b).fence(0, 1, true);  // too weak between blocks
      l.global(atomic, 2, b, 0, zero, {1});
      l.block(b).blockBarrier();
    }
    for (uint32_t b = 0; b < 4; ++b)
      for (uint32_t w = 0; w < 2; ++w) l.global(load, 3, 3, w, slot(b, w), {});
    if (variant < 2)
      EXPECT_EQ(l.take(), Lines()) << variant;
    else
      EXPECT_EQ(l.take(), Lines{"race/race 3 1 blocks out[256]"}) << variant;
    EXPECT_TRUE(l.shadow->foundBlockConflict());
  }
}

TEST(GlobalRaces, WriteAfterTheFenceIsNotReleased) {
  Launch l(32, 2, racesOnly(), false, true);
  l.block(0).fence(0, 1);
  l.global(store, 1, 0, 0, own, {});
  l.global(store, 2, 0, 0, [](unsigned) { return 512; }, {1, 4, CacheHint::Volatile, {}});
  l.global(load, 3, 1, 0, [](unsigned) { return 512; }, {1, 4, CacheHint::Volatile, {}});
  l.global(load, 4, 1, 0, own, {});
  EXPECT_EQ(l.take(), Lines{"race/race 4 1 blocks out[0]"});
}

TEST(GlobalRaces, FlagsChainThroughBlocks) {
  // Block b waits for the flag of b - 1, uses what all before wrote, and sets its own.
  Launch l(32, 4, racesOnly(), false, true);
  auto flag = [](uint32_t b) { return [=](unsigned) { return 2048 + b * 4; }; };
  for (uint32_t b = 0; b < 4; ++b) {
    if (b > 0) {
      l.global(load, 1, b, 0, flag(b - 1), {1, 4, CacheHint::Volatile, {}});
      l.block(b).blockBarrier();
    }
    l.global(load, 2, b, 0, zero, {1});
    l.global(store, 3, b, 0, zero, {1});
    l.block(b).blockBarrier();
    l.block(b).fence(0, 1);
    l.global(store, 4, b, 0, flag(b), {1, 4, CacheHint::Volatile, {}});
  }
  EXPECT_EQ(l.take(), Lines());
  // Block 0's own data of long ago, read by block 3, through all flags.
  l.global(store, 5, 0, 0, own, {2});
  l.global(load, 6, 3, 0, own, {2});
  EXPECT_EQ(l.take(), Lines{"race/race 6 5 blocks out[1]"});
}

TEST(GlobalRaces, LockBetweenBlocks) {
  Launch l(64, 3, racesOnly(), false, true);
  for (int iteration = 0; iteration < 2; ++iteration)
    for (uint32_t b = 0; b < 3; ++b)
      for (uint32_t lane : {0u, 5u}) {
        l.global(atomic, 1, b, 0, zero, {1u << lane});
        l.block(b).fence(0, 1u << lane);
        l.global(load, 2, b, 0, [](unsigned) { return 64; }, {1u << lane});
        l.global(store, 3, b, 0, [](unsigned) { return 64; }, {1u << lane});
        l.block(b).fence(0, 1u << lane);
        l.global(atomic, 4, b, 0, zero, {1u << lane});
      }
  EXPECT_EQ(l.take(), Lines());
}

TEST(GlobalRaces, ManyHostThreads) {
  // Blocks of disjoint words are silent and a shared word is seen, whatever the interleaving.
  Launch l(32, 8, racesOnly());
  auto work = [&](uint32_t b, bool meets) {
    std::array<uint64_t, 32> address{};
    std::array<Buffer*, 32> buffers{};
    buffers.fill(&l.buffer);
    for (int i = 0; i < 2000; ++i) {
      for (unsigned lane = 0; lane < 32; ++lane) address[lane] = l.buffer.base + (b * 32 + lane) * 4;
      if (meets && i == 1000) address[3] = l.buffer.base + 40000;
      WarpAccess a;
      a.pc = uint32_t(i % 2);
      a.kind = i % 2 ? load : store;
      a.mask = ~0u;
      a.address = address.data();
      a.buffer = buffers.data();
      a.place = {b, 0};
      l.shadow->global(l.block(b), a);
    }
  };
  for (bool meets : {false, true}) {
    l.reset();
    std::vector<std::thread> threads;
    for (uint32_t b = 0; b < 8; ++b) threads.emplace_back(work, b, meets);
    for (std::thread& t : threads) t.join();
    EXPECT_EQ(l.shadow->foundBlockConflict(), meets);
  }
}

}  // namespace
}  // namespace hone::sim::test
