// The profiler on hand-made accesses: caches, partitions, samples.
#include <gtest/gtest.h>

#include "sim/Accesses.h"
#include "sim/count/MemorySystem.h"

using namespace hone::sim;
using namespace hone::sim::test;

namespace {

constexpr uint64_t base = uint64_t(1) << 32;

ProfileOptions exactly() {
  ProfileOptions options;
  options.exact = true;
  return options;
}

LaunchShape shapeOf(uint32_t blocks, uint32_t threads) {
  LaunchShape s;
  s.grid = {blocks, 1, 1};
  s.block = {threads, 1, 1};
  return s;
}

TEST(Profiler, CopyMovesEachSectorOnce) {
  const Program program = programOf({Op::Load, Op::Store});
  const unsigned blocks = 4096;
  Profiler profiler(program, shippedTarget("h200"), shapeOf(blocks, 32), exactly());
  for (uint64_t b = 0; b < blocks; ++b) {
    const unsigned sm = static_cast<unsigned>(b % 132);
    profiler.startBlock(sm, b, 1);
    Lanes from = lanes([&](unsigned l) { return base + 4 * (b * 32 + l); });
    Lanes to = lanes([&](unsigned l) { return 2 * base + 4 * (b * 32 + l); });
    WarpAccess load = accessOf(from, 4), store = accessOf(to, 4, AccessKind::Store);
    store.pc = 1;
    profiler.access(sm, load);
    profiler.access(sm, store);
  }
  const Counters c = profiler.finish();
  EXPECT_EQ(c.blocks, blocks);
  EXPECT_EQ(c.memory.at(0).requests, blocks);
  EXPECT_EQ(c.memory.at(0).sectors, 4u * blocks);
  EXPECT_EQ(c.memory.at(0).minimumSectors, 4u * blocks);
  EXPECT_EQ(c.memory.at(0).lines, blocks);
  EXPECT_EQ(c.memory.at(0).l1Hits, 0u);
  EXPECT_EQ(c.memory.at(0).l2Sectors, 4u * blocks);
  EXPECT_EQ(c.memory.at(0).dramSectors, 4u * blocks);
  EXPECT_EQ(c.memory.at(1).l2Sectors, 4u * blocks);
  EXPECT_EQ(c.memory.at(1).dramSectors, 0u);
  EXPECT_EQ(c.dirtySectors, 4u * blocks);  // all of it fits into the L2
  EXPECT_EQ(c.writtenBackSectors, 0u);
  EXPECT_EQ(c.partialSectors, 0u);
}

TEST(Profiler, FarApartLoadsBringTwoSectorsEach) {
  const Program program = programOf({Op::Load});
  Profiler profiler(program, shippedTarget("h200"), shapeOf(1, 32), {});
  Lanes apart = lanes([](unsigned l) { return base + 128 * l; });
  WarpAccess load = accessOf(apart, 4);
  profiler.startBlock(0, 0, 1);
  profiler.access(0, load);
  profiler.access(0, load);
  load.place.block = 1;  // the next block runs elsewhere
  profiler.access(1, load);
  const MemoryCount m = profiler.finish().memory.at(0);
  EXPECT_EQ(m.sectors, 96u);
  EXPECT_EQ(m.minimumSectors, 12u);
  EXPECT_EQ(m.l1Hits, 32u);  // the second time on the same multiprocessor
  EXPECT_EQ(m.l2Sectors, 64u);
  EXPECT_EQ(m.l2Hits, 32u);       // the other multiprocessor
  EXPECT_EQ(m.dramSectors, 64u);  // 64 bytes at a time
}

TEST(Profiler, SectorsWrittenInPartAreFilled) {
  hone::target::Target small = shippedTarget("h200");
  small.l2EffectiveKiB = 4;
  const Program program = programOf({Op::Store});
  Profiler profiler(program, small, shapeOf(1, 32), {});
  profiler.startBlock(0, 0, 1);
  for (uint64_t i = 0; i < 64; ++i) {
    Lanes to = lanes([&](unsigned l) { return base + 128 * (i * 32 + l); });
    profiler.access(0, accessOf(to, 4, AccessKind::Store));
  }
  const Counters c = profiler.finish();
  EXPECT_GT(c.writtenBackSectors, 2000u);
  EXPECT_EQ(c.filledSectors, c.writtenBackSectors);
  EXPECT_EQ(c.writtenBackSectors + c.dirtySectors, 64u * 32);
}

// Pixels of three floats, stored colour by colour, as an H200 was seen to send them: every sector once, and
// whole.
TEST(Profiler, PartsOfASectorThatAWarpStoresGoToTheL2Together) {
  const Program program = programOf({Op::Store, Op::Store, Op::Store});
  Profiler profiler(program, shippedTarget("h200"), shapeOf(1, 64), {});
  profiler.startBlock(0, 0, 2);
  for (uint32_t colour = 0; colour < 3; ++colour) {
    Lanes to = lanes([&](unsigned l) { return base + 12 * l + 4 * colour; });
    WarpAccess store = accessOf(to, 4, AccessKind::Store);
    store.pc = colour;
    profiler.access(0, store);
  }
  // Another warp's part of a sector that is not whole yet goes by itself.
  Lanes to = lanes([&](unsigned l) { return base + 4096 + 128 * l; });
  WarpAccess store = accessOf(to, 4, AccessKind::Store);
  profiler.access(0, store);
  store.place.warp = 1;
  to = lanes([&](unsigned l) { return base + 4096 + 128 * l + 4; });
  profiler.access(0, store);
  const Counters c = profiler.finish();
  EXPECT_EQ(c.total().sectors, 3 * 12u + 64);
  EXPECT_EQ(c.total().l2Sectors, 12u + 64);
  EXPECT_EQ(c.total().partialSectors, 64u);
}

TEST(Profiler, WideAndOddAccessesAreSeveralInstructions) {
  const Program program = programOf({Op::Load});
  auto requests = [&](unsigned bytes, unsigned stride) {
    Profiler profiler(program, shippedTarget("h200"), shapeOf(1, 32), {});
    Lanes from = lanes([&](unsigned l) { return base + stride * l; });
    profiler.access(0, accessOf(from, bytes));
    return profiler.finish().memory.at(0).requests;
  };
  EXPECT_EQ(requests(16, 16), 1u);
  EXPECT_EQ(requests(32, 32), 2u);
  EXPECT_EQ(requests(12, 12), 3u);
  EXPECT_EQ(requests(16, 20), 4u);  // float4 at addresses that are multiples of 4 only
}

TEST(Profiler, SharedMemoryTakesFromTheL1) {
  const hone::target::Target& h200 = shippedTarget("h200");
  EXPECT_EQ(MemorySystem::l1KiB(h200, 0), 256u);
  EXPECT_EQ(MemorySystem::l1KiB(h200, 1), 248u);
  EXPECT_EQ(MemorySystem::l1KiB(h200, 60 * 1024), 192u);
  EXPECT_EQ(MemorySystem::l1KiB(h200, 228 * 1024), 28u);
  EXPECT_EQ(MemorySystem::l1KiB(shippedTarget("gtx480-48k"), 48 * 1024), 16u);
}

TEST(Profiler, StridesByPowersOfTwoDoNotThrash) {
  // 512 lines 4 KiB apart are a quarter of an L1 of 256 KiB.
  const Program program = programOf({Op::Load});
  Profiler profiler(program, shippedTarget("h200"), shapeOf(1, 32), {});
  for (unsigned iteration = 0; iteration < 8; ++iteration)
    for (uint64_t k = 0; k < 16; ++k) {
      Lanes from = lanes([&](unsigned l) { return base + 4096 * (k * 32 + l) + 4 * iteration; });
      profiler.access(0, accessOf(from, 4));
    }
  const MemoryCount m = profiler.finish().memory.at(0);
  EXPECT_GT(m.l1Hits, 7u * 512 * 95 / 100);
}

// Blocks of 16 rows over a matrix W floats wide: thread t walks along row t. Neighbouring blocks run at the
// same time.
double camping(const std::string& targetName, unsigned width) {
  const hone::target::Target& t = shippedTarget(targetName);
  const Program program = programOf({Op::Load});
  Profiler profiler(program, t, shapeOf(64, 16), exactly());
  for (uint64_t b = 0; b < 64; ++b)
    for (uint64_t k = 0; k < 32; ++k) {
      Lanes from = lanes([&](unsigned l) { return base + 4 * ((b * 16 + l % 16) * width + k); });
      WarpAccess load = accessOf(from, 4, AccessKind::Load, MemorySpace::Global, 0xffff);
      load.place = {b, 0};
      profiler.access(static_cast<unsigned>(b % t.multiprocessors), load);
    }
  const MemoryCount m = profiler.finish().memory.at(0);
  return double(m.partitionBusiest) / double(m.partitionEven);
}

TEST(Profiler, PartitionCamping) {
  EXPECT_GT(camping("gtx280", 4096), 7);   // all in one of 8
  EXPECT_LE(camping("gtx8800", 4096), 2);  // 262144 bytes are no multiple of 6 * 256: three of 6
  EXPECT_GT(camping("gtx280", 3072), 7);
  EXPECT_GT(camping("gtx8800", 3072), 5);
  EXPECT_LT(camping("gtx280", 4096 + 64), 2);  // a row that is 256 bytes longer
  EXPECT_LT(camping("gtx8800", 3072 + 64), 2);
}

// What all blocks ask for alike is no camping, and an address that several ask for counts once.
TEST(Profiler, TheSameAddressesAreNoCamping) {
  const hone::target::Target& t = shippedTarget("gtx280");
  const Program program = programOf({Op::Load, Op::Load});
  Profiler profiler(program, t, shapeOf(30, 16), exactly());
  for (uint64_t b = 0; b < 30; ++b)
    for (uint32_t pc = 0; pc < 2; ++pc) {
      // A row of a tile for all; of the second load one for every two blocks, 256 bytes apart.
      Lanes from = lanes([&](unsigned l) { return base + 4 * l + (pc ? 256 * (b / 2) : 0); });
      WarpAccess load = accessOf(from, 4, AccessKind::Load, MemorySpace::Global, 0xffff);
      load.place = {b, 0};
      load.pc = pc;
      profiler.access(static_cast<unsigned>(b), load);
    }
  const Counters c = profiler.finish();
  EXPECT_EQ(c.memory.at(0).partitionBusiest, c.memory.at(0).partitionEven);
  EXPECT_LT(c.memory.at(1).partitionBusiest, 2 * c.memory.at(1).partitionEven);
}

TEST(Profiler, OldTargetsMoveWholeTransactions) {
  const Program program = programOf({Op::Load});
  auto sectors = [&](const char* name, const char* rules, unsigned stride) {
    ProfileOptions options;
    options.rules = rules;
    Profiler profiler(program, shippedTarget(name), shapeOf(1, 32), options);
    Lanes from = lanes([&](unsigned l) { return base + stride * l; });
    profiler.access(0, accessOf(from, 4));
    return profiler.finish().memory.at(0).dramSectors;
  };
  EXPECT_EQ(sectors("gtx8800", "", 4), 4u);
  EXPECT_EQ(sectors("gtx8800", "", 8), 32u);
  EXPECT_EQ(sectors("gtx280", "", 8), 8u);
  EXPECT_EQ(sectors("gtx280", "strict16", 8), 32u);
}

TEST(Counters, SamplesGrowToTheGrid) {
  const Program program = programOf({Op::Load});
  ProfileOptions options;
  options.sampleBlocks = 100;
  Profiler profiler(program, shippedTarget("h200"), shapeOf(1000, 32), options);
  Lanes table = lanes([](unsigned l) { return base + 4 * l; });
  for (uint64_t b = 0; b < 100; ++b) {
    profiler.startBlock(0, b, 1);
    Lanes own = lanes([&](unsigned l) { return 2 * base + 4 * (b * 32 + l); });
    profiler.access(0, accessOf(own, 4));
    profiler.access(0, accessOf(table, 4));
  }
  const Counters counted = profiler.finish();
  EXPECT_TRUE(counted.isSampled());
  EXPECT_EQ(counted.memory.at(0).dramSectors, 404u);
  const Counters whole = wholeGrid(counted);
  EXPECT_FALSE(whole.isSampled());
  EXPECT_EQ(whole.threads, 32000u);
  EXPECT_EQ(whole.memory.at(0).requests, 2000u);
  EXPECT_EQ(whole.memory.at(0).sectors, 8000u);
  EXPECT_EQ(whole.memory.at(0).dramSectors, 4004u);  // the table is read from DRAM once, not once per sample
}

}  // namespace
