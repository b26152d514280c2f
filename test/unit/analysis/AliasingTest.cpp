// Aliasing: which arrays of a kernel cannot share memory, why, and the test at run time for the others.
#include "analysis/Aliasing.h"

#include <gtest/gtest.h>

#include "affine/ModelOf.h"

using namespace hone;
using namespace hone::analysis;
using affine::KernelModel;

namespace {

affine::ArrayId arrayNamed(const KernelModel& m, const std::string& name) {
  for (const affine::ArrayId i : m.arrays.ids())
    if (m.arrays[i].name == name) return i;
  ADD_FAILURE() << "no array " << name;
  return {};
}

Aliasing between(const KernelModel& m, const std::string& a, const std::string& b,
                 const KnownApart& known = {}) {
  return aliasing(m, arrayNamed(m, a), arrayNamed(m, b), known);
}

std::string rangeOf(const KernelModel& m, const std::string& name) {
  std::string reason;
  auto range = bytesOfLaunch(m, arrayNamed(m, name), nullptr, &reason);
  return range ? "[" + m.atoms->str(range->low) + ", " + m.atoms->str(range->high) + ")" : reason;
}

constexpr const char* copy = R"(
  __global__ void k(const float* a, float* b, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) b[i] = a[i];
  })";

// Nothing is promised: each array's bytes in the whole launch are the test.
TEST(Aliasing, PlainPointersNeedATest) {
  const KernelModel m = affine::modelOf(copy);
  const Aliasing pair = between(m, "a", "b");
  EXPECT_EQ(pair.overlap, Overlap::Test);
  EXPECT_EQ(pair.reason, "two pointers that nothing is promised of");
  ASSERT_TRUE(pair.ofFirst && pair.ofSecond);
  // The guard's n or the grid ends first.
  affine::Launch small{{2, 1, 1}, {{"n", 300}}}, large{{2, 1, 1}, {{"n", 9000}}};
  for (const auto& [launch, bytes] : {std::pair(small, 1200), std::pair(large, 2048)}) {
    const affine::Values values(*m.atoms, launch);
    EXPECT_EQ(values.value(pair.ofFirst->low), 0);
    EXPECT_EQ(values.value(pair.ofFirst->high), bytes);
    EXPECT_EQ(values.value(pair.ofSecond->high), bytes);
  }
}

// The short question has the answer of the long one, in whatever order the two are named.
TEST(Aliasing, WhetherTwoMayShareIsTheSameWithoutAddresses) {
  const KernelModel m = affine::modelOf(R"(
    extern __shared__ float parts[];
    extern __shared__ int others[];
    __global__ void k(const float* a, const float* b, float* c, float* __restrict__ d, float* e, int n) {
      __shared__ float own[64];
      int t = threadIdx.x;
      own[t] = a[t] + b[n];
      parts[t] = own[t], others[t + 4096] = 1;
      c[t] = parts[t], d[t] = own[t], e[t * n] = 2;
    })");
  std::map<Overlap, unsigned> met;
  for (const affine::ArrayId i : m.arrays.ids())
    for (const affine::ArrayId j : m.arrays.idsAfter(i))
      for (const bool areApart : {false, true}) {
        const KnownApart known{areApart, {}};
        const Overlap overlap = aliasing(m, i, j, known).overlap;
        const bool isShared = overlap != Overlap::Never && overlap != Overlap::Harmless;
        LaunchBytes bytes(m);
        EXPECT_EQ(mayShare(bytes, i, j, known), isShared) << m.arrays[i].name << " " << m.arrays[j].name;
        EXPECT_EQ(mayShare(bytes, j, i, known), isShared) << m.arrays[i].name << " " << m.arrays[j].name;
        ++met[overlap];
      }
  for (const Overlap overlap : {Overlap::Never, Overlap::Harmless, Overlap::Test})
    EXPECT_GT(met[overlap], 0u) << str(overlap);
}

// C: what is written and reached through a restrict pointer is reached through no other. One of two is
// enough.
TEST(Aliasing, RestrictOnEither) {
  const KernelModel onTarget = affine::modelOf(R"(
    __global__ void k(const float* a, float* __restrict__ b) { b[threadIdx.x] = a[threadIdx.x]; })");
  EXPECT_EQ(between(onTarget, "a", "b").overlap, Overlap::Never);
  EXPECT_EQ(between(onTarget, "a", "b").reason,
            "b is restrict: what is written through it is not touched through a");
  const KernelModel onSource = affine::modelOf(R"(
    __global__ void k(const float* __restrict__ a, float* b) { b[threadIdx.x] = a[threadIdx.x]; })");
  EXPECT_EQ(between(onSource, "a", "b").overlap, Overlap::Never);
  EXPECT_EQ(between(onSource, "a", "b").reason,
            "a is restrict: what is written is not touched through b as well");
}

// const promises nothing about other pointers.
TEST(Aliasing, ConstAloneIsNoPromise) {
  EXPECT_EQ(between(affine::modelOf(copy), "b", "a").overlap, Overlap::Test);
}

TEST(Aliasing, BothOnlyRead) {
  const KernelModel m = affine::modelOf(R"(
    __global__ void k(const float* a, const float* b, float* __restrict__ c) {
      c[threadIdx.x] = a[threadIdx.x] + b[threadIdx.x];
    })");
  EXPECT_EQ(between(m, "a", "b").overlap, Overlap::Harmless);
  EXPECT_EQ(between(m, "a", "b").reason, "both are only read");
  EXPECT_EQ(aliasings(m).size(), 3u);
}

TEST(Aliasing, SpacesAndDeclaredArrays) {
  const KernelModel m = affine::modelOf(R"(
    __constant__ float weights[16];
    __device__ float table[64];
    __device__ float other[64];
    __global__ void k(float* a, int n) {
      __shared__ float s[64], t[64];
      float own[4];
      own[threadIdx.x & 3] = weights[threadIdx.x & 15];
      s[threadIdx.x] = own[n & 3];
      t[threadIdx.x] = table[threadIdx.x];
      other[threadIdx.x] = 1;
      a[threadIdx.x] = s[threadIdx.x] + t[threadIdx.x];
    })",
                                        {64, 1, 1});
  EXPECT_EQ(between(m, "s", "t").reason, "two arrays of their own");
  EXPECT_EQ(between(m, "table", "other").overlap, Overlap::Never);
  EXPECT_EQ(between(m, "a", "s").reason, "s is in memory of the block, a in global memory");
  EXPECT_EQ(between(m, "own", "a").overlap, Overlap::Never);
  EXPECT_EQ(between(m, "weights", "a").overlap, Overlap::Never);
  // The host can take the address of a __device__ array and hand it over.
  EXPECT_EQ(between(m, "table", "a").overlap, Overlap::Test);
  EXPECT_EQ(rangeOf(m, "table"), "[0, 256)");
}

// All extern __shared__ arrays of CUDA begin at one address.
TEST(Aliasing, DynamicSharedArrays) {
  const KernelModel m = affine::modelOf(R"(
    extern __shared__ float p[];
    extern __shared__ float q[];
    __shared__ float fixed[64];
    __global__ void k(float* a) {
      p[threadIdx.x] = 1;
      q[threadIdx.x + 64] = 2;
      fixed[threadIdx.x] = 3;
      __syncthreads();
      a[threadIdx.x] = p[threadIdx.x] + q[threadIdx.x + 64] + fixed[threadIdx.x];
    })",
                                        {64, 1, 1});
  EXPECT_EQ(between(m, "p", "q").reason, "different parts of the block's dynamic memory");
  EXPECT_EQ(between(m, "p", "fixed").overlap, Overlap::Never);
  const KernelModel same = affine::modelOf(R"(
    extern __shared__ float p[];
    extern __shared__ int q[];
    __global__ void k(int* a) {
      p[threadIdx.x] = 1;
      __syncthreads();
      a[threadIdx.x] = q[threadIdx.x];
    })");
  EXPECT_EQ(between(same, "p", "q").overlap, Overlap::Test);
  EXPECT_EQ(between(same, "p", "q").reason, "both begin where the block's dynamic memory begins");
}

TEST(Aliasing, LocalArgumentsOfOpenCL) {
  const KernelModel m = affine::modelOf(R"(
    __kernel void k(__global float* a, __local float* s, __local float* t) {
      s[get_local_id(0)] = 1; t[get_local_id(0)] = 2;
      a[get_local_id(0)] = s[get_local_id(0)] + t[get_local_id(0)];
    })",
                                        {64, 1, 1}, true);
  EXPECT_EQ(between(m, "s", "t").reason, "two __local arguments");
}

TEST(Aliasing, UsersWord) {
  const KernelModel m = affine::modelOf(copy);
  KnownApart pair, all;
  pair.pairs = {{"b", "a"}};
  all.allParameters = true;
  EXPECT_EQ(between(m, "a", "b", pair).reason, "said to lie apart");
  EXPECT_EQ(between(m, "a", "b", all).overlap, Overlap::Never);
}

// Rows of a width known at run time: the guards bound each dimension, and the last row ends the range.
TEST(Aliasing, RangesOfPictures) {
  const KernelModel m = affine::modelOf(R"(
    __global__ void k(const float* a, float* b, int w, int h) {
      int x = blockIdx.x * 16 + threadIdx.x, y = blockIdx.y * 16 + threadIdx.y;
      if (x >= 1 && x < w - 1 && y >= 1 && y < h - 1) b[y * w + x] = a[(y - 1) * w + x] + a[(y + 1) * w + x];
    })",
                                        {16, 16, 1});
  const auto a = bytesOfLaunch(m, arrayNamed(m, "a")), b = bytesOfLaunch(m, arrayNamed(m, "b"));
  ASSERT_TRUE(a && b);
  const affine::Values values(*m.atoms, {{4, 3, 1}, {{"w", 50}, {"h", 40}}});
  EXPECT_EQ(values.value(a->low), 4 * 1);
  EXPECT_EQ(values.value(a->high), 4 * (39 * 50 + 49));
  EXPECT_EQ(values.value(b->low), 4 * 51);
  EXPECT_EQ(values.value(b->high), 4 * (38 * 50 + 49));
}

// Accesses under different guards, some of them nested: what each touches lies in the picture, and so does
// all.
TEST(Aliasing, RangesOfNeighbours) {
  const KernelModel m = affine::modelOf(R"(
    __global__ void k(const float* a, float* b, int w, int h) {
      int x = blockIdx.x * 16 + threadIdx.x, y = blockIdx.y * 16 + threadIdx.y;
      if (x >= w || y >= h) return;
      float sum = a[y * w + x];
      if (x > 0 && x < w - 1 && y > 0 && y < h - 1)
        sum += a[y * w + x - 1] + a[y * w + x + 1] + a[(y - 1) * w + x] + a[(y + 1) * w + x] +
               a[(y - 1) * w + x - 1] + a[(y - 1) * w + x + 1] + a[(y + 1) * w + x - 1] + a[(y + 1) * w + x + 1];
      b[y * w + x] = sum;
    })",
                                        {16, 16, 1});
  EXPECT_EQ(rangeOf(m, "a"), "[0, 4*w*h)");
}

TEST(Aliasing, GridStrideLoops) {
  const KernelModel m = affine::modelOf(R"(
    __global__ void k(const float* a, float* b, int n) {
      for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x) b[i] = a[i];
    })");
  EXPECT_EQ(rangeOf(m, "a"), "[0, 4*n)");
}

// No range, no test; the reason says which address.
TEST(Aliasing, LoadedIndices) {
  const KernelModel m = affine::modelOf(R"(
    __global__ void k(const float* a, float* b, const int* index) { b[index[threadIdx.x]] = a[threadIdx.x]; })");
  const Aliasing pair = between(m, "a", "b");
  EXPECT_EQ(pair.overlap, Overlap::Unknown);
  EXPECT_NE(pair.reason.find("index"), std::string::npos) << pair.reason;
  EXPECT_FALSE(pair.ofFirst || pair.ofSecond);
}

// What may be read again later with the same result.
TEST(Aliasing, StaysUnchanged) {
  const KernelModel m = affine::modelOf(copy);
  const Stability open = staysUnchanged(m, arrayNamed(m, "a"));
  EXPECT_FALSE(open.isStable);
  EXPECT_EQ(open.untested, std::vector{arrayNamed(m, "b")});
  EXPECT_EQ(open.reason, "b is written and may overlap a");
  KnownApart apart;
  apart.allParameters = true;
  EXPECT_TRUE(staysUnchanged(m, arrayNamed(m, "a"), apart).isStable);
  EXPECT_EQ(staysUnchanged(m, arrayNamed(m, "b"), apart).reason, "b is written (b#1)");
  const KernelModel promised = affine::modelOf(R"(
    __global__ void k(const float* __restrict__ a, float* b) { b[threadIdx.x] = a[threadIdx.x]; })");
  EXPECT_TRUE(staysUnchanged(promised, arrayNamed(promised, "a")).isStable);
}

}  // namespace
