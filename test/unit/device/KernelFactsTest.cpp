#include "device/KernelFacts.h"

#include "Source.h"

namespace hone::device {

TEST(KernelFacts, sizesAndGuards) {
  KernelFacts f = kernelFacts(kernelOf(R"(
    __global__ void k(const float* a, float* b, int w, int h, int pitch, int shift, float c, int flag) {
      int x = blockIdx.x * blockDim.x + threadIdx.x;
      int y = blockIdx.y * blockDim.y + threadIdx.y;
      if (x >= w || y >= h) return;
      b[y * pitch + x] = a[y * pitch + x + shift] * c + (flag ? 1.0f : 0.0f);
    })"));
  EXPECT_EQ(f.roles.at("w"), ScalarRole::Bound);
  EXPECT_EQ(f.roles.at("h"), ScalarRole::Bound);
  EXPECT_EQ(f.roles.at("pitch"), ScalarRole::Pitch);
  EXPECT_EQ(f.roles.at("shift"), ScalarRole::Offset);
  EXPECT_EQ(f.roles.at("flag"), ScalarRole::Plain);
  EXPECT_EQ(f.used.block, 3u);
  ASSERT_EQ(f.guards.size(), 2u);
  EXPECT_EQ(f.guards[0].coords.block, 1u);
  EXPECT_EQ(f.guards[0].params, std::set<std::string>{"w"});
  EXPECT_EQ(f.guards[1].coords.thread, 2u);
  EXPECT_TRUE(f.arrays.at("a").isRead);
  EXPECT_FALSE(f.arrays.at("a").isWritten);
  EXPECT_TRUE(f.arrays.at("b").isWritten);
  EXPECT_FALSE(f.arrays.at("b").isRead);
}

TEST(KernelFacts, arraysThatHoldSubscripts) {
  KernelFacts f = kernelFacts(kernelOf(R"(
    __global__ void spmv(const int* row, const int* col, const float* val, const float* x, float* y, const int* to, int n) {
      int i = blockIdx.x * blockDim.x + threadIdx.x;
      if (i >= n) return;
      float sum = 0;
      for (int j = row[i]; j < row[i + 1]; ++j) sum += val[j] * x[col[j]];
      y[to[i]] = sum;
    })"));
  EXPECT_EQ(f.arrays.at("row").use, IndexUse::Offsets);
  EXPECT_EQ(f.arrays.at("col").use, IndexUse::Range);
  EXPECT_EQ(f.arrays.at("col").indexes, std::set<std::string>{"x"});
  EXPECT_EQ(f.arrays.at("to").use, IndexUse::Permutation);
  EXPECT_EQ(f.arrays.at("val").use, IndexUse::None);
}

TEST(KernelFacts, boundsOfLoopsInArrays) {
  KernelFacts f = kernelFacts(kernelOf(R"(
    __global__ void k(const size_t* first, const size_t* last, const int* row, const unsigned* at, const unsigned* upTo,
                      const int* rank, const float* val, float* y, int n) {
      int i = blockIdx.x * blockDim.x + threadIdx.x;
      if (i >= n) return;
      float sum = 0;
      for (size_t j = first[i]; j < last[i]; ++j) sum += val[j];
      int count = row[i + 1] - row[i];
      for (int j = 0; j < count; ++j) sum += val[row[i] + j];
      unsigned w = at[i];
      while (w < upTo[i]) sum += val[w++];
      int lower = 0;
      while (rank[lower] < rank[i]) ++lower;
      y[i] = sum + lower;
    })"));
  EXPECT_EQ(f.arrays.at("first").use, IndexUse::Offsets);
  EXPECT_EQ(f.arrays.at("last").use, IndexUse::OffsetEnds);
  EXPECT_EQ(f.arrays.at("row").use, IndexUse::Offsets);
  EXPECT_EQ(f.arrays.at("at").use, IndexUse::Offsets);
  EXPECT_EQ(f.arrays.at("upTo").use, IndexUse::OffsetEnds);
  EXPECT_EQ(f.arrays.at("rank").use, IndexUse::None);
}

TEST(KernelFacts, histogramAndAppend) {
  KernelFacts f = kernelFacts(kernelOf(R"(
    __global__ void k(const unsigned* data, unsigned* bins, int* out, int* count, float* total, int n) {
      __shared__ unsigned local[64];
      int i = blockIdx.x * blockDim.x + threadIdx.x;
      if (threadIdx.x < 64) local[threadIdx.x] = 0;
      __syncthreads();
      if (i < n) {
        atomicAdd(&local[data[i]], 1u);
        int at = atomicAdd(count, 1);
        out[at] = i;
        atomicAdd(total, 0.5f);
      }
      __syncthreads();
      if (threadIdx.x < 64) atomicAdd(&bins[threadIdx.x], local[threadIdx.x]);
    })"));
  EXPECT_EQ(f.arrays.at("data").use, IndexUse::Range);
  EXPECT_EQ(f.arrays.at("data").limit, 64);
  EXPECT_TRUE(f.arrays.at("out").isAppended);
  EXPECT_FALSE(f.arrays.at("bins").isAppended);
  EXPECT_TRUE(f.arrays.at("bins").isAtomic);
  EXPECT_TRUE(f.arrays.at("total").isFloatAtomic);
  EXPECT_FALSE(f.arrays.at("bins").isFloatAtomic);
}

TEST(KernelFacts, throughFunctionsAndStructs) {
  KernelFacts f = kernelFacts(kernelOf(R"(
    struct View { float* data; int w, h; };
    __device__ int clampTo(int v, int top) { return v >= top ? top - 1 : v; }
    __global__ void k(View v, const int* pick) {
      int x = blockIdx.x * blockDim.x + threadIdx.x;
      if (x < v.w) v.data[clampTo(pick[x], v.h)] = 1;
    })"));
  EXPECT_EQ(f.roles.at("v.w"), ScalarRole::Bound);
  EXPECT_EQ(f.roles.at("v.h"), ScalarRole::Bound);
  EXPECT_TRUE(f.arrays.at("v.data").isWritten);
  EXPECT_EQ(f.arrays.at("pick").use, IndexUse::Permutation);
}

TEST(KernelFacts, blockByTheKernelsOwnNumbers) {
  KernelFacts tiled = kernelFacts(kernelOf(R"(
    __global__ void k(float* a) {
      __shared__ float tile[8][33];
      tile[threadIdx.y][threadIdx.x] = a[threadIdx.x];
      __syncthreads();
      a[threadIdx.y] = tile[threadIdx.y][0];
    })"));
  EXPECT_EQ(tiled.blockHint, (std::array<int64_t, 3>{32, 8, 0}));
  KernelFacts flat = kernelFacts(
      kernelOf("__global__ void k(float* a) { int i = blockIdx.x * 128 + threadIdx.x; a[i] = 0; }"));
  EXPECT_EQ(flat.blockHint[0], 128);
}

}  // namespace hone::device
