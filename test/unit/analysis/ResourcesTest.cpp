// Resources: what a kernel takes of a multiprocessor and what would let more of it fit.
#include "analysis/Resources.h"

#include <gtest/gtest.h>

#include "affine/ModelOf.h"
#include "target/Lanes.h"

using namespace hone;
using namespace hone::analysis;
using target::test::shippedTarget;

namespace {

RegisterOracle registersAre(unsigned n) {
  return [n](const ir::Kernel&, const target::Target&) { return n; };
}

TEST(Resources, DeclaredMemory) {
  const ir::KernelPtr k = affine::kernelOf(R"(
    __device__ float pick(const float* v, int i) { return v[i]; }
    __global__ void k(float* a, int n) {
      extern __shared__ float more[];
      __shared__ char flags[3];
      __shared__ double sums[4][8];
      float kept[4] = {1, 2, 3, 4};
      float indexed[10];
      for (int i = 0; i < 10; ++i) indexed[i] = i;
      float passed[6];
      sums[0][n] = flags[n] + more[n] + kept[0] + kept[3] + pick(passed, n);
      a[n] = indexed[n];
    })");
  const DeclaredMemory m = declaredMemory(*k);
  EXPECT_EQ(m.staticShared, 16u + 256u);  // arrays begin at multiples of 16
  EXPECT_TRUE(m.usesDynamicShared);
  EXPECT_EQ(m.local, 64u);  // kept[] stays in registers
  EXPECT_EQ(m.localArrays, (std::vector<std::string>{"indexed", "passed"}));
}

TEST(Resources, OccupancyAndWhatLimitsIt) {
  const ir::KernelPtr k = affine::kernelOf(R"(
    __global__ void k(float* a) {
      __shared__ float tile[12288];
      tile[threadIdx.x] = a[threadIdx.x];
      a[threadIdx.x] = tile[0];
    })");
  const target::Target& h200 = shippedTarget("h200");
  // 48 KiB a block: four blocks of 256 threads.
  Resources r = resources(*k, {256, 1, 1}, 0, h200, registersAre(32));
  EXPECT_EQ(r.sharedPerBlock, 49152u);
  EXPECT_EQ(r.occupancy.blocks, 4u);
  EXPECT_EQ(r.occupancy.limiter, "shared memory");
  ASSERT_TRUE(r.oneMore);
  EXPECT_EQ(r.oneMore->blocks, 5u);
  EXPECT_FALSE(r.oneMore->registers);
  // 228 KiB for five, of which each block costs 1 KiB by itself, in pieces of 128 bytes.
  EXPECT_EQ(r.oneMore->shared, 45568u);
  EXPECT_EQ(target::occupancyOf(h200, {256, 32, 45568}).blocks, 5u);
  EXPECT_EQ(target::occupancyOf(h200, {256, 32, 45569}).blocks, 4u);
  EXPECT_FALSE(r.smallerBlock);

  // Registers and shared memory at once.
  r = resources(*k, {256, 1, 1}, 0, h200, registersAre(64));
  EXPECT_EQ(r.occupancy.blocks, 4u);
  ASSERT_TRUE(r.oneMore);
  EXPECT_EQ(r.oneMore->registers, 48u);
  EXPECT_EQ(r.oneMore->shared, 45568u);
}

TEST(Resources, BlocksAndThreads) {
  const ir::KernelPtr k = affine::kernelOf("__global__ void k(float* a) { a[threadIdx.x] = 1; }");
  const target::Target& h200 = shippedTarget("h200");
  // Full: nothing better to want.
  Resources r = resources(*k, {256, 1, 1}, 0, h200, registersAre(32));
  EXPECT_EQ(r.occupancy.share, 1.0);
  EXPECT_FALSE(r.oneMore);
  EXPECT_FALSE(r.smallerBlock);
  // Two blocks of 768 leave a quarter empty; of 512 four fit.
  r = resources(*k, {768, 1, 1}, 0, h200, registersAre(32));
  EXPECT_EQ(r.occupancy.warps, 48u);
  EXPECT_FALSE(r.oneMore);
  ASSERT_TRUE(r.smallerBlock);
  EXPECT_EQ(r.smallerBlock->threads, 672u);
  EXPECT_EQ(r.smallerBlock->warps, 63u);
  // Small blocks run out of blocks.
  r = resources(*k, {32, 1, 1}, 0, h200, registersAre(32));
  EXPECT_EQ(r.occupancy.limiter, "blocks");
  EXPECT_EQ(r.occupancy.share, 0.5);
  // Not known: at most that.
  r = resources(*k, {256, 1, 1}, 0, h200,
                [](const ir::Kernel&, const target::Target&) { return std::nullopt; });
  EXPECT_FALSE(r.registers);
  EXPECT_EQ(r.occupancy.blocks, 8u);
}

}  // namespace
