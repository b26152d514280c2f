// Kernels as people write them, and the addresses that come of them.
#include <set>

#include "ModelOf.h"

namespace hone::affine {
namespace {

// The model of a kernel's body with these usual parameters.
KernelModel bodyOf(const std::string& body, const std::array<unsigned, 3>& block = {256, 1, 1}) {
  return modelOf(
      "struct Image { float* data; int width, height; };\n"
      "__global__ void k(float* a, const float* b, int* c, int n, int w, int h, unsigned u, Image img) {\n" +
          body + "\n}",
      block);
}

// The first access that moves data of an array.
std::string firstOf(const KernelModel& m, const std::string& array) {
  for (const Access& access : m.accesses)
    if (access.array.isSome() && access.mode != ir::AccessMode::Address &&
        m.arrays[access.array].name == array)
      return describe(m, access);
  return "no access of " + array;
}

TEST(BuildModel, GlobalIds) {
  const KernelModel m =
      bodyOf("int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) a[i] = 2.0f * b[i + 1];");
  EXPECT_EQ(describe(m, "a#1"), "1024*blockIdx.x + 4*threadIdx.x where 256*blockIdx.x + threadIdx.x < n");
  EXPECT_EQ(describe(m, "b#1"), "1024*blockIdx.x + 4*threadIdx.x + 4 where 256*blockIdx.x + threadIdx.x < n");
  EXPECT_EQ(m.find("b#1")->exactness, Exactness::Exact);
}

TEST(BuildModel, ParameterCalledAsTheGrid) {
  const KernelModel m = modelOf(R"(
    kernel void k(global float* a, int2 gridDim) {
      int g = get_group_id(0), groups = get_num_groups(0);
      a[g * gridDim.x + groups] = 1;
    })",
                                {32, 1, 1}, true);
  Launch launch;
  launch.grid = {2, 1, 1};
  launch.symbols["gridDim.x"] = 10;
  launch.globalOffset = {0, 0, 0};
  std::set<int64_t> touched;
  ASSERT_TRUE(forEachRequest(m, *m.find("a#1"), launch, {}, 1000,
                             [&](const WarpRequest& r) { touched.insert(r.address[0] / 4); }));
  EXPECT_EQ(touched, (std::set<int64_t>{2, 12}));
}

TEST(BuildModel, EarlyReturnsAreGuards) {
  const KernelModel m = bodyOf("int i = threadIdx.x; if (i >= n) return; a[i] = 1;");
  EXPECT_EQ(describe(m, "a#1"), "4*threadIdx.x where threadIdx.x < n");
}

TEST(BuildModel, DoOnceIsNoLoop) {
  const KernelModel m = bodyOf("int i = threadIdx.x; do { if (i >= n) return; } while (0); a[i] = 1;");
  EXPECT_EQ(describe(m, "a#1"), "4*threadIdx.x where threadIdx.x < n");
}

TEST(BuildModel, ScalarsAndPointersAreFollowed) {
  const KernelModel m = bodyOf(R"(
    int y = blockIdx.x, x = threadIdx.x;
    const float* row = b + y * w;
    row += 2;
    for (int i = 0; i < h; ++i) { a[x] += row[x]; row += w; })");
  EXPECT_EQ(firstOf(m, "b"), "4*blockIdx.x*w + 4*i*w + 4*threadIdx.x + 8");
}

TEST(BuildModel, LoopsWithNegativeSteps) {
  const KernelModel m = bodyOf("for (int i = n - 1; i >= 0; i -= 2) a[i] = 0;");
  EXPECT_EQ(describe(m, "a#1"), "4*n - 8*L1 - 4");
  EXPECT_EQ(m.atoms->str(m.loops[LoopId(0)].runs), "2*L1 < n");
}

TEST(BuildModel, TriangularLoops) {
  const KernelModel m = bodyOf("for (int i = 0; i < n; ++i) for (int j = i; j < n; ++j) a[j] = b[i];");
  EXPECT_EQ(describe(m, "a#1"), "4*i + 4*L1.1");
  EXPECT_EQ(m.atoms->str(m.loops[LoopId(1)].runs), "i + L1.1 < n");
}

TEST(BuildModel, BoundsOfMinAndMax) {
  const KernelModel m = bodyOf("for (int i = max(threadIdx.x, 3u); i < min(n, w); ++i) a[i] = 0;");
  EXPECT_EQ(m.find("a#1")->exactness, Exactness::Exact);
  Launch launch;
  launch.symbols = {{"n", 6}, {"w", 5}};
  unsigned lanes = 0;
  ASSERT_TRUE(forEachRequest(m, *m.find("a#1"), launch, {}, 100000, [&](const WarpRequest& r) {
    lanes += static_cast<unsigned>(__builtin_popcount(r.mask));
  }));
  EXPECT_EQ(lanes, 4 * 2 + 1u);  // threads 0 to 3 from 3, thread 4 from 4
}

TEST(BuildModel, QuotientsShiftsAndMasks) {
  const KernelModel m =
      bodyOf("int t = threadIdx.x; a[(t / 32) * 40 + t % 32] = b[(t >> 4) * 64 + (t & 15)];");
  EXPECT_EQ(describe(m, "a#1"), "32*(threadIdx.x / 32) + 4*threadIdx.x");
  EXPECT_EQ(describe(m, "b#1"), "192*(threadIdx.x / 16) + 4*threadIdx.x");
}

TEST(BuildModel, ExclusiveOrIsComputable) {
  const KernelModel m = bodyOf("int t = threadIdx.x; a[t ^ 5] = 0;");
  const Access& access = *m.find("a#1");
  EXPECT_EQ(access.exactness, Exactness::Exact);
  Launch launch;
  ASSERT_TRUE(forEachRequest(m, access, launch, {}, 100000, [&](const WarpRequest& r) {
    for (int lane = 0; lane < 32; ++lane)
      EXPECT_EQ(r.address[static_cast<size_t>(lane)], 4 * ((static_cast<int>(r.warp) * 32 + lane) ^ 5));
  }));
}

TEST(BuildModel, GridStrideLoopsGoByValue) {
  const KernelModel m = bodyOf(
      "for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) a[i] = 0;");
  EXPECT_TRUE(m.loops[LoopId(0)].byDistance);
  EXPECT_EQ(m.atoms->str(m.loops[LoopId(0)].step), "256*gridDim.x");
  EXPECT_EQ(describe(m, "a#1"), "1024*blockIdx.x + 4*threadIdx.x + 4*L1");
}

TEST(BuildModel, HalvingAndDoubling) {
  const KernelModel m = bodyOf(R"(
    __shared__ int s[256];
    int t = threadIdx.x;
    for (int d = blockDim.x / 2; d; d >>= 1) { if (t < d) s[t] += s[t + d]; __syncthreads(); }
    for (int d = 1; d < blockDim.x; d *= 2) { if (t % (2 * d) == 0) s[t] += s[t + d]; __syncthreads(); })");
  EXPECT_EQ(m.loops[LoopId(0)].values, (std::vector<int64_t>{128, 64, 32, 16, 8, 4, 2, 1}));
  EXPECT_EQ(m.loops[LoopId(1)].values, (std::vector<int64_t>{1, 2, 4, 8, 16, 32, 64, 128}));
  for (const Access& access : m.accesses)
    EXPECT_EQ(access.exactness, Exactness::Exact) << access.handle << access.reason;
  Launch launch;
  uint64_t lanes = 0;
  const auto count = [&](const WarpRequest& r) {
    lanes += static_cast<unsigned>(__builtin_popcount(r.mask));
  };
  for (const char* handle : {"s#2", "s#4"}) {
    lanes = 0;
    ASSERT_TRUE(forEachRequest(m, *m.find(handle), launch, {}, 100000, count));
    EXPECT_EQ(lanes, 255u) << handle;
  }
}

// Halved from a value that an outer loop gives: known in closed form.
TEST(BuildModel, HalvingFromAValueThatChanges) {
  const KernelModel m = bodyOf(R"(
    int t = threadIdx.x;
    for (int size = 2; size <= n; size *= 2)
      for (int stride = size / 2; stride > 0; stride /= 2) c[t ^ stride] = size;)");
  const Access& access = *m.find("c#1");
  EXPECT_EQ(access.exactness, Exactness::Exact) << access.reason;
  Launch launch;
  launch.symbols["n"] = 8;
  std::vector<int64_t> first;
  ASSERT_TRUE(forEachRequest(m, access, launch, {}, 100000, [&](const WarpRequest& r) {
    if (r.warp == 0) first.push_back(r.address[0] / 4);
  }));
  EXPECT_EQ(first, (std::vector<int64_t>{1, 2, 1, 4, 2, 1}));
}

TEST(BuildModel, DoubleBuffersGoBackAndForth) {
  const KernelModel m = bodyOf(R"(
    __shared__ float s[2][256];
    int in = 0;
    for (int i = 0; i < n; ++i) { s[1 - in][threadIdx.x] = s[in][threadIdx.x]; in = 1 - in; })");
  EXPECT_EQ(describe(m, "s#2"), "1024*(i % 2) + 4*threadIdx.x");
  EXPECT_EQ(m.find("s#1")->exactness, Exactness::Exact);
  ASSERT_EQ(m.find("s#2")->subscripts.size(), 2u);
}

TEST(BuildModel, UnsignedArithmeticMustNotWrap) {
  const KernelModel m = bodyOf("if (threadIdx.x < u - 1) a[u - 1 - threadIdx.x] = 0;");
  const Access& access = *m.find("a#1");
  EXPECT_TRUE(access.isResolved());
  ASSERT_FALSE(access.requirements.empty());
  Launch launch;
  launch.symbols["u"] = 10;
  EXPECT_TRUE(forEachRequest(m, access, launch, {}, 1000, [](const WarpRequest&) {}));
  launch.symbols["u"] =
      0;  // u - 1 is the largest number: the guard holds for all, and the subscript is not what it seems
  EXPECT_FALSE(forEachRequest(m, access, launch, {}, 1000, [](const WarpRequest&) {}));
}

TEST(BuildModel, MembersOfStructParameters) {
  const KernelModel m =
      bodyOf("if (threadIdx.x < img.width) img.data[blockIdx.x * img.width + threadIdx.x] = 0;");
  EXPECT_EQ(describe(m, "img.data#1"),
            "4*blockIdx.x*img.width + 4*threadIdx.x where threadIdx.x < img.width");
}

TEST(BuildModel, LoadsThroughTheReadOnlyCacheAndWideViews) {
  const KernelModel m = bodyOf(R"(
    int i = threadIdx.x;
    a[i] = __ldg(b + i);
    float4 v = reinterpret_cast<const float4*>(b)[i];
    a[i + 1] = v.x;)");
  EXPECT_EQ(describe(m, "b#1"), "4*threadIdx.x");
  bool hasWide = false;
  for (const Access& access : m.accesses)
    if (access.bytes == 16) {
      hasWide = true;
      EXPECT_EQ(m.atoms->str(access.address), "16*threadIdx.x");
      EXPECT_EQ(m.arrays[access.array].name, "b");
    }
  EXPECT_TRUE(hasWide);
}

TEST(BuildModel, FunctionsAreSeenThrough) {
  const KernelModel m = modelOf(R"(
__device__ int at(int y, int x, int w) { return y * w + x; }
__device__ void put(float* p, int i) { p[i] = 1; }
__global__ void k(float* a, int w) { put(a + 3, at(blockIdx.x, threadIdx.x, w)); })");
  EXPECT_EQ(firstOf(m, "a"), "4*blockIdx.x*w + 4*threadIdx.x + 12");
}

TEST(BuildModel, RanksOfCooperativeGroups) {
  const KernelModel m = modelOf(R"(
#include <cooperative_groups.h>
namespace cg = cooperative_groups;
__global__ void k(float* a) {
  cg::thread_block block = cg::this_thread_block();
  cg::thread_block_tile<16> tile = cg::tiled_partition<16>(block);
  a[block.thread_rank()] = 1;
  a[tile.thread_rank()] = 2;
})",
                                {64, 2, 1});
  EXPECT_EQ(describe(m, "a#1"), "256*threadIdx.y + 4*threadIdx.x");
  EXPECT_EQ(describe(m, "a#2"), "4*(threadIdx.x % 16)");
}

TEST(BuildModel, WhatIsLoadedIsNotKnown) {
  const KernelModel m = bodyOf("a[c[threadIdx.x]] = 0; if (c[0] > 3) a[threadIdx.x] = 1;");
  EXPECT_EQ(m.find("a#1")->exactness, Exactness::Unknown);
  EXPECT_NE(m.find("a#1")->reason.find("loaded from memory"), std::string::npos);
  EXPECT_EQ(m.find("a#2")->exactness, Exactness::Over);
  EXPECT_TRUE(m.find("a#2")->isResolved());
}

// What is assigned on the way to a break counts after the loop.
TEST(BuildModel, ValuesThatABreakLeaves) {
  const KernelModel m =
      bodyOf("int f = 0; for (int i = 0; i < n; ++i) { if (b[i] > 0) { f = i; break; } } a[f] = 0;");
  EXPECT_EQ(m.find("a#1")->exactness, Exactness::Unknown);
  const KernelModel s =
      bodyOf("int f = 0; switch (n) { case 1: f = 1; if (w) { f = 2; break; } f = 3; } a[f] = 0;");
  EXPECT_NE(s.find("a#1")->exactness, Exactness::Exact);
}

// Pieces that a condition says to lie apart, by what its pointers are when it is asked.
TEST(BuildModel, PiecesThatLieApart) {
  const KernelModel m = bodyOf(R"(
    int r = threadIdx.x, id = c[r];
    float* to = a + r * w;
    if (to + n <= b + id * w || b + id * w + n <= to) a[0] = 1;
    if (to + n < b || b + n <= to) a[0] = 1;
    if (to + n <= b && b + n <= to) a[0] = 1;
    if (to + n <= b || (float*)c + n <= to) a[0] = 1;)");
  ASSERT_EQ(m.branches.size(), 4u);
  ASSERT_EQ(m.branches[0].apart.size(), 1u);
  const BytesApart& one = m.branches[0].apart.front();
  EXPECT_EQ(m.arrays[one.first.array].name + m.arrays[one.second.array].name, "ab");
  EXPECT_EQ(m.atoms->str(one.first.low), "4*threadIdx.x*w");
  EXPECT_EQ(m.atoms->str(one.first.high - one.first.low), "4*n");
  EXPECT_EQ(m.atoms->str(one.second.high - one.second.low), "4*n");
  for (size_t i = 1; i < 4; ++i) EXPECT_TRUE(m.branches[i].apart.empty()) << i;
}

}  // namespace
}  // namespace hone::affine
