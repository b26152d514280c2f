#include <gtest/gtest.h>

#include "sim/ShadowBench.h"

namespace hone::sim::test {
namespace {

using Lines = std::vector<std::string>;
constexpr AccessKind load = AccessKind::Load, store = AccessKind::Store, atomic = AccessKind::Atomic;
ShadowOptions initOnly() { return {false, true, true}; }
uint64_t own(unsigned lane) { return lane * 4; }

TEST(Initialized, SharedStartsUnset) {
  Launch l(64, 1, initOnly());
  l.shared(store, 1, 0, 0, own, {});
  l.shared(load, 2, 0, 0, own, {});
  EXPECT_EQ(l.take(), Lines());
  l.shared(load, 3, 0, 0, [](unsigned lane) { return (lane + 1) * 4; }, {});
  EXPECT_EQ(l.take(), Lines{"uninitialized/error 3 tile[32]"});
  l.shared(atomic, 4, 0, 0, [](unsigned) { return 400; }, {});
  EXPECT_EQ(l.take(), Lines{"uninitialized/error 4 tile[100]"});
  l.block(0).restart(0);
  l.shared(load, 5, 0, 0, own, {1});
  EXPECT_EQ(l.take(), Lines{"uninitialized/error 5 tile[0]"});
}

TEST(Initialized, BytesOneByOne) {
  Launch l(64, 1, initOnly());
  for (uint64_t i = 0; i < 3; ++i) l.shared(store, 1, 0, 0, [=](unsigned) { return 64 + i; }, {1, 1});
  l.shared(load, 2, 0, 0, [](unsigned) { return 64; }, {1, 2});
  EXPECT_EQ(l.take(), Lines());
  l.shared(load, 3, 0, 0, [](unsigned) { return 64; }, {1, 4});
  EXPECT_EQ(l.take(), Lines{"uninitialized/error 3 tile[16]"});
  l.shared(store, 1, 0, 0, [](unsigned) { return 67; }, {1, 1});
  l.shared(load, 3, 0, 0, [](unsigned) { return 64; }, {1, 4});
  EXPECT_EQ(l.take(), Lines());
}

TEST(Initialized, GlobalWhereAsked) {
  Launch l(64, 1, initOnly());
  l.global(load, 1, 0, 0, own, {});
  EXPECT_EQ(l.take(), Lines());
  l.buffer.initialized = Buffer::noneOf(l.buffer.size);
  l.global(store, 1, 0, 0, own, {0xffff});
  l.global(load, 2, 0, 0, own, {0xffff});
  EXPECT_EQ(l.take(), Lines());
  l.global(load, 3, 0, 0, own, {});
  EXPECT_EQ(l.take(), Lines{"uninitialized/error 3 out[16]"});
}

TEST(Initialized, LocalPerLane) {
  Launch l(64, 1, initOnly());
  std::vector<uint8_t> bits(64 * 32 / 8);
  std::array<uint64_t, 32> address{};
  auto access = [&](AccessKind kind, uint32_t pc, uint64_t offset, uint32_t mask, uint8_t bytes) {
    address.fill(offset);
    WarpAccess a;
    a.pc = pc;
    a.kind = kind;
    a.space = MemorySpace::Local;
    a.bytes = bytes;
    a.mask = mask;
    a.address = address.data();
    l.shadow->local(a, bits.data(), l.program);
  };
  access(store, 1, 8, 0x0f, 8);
  access(load, 2, 12, 0x0f, 4);
  EXPECT_EQ(l.take(), Lines());
  access(load, 3, 12, 0x1f, 4);
  EXPECT_EQ(l.take(), Lines{"uninitialized/error 3 mine[3]"});
  access(load, 4, 4, 1, 8);
  EXPECT_EQ(l.take(), Lines{"uninitialized/error 4 mine[1]"});
}

TEST(Findings, CountsAndChooses) {
  Launch l(64, 4, {true, false, true});
  auto word = [](unsigned) { return uint64_t(0); };
  for (uint32_t b = 4; b-- > 0;) {
    l.shared(store, 1, b, 0, word, {1});
    l.shared(load, 2, b, 1, word, {1});
    l.shared(load, 2, b, 1, word, {2});
  }
  std::vector<Finding> found = l.findings->take();
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].count, 8u);
  EXPECT_EQ(found[0].party.who.block[0], 0u);
  EXPECT_EQ(found[0].party.who.thread[0], 32u);
  EXPECT_EQ(found[0].other.who.thread[0], 0u);
  EXPECT_TRUE(found[0].other.writes);
  EXPECT_FALSE(found[0].party.writes);
  EXPECT_EQ(format(found[0]),
            "k.cu:2: error: race in shared memory, tile[0] of 512 elements: read here and written in line 1 "
            "by another "
            "thread, with no barrier between: add __syncthreads() (block (0,0,0) thread (32,0,0), 8 times)\n"
            "    k.cu:1: write by block (0,0,0) thread (0,0,0)");
}

TEST(Findings, AFewPerLine) {
  Launch l;
  l.program.locations.assign(100, {0, 7, 1});
  for (uint32_t pc = 0; pc < 10; ++pc)
    l.findings->add(FindingKind::DivideByZero, FindingClass::Error, {pc, {0, 0}, 0, false, false}, nullptr,
                    nullptr, "x");
  EXPECT_FALSE(l.findings->empty());
  EXPECT_EQ(l.findings->take(3).size(), 3u);
  EXPECT_TRUE(l.findings->empty());
}

TEST(Findings, ThreadCoordinates) {
  LaunchShape shape{{3, 2, 2}, {8, 4, 2}};
  ThreadId id = shape.thread(7, 1, 9);
  EXPECT_EQ(id.block, (std::array<uint32_t, 3>{1, 0, 1}));
  EXPECT_EQ(id.thread, (std::array<uint32_t, 3>{1, 1, 1}));
}

}  // namespace
}  // namespace hone::sim::test
