// Coalescing of accesses in kernels as people write them.
#include <gtest/gtest.h>

#include "affine/ModelOf.h"
#include "analysis/Coalescing.h"

using namespace hone;
using namespace hone::analysis;
using affine::KernelModel;

namespace {

const MemoryRules today{target::CoalescingRule::Sectors, 128};

// "verdict: reason, n sectors" of an access.
std::string of(const KernelModel& m, const std::string& handle) {
  const affine::Access* access = m.find(handle);
  if (!access) return "no " + handle;
  const Coalescing c = coalescing(m, *access, today);
  std::string out = str(c.verdict);
  if (!c.reason.empty()) out += ": " + c.reason;
  if (c.verdict == CoalescingVerdict::Unknown) return out;
  return out + ", " + str(c.cost.sectors) + (c.exactness == affine::Exactness::Exact ? "" : " at most");
}

TEST(CoalescingKernels, Product) {
  const KernelModel m = affine::modelOf(R"(
    __global__ void product(const float* a, const float* b, float* c, int n) {
      int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
      float sum = 0;
      for (int k = 0; k < n; ++k) sum += a[y * n + k] * b[k * n + x];
      c[y * n + x] = sum;
    })",
                                        {32, 8, 1});
  EXPECT_EQ(of(m, "a#1"), "broadcast: all lanes touch one element, 1");
  EXPECT_EQ(of(m, "b#1"), "depends: alignment depends on k*n, 4..5 at most");
  EXPECT_EQ(of(m, "c#1"), "depends: alignment depends on n, 4..5 at most");
}

TEST(CoalescingKernels, TransposedWithGuards) {
  const KernelModel m = affine::modelOf(R"(
    __global__ void transpose(const float* in, float* out, int w, int h) {
      int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 8 + threadIdx.y;
      if (x >= w || y >= h) return;
      out[x * h + y] = in[y * w + x];
    })",
                                        {32, 8, 1});
  EXPECT_EQ(of(m, "out#1"), "strided: stride h, 1..32 at most");
  EXPECT_EQ(of(m, "in#1"), "depends: alignment depends on w, 4..5 at most");
}

TEST(CoalescingKernels, ViewsAndStructs) {
  const KernelModel m = affine::modelOf(R"(
    struct Particle { float x, y, z; int kind; };
    __global__ void k(const Particle* p, const float* v, float* out, const double* d, unsigned char* bytes) {
      int i = blockIdx.x * blockDim.x + threadIdx.x;
      float4 q = ((const float4*)v)[i];
      out[i] = p[i].y + q.x + (float)d[i];
      bytes[i] = 1;
    })",
                                        {256, 1, 1});
  EXPECT_EQ(of(m, "v#1"), "coalesced, 16");
  EXPECT_EQ(of(m, "p#1"), "strided: stride 4, 16");
  EXPECT_EQ(of(m, "d#1"), "coalesced, 8");
  EXPECT_EQ(of(m, "bytes#1"), "coalesced, 1");
}

TEST(CoalescingKernels, GridStrideLoop) {
  const KernelModel m = affine::modelOf(R"(
    __global__ void k(const float* a, float* b, int n) {
      for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) b[i] = a[i] + a[n - 1 - i];
    })",
                                        {256, 1, 1});
  EXPECT_EQ(of(m, "b#1"), "coalesced, 4 at most");
  EXPECT_EQ(of(m, "a#1"), "coalesced, 4 at most");
  EXPECT_EQ(of(m, "a#2"), "depends: alignment depends on n, 4..5 at most");
  affine::Launch launch;
  launch.grid = {3, 1, 1};
  launch.symbols["n"] = 1000;
  const CoalescingTotals totals = coalescingTotals(m, *m.find("a#1"), launch, today);
  ASSERT_TRUE(totals.known) << totals.unknown;
  EXPECT_EQ(totals.requests, 32u);  // 31 whole warps and one of 8 lanes
  EXPECT_EQ(totals.sectors, 125u);
  EXPECT_EQ(totals.lanes, 1000u);
}

// A row of a sparse matrix per block, per warp, per thread.
TEST(CoalescingKernels, LoadedIndices) {
  const KernelModel m = affine::modelOf(R"(
    __global__ void k(const int* start, const int* column, const float* value, const float* x, float* y) {
      int row = blockIdx.x;
      for (int i = start[row] + threadIdx.x; i < start[row + 1]; i += 32) y[0] += value[i] * x[column[i]];
    })",
                                        {32, 1, 1});
  EXPECT_EQ(of(m, "value#1").substr(0, 31), "depends: alignment depends on s") << of(m, "value#1");
  EXPECT_EQ(of(m, "x#1"), "unknown: `column[i]` is loaded from memory");
}

TEST(CoalescingKernels, ClampedNeighbours) {
  const KernelModel m = affine::modelOf(R"(
    __global__ void k(const float* in, float* out, int w) {
      int x = blockIdx.x * 128 + threadIdx.x, y = blockIdx.y;
      int left = x > 0 ? x - 1 : 0, right = min(x + 1, w - 1);
      out[y * 1024 + x] = in[y * 1024 + left] + in[y * 1024 + right];
    })",
                                        {128, 1, 1});
  EXPECT_EQ(of(m, "out#1"), "coalesced, 4");
  EXPECT_EQ(of(m, "in#1"),
            "misaligned: misaligned by 28 bytes, other where a choice in the subscript turns, 4..5 at most");
  EXPECT_EQ(of(m, "in#2"),
            "misaligned: misaligned by 4 bytes, other where a choice in the subscript turns, 1..32 at most");
}

// What alignment depends on is named, the simplest first.
TEST(CoalescingKernels, ManyReasons) {
  const KernelModel m = affine::modelOf(R"(
    __global__ void blur(const float* in, float* out, int w, int r) {
      int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y;
      float sum = 0;
      for (int i = -r; i <= r; ++i)
        for (int j = -r; j <= r; ++j) sum += in[(y + i) * w + x + j];
      out[y * w + x] = sum;
    })",
                                        {32, 1, 1});
  EXPECT_EQ(of(m, "in#1"), "depends: alignment depends on r, loop L1.1 and more, 4..5 at most");
  EXPECT_EQ(of(m, "out#1"), "depends: alignment depends on blockIdx.y*w, 4..5 at most");
}

// Of a large launch one block of each kind is looked at: inside, and at the borders that the guard cuts.
TEST(CoalescingKernels, LargeLaunches) {
  const KernelModel m = affine::modelOf(R"(
    __global__ void product(const float* a, const float* b, float* c, int n) {
      int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
      if (x >= n || y >= n) return;
      float sum = 0;
      for (int k = 0; k < n; ++k) sum += a[y * n + k] * b[k * n + x];
      c[y * n + x] = sum;
    })",
                                        {32, 8, 1});
  affine::Launch launch;
  launch.grid = {32, 125, 1};
  launch.symbols["n"] = 1000;
  CoalescingTotals b = coalescingTotals(m, *m.find("b#1"), launch, today);
  ASSERT_TRUE(b.known) << b.unknown;
  EXPECT_EQ(b.requests, 32000u * 1000u);  // 32 warps in each of 1000 rows, 1000 iterations
  EXPECT_EQ(b.lanes, 1000u * 1000u * 1000u);
  EXPECT_EQ(b.sectors, 125u * 1000u * 1000u);  // rows of 4000 bytes begin with sectors
  // A pitch of 1001 floats: rows begin at all places of a sector.
  launch.symbols["n"] = 1001;
  launch.grid = {32, 126, 1};
  b = coalescingTotals(m, *m.find("b#1"), launch, today);
  ASSERT_TRUE(b.known) << b.unknown;
  EXPECT_EQ(b.lanes, 1001u * 1001u * 1001u);
  EXPECT_GT(b.sectors, 1001u * 1001u * 1001u / 8);
}

}  // namespace
