// Invertibility: which thread wrote an element, and what that says about reading it from where it came from.
// Tests L1 to L11 are the conditions for doing without an array of the block, as far as they are questions of
// fact. (L7, that what is reused was computed before, is a question to the program's text; L9, barriers, is
// asked of the analysis of barriers.)
#include "analysis/Invertibility.h"

#include <gtest/gtest.h>

#include <chrono>

#include "affine/ModelOf.h"
#include "analysis/Aliasing.h"

using namespace hone;
using namespace hone::analysis;
using affine::KernelModel;
using affine::Poly;

namespace {

affine::AccessId indexOf(const KernelModel& m, const std::string& handle) {
  for (const affine::AccessId i : m.accesses.ids())
    if (m.accesses[i].handle == handle) return i;
  ADD_FAILURE() << "no access " << handle;
  return affine::AccessId(0);
}

// "threadIdx.x = …, threadIdx.y free, k = …", or why there is none.
std::string text(const KernelModel& m, const Inverse& inverse) {
  if (!inverse.isInjective || !inverse.isWritten) return inverse.reason;
  std::string out;
  auto add = [&](const std::string& name, CoordinateRole role, const std::optional<Poly>& value) {
    if (role == CoordinateRole::Fixed) return;
    out += (out.empty() ? "" : ", ") + name;
    out += role == CoordinateRole::Free ? " free" : " = " + (value ? m.atoms->str(*value) : "?");
  };
  for (unsigned axis = 0; axis < 3; ++axis)
    add(std::string(1, "xyz"[axis]), inverse.axes[axis], inverse.thread[axis]);
  for (const SolvedLoop& l : inverse.loops)
    add(m.loops[l.loop].var->name + " iteration", l.role, l.iteration);
  return out;
}

std::string inverseOf(const KernelModel& m, const std::string& handle) {
  return text(m, invert(m, indexOf(m, handle)));
}

// Where a load of the block's array would read instead: the source's element, by the store's inverse.
std::string readInstead(const KernelModel& m, const std::string& load, const std::string& store) {
  const Inverse inverse = invert(m, indexOf(m, store));
  const StoreSource source = sourceOf(m, indexOf(m, store));
  if (source.load.isNone()) return source.reason;
  auto element = elementOf(m, inverse, indexOf(m, load));
  if (!element) return "the load does not fit";
  auto address = atWriter(m, inverse, m.accesses[source.load].address, *element);
  return address ? m.atoms->str(address->dividedExactly(4)) : "depends on a coordinate that is not solved";
}

Coverage::Verdict coverage(const KernelModel& m, const std::string& load,
                           const std::vector<std::string>& stores) {
  std::vector<affine::AccessId> list;
  for (const std::string& s : stores) list.push_back(indexOf(m, s));
  return coveredBy(m, indexOf(m, load), list).verdict;
}

// Spec example: a tile stored transposed, a column of it summed.
constexpr const char* blend = R"(
  __global__ void blend(const float* in, float* out, int w) {
    __shared__ float t[16][16];
    int lx = threadIdx.x, ly = threadIdx.y, wx = blockIdx.x, wy = blockIdx.y;
    t[lx][ly] = in[(wy * 16 + ly) * w + wx * 16 + lx];
    __syncthreads();
    float s = 0;
    for (int k = 0; k < 16; ++k) s += t[k][lx];
    out[(wy * 16 + ly) * w + wx * 16 + lx] = s;
  })";

TEST(Invertibility, TransposedTile) {
  const KernelModel m = affine::modelOf(blend, {16, 16, 1});
  EXPECT_EQ(inverseOf(m, "t#1"), "x = element.0, y = element.1");
  const Inverse inverse = invert(m, indexOf(m, "t#1"));
  EXPECT_EQ(inverse.exactness, affine::Exactness::Exact);
  EXPECT_TRUE(inverse.isDense);
  // lx' = k, ly' = lx: row wy*16 + lx, column wx*16 + k.
  auto element = elementOf(m, inverse, indexOf(m, "t#2"));
  ASSERT_TRUE(element);
  EXPECT_EQ(m.atoms->str(*atWriter(m, inverse, m.atoms->thread(0), *element)), "k");
  EXPECT_EQ(m.atoms->str(*atWriter(m, inverse, m.atoms->thread(1), *element)), "threadIdx.x");
  const auto w = Poly::atom(*m.atoms->findSymbol("w"));
  const auto k = m.atoms->loop(affine::LoopId(0)), tx = m.atoms->thread(0);
  const auto expected = (m.atoms->block(1) * 16 + tx) * w + m.atoms->block(0) * 16 + k;
  EXPECT_EQ(readInstead(m, "t#2", "t#1"), m.atoms->str(expected));
}

// A tile per iteration of the loop over tiles: the iteration is the same for store and load.
TEST(Invertibility, TiledProduct) {
  const KernelModel m = affine::modelOf(R"(
    __global__ void product(const float* a, const float* b, float* c, int n) {
      __shared__ float s[16][16], u[16][16];
      int lx = threadIdx.x, ly = threadIdx.y, x = blockIdx.x * 16 + lx, y = blockIdx.y * 16 + ly;
      float sum = 0;
      for (int t = 0; t < n / 16; ++t) {
        s[ly][lx] = a[y * n + t * 16 + lx];
        u[ly][lx] = b[(t * 16 + ly) * n + x];
        __syncthreads();
        for (int k = 0; k < 16; ++k) sum += s[ly][k] * u[k][lx];
        __syncthreads();
      }
      c[y * n + x] = sum;
    })",
                                        {16, 16, 1});
  EXPECT_EQ(inverseOf(m, "s#1"), "x = element.1, y = element.0");
  EXPECT_EQ(iterationsBetweenBarriers(m, indexOf(m, "s#1")), std::vector{affine::LoopId(0)});
  const auto n = Poly::atom(*m.atoms->findSymbol("n"));
  const auto t = m.atoms->loop(affine::LoopId(0)), k = m.atoms->loop(affine::LoopId(1)),
             tx = m.atoms->thread(0), ty = m.atoms->thread(1);
  EXPECT_EQ(readInstead(m, "s#2", "s#1"), m.atoms->str((m.atoms->block(1) * 16 + ty) * n + t * 16 + k));
  EXPECT_EQ(readInstead(m, "u#2", "u#1"), m.atoms->str((t * 16 + k) * n + m.atoms->block(0) * 16 + tx));
  EXPECT_EQ(coverage(m, "s#2", {"s#1"}), Coverage::Covered);
  EXPECT_EQ(coverage(m, "u#2", {"u#1"}), Coverage::Covered);
}

// Threads of an axis that the store does not mention all write the same; unless what they write differs.
TEST(Invertibility, FreeAxes) {
  const KernelModel m = affine::modelOf(R"(
    __global__ void k(const float* a, const float* b, float* c) {
      __shared__ float s[32], u[32];
      s[threadIdx.x] = a[blockIdx.x * 32 + threadIdx.x];
      u[threadIdx.x] = b[threadIdx.y * 32 + threadIdx.x];
      __syncthreads();
      c[threadIdx.x] = s[31 - threadIdx.x] + u[threadIdx.x];
    })",
                                        {32, 4, 1});
  EXPECT_EQ(inverseOf(m, "s#1"), "x = element.0, y free");
  EXPECT_EQ(readInstead(m, "s#2", "s#1"), "32*blockIdx.x - threadIdx.x + 31");
  EXPECT_EQ(readInstead(m, "u#2", "u#1"), "depends on a coordinate that is not solved");
}

// A guard can say which thread it was.
TEST(Invertibility, GuardsSolveToo) {
  const KernelModel m = affine::modelOf(R"(
    __global__ void k(const float* a, float* c) {
      __shared__ float s[32];
      if (threadIdx.y == 2) s[threadIdx.x] = a[threadIdx.y * 32 + threadIdx.x];
      __syncthreads();
      c[threadIdx.x] = s[threadIdx.x];
    })",
                                        {32, 4, 1});
  EXPECT_EQ(inverseOf(m, "s#1"), "x = element.0, y = 2");
  EXPECT_EQ(readInstead(m, "s#2", "s#1"), "threadIdx.x + 64");
}

// Threads that fill an array together, in as many iterations as it takes.
TEST(Invertibility, IterationsOfOneThread) {
  const KernelModel m = affine::modelOf(R"(
    __global__ void k(const float* a, float* c) {
      __shared__ float s[1000];
      for (int i = threadIdx.x; i < 1000; i += 256) s[i] = a[blockIdx.x * 1000 + i];
      __syncthreads();
      for (int j = 0; j < 1000; ++j) c[j] = s[999 - j];
    })");
  EXPECT_EQ(inverseOf(m, "s#1"), "x = element.0 % 256, i iteration = element.0 / 256");
  EXPECT_EQ(readInstead(m, "s#2", "s#1"), "1000*blockIdx.x - j + 999");
  EXPECT_EQ(coverage(m, "s#2", {"s#1"}), Coverage::Covered);
}

// Digits of several bases, and a row's length that is no multiple of the block.
TEST(Invertibility, MixedRadix) {
  const KernelModel m = affine::modelOf(R"(
    __global__ void k(const float* a) {
      __shared__ float s[256], t[18][18], u[64];
      int x = threadIdx.x, y = threadIdx.y, z = threadIdx.z;
      for (int i = 0; i < 4; ++i) s[64 * i + 16 * z + 4 * y + 3 - x] = a[i];
      for (int i = 16 * z + 4 * y + x; i < 324; i += 64) t[i / 18][i % 18] = a[i];
      u[16 * y + 4 * x + z] = a[0];
    })",
                                        {4, 4, 4});
  EXPECT_EQ(inverseOf(m, "s#1"),
            "x = (3 - element.0) % 4, y = (element.0 / 4) - 4*(element.0 / 16), "
            "z = (element.0 / 16) - 4*(element.0 / 64), i iteration = element.0 / 64");
  EXPECT_EQ(inverseOf(m, "t#1"),
            "x = (2*element.0 + element.1) % 4, "
            "y = ((18*element.0 + element.1) / 4) - 4*((18*element.0 + element.1) / 16), "
            "z = ((18*element.0 + element.1) / 16) - 4*((18*element.0 + element.1) / 64), "
            "i iteration = (18*element.0 + element.1) / 64");
  EXPECT_EQ(inverseOf(m, "u#1"),
            "x = (element.0 / 4) - 4*(element.0 / 16), y = element.0 / 16, z = element.0 % 4");
}

// Four elements per thread: the thread is the quotient.
TEST(Invertibility, Vectors) {
  const KernelModel m = affine::modelOf(R"(
    __global__ void k(const float4* a, float* c) {
      __shared__ __align__(16) float s[1024];
      reinterpret_cast<float4*>(s)[threadIdx.x] = a[threadIdx.x];
      __syncthreads();
      c[threadIdx.x] = s[threadIdx.x] + s[threadIdx.x + 1024];
    })");
  const Inverse inverse = invert(m, indexOf(m, "s#1"));
  EXPECT_EQ(text(m, inverse), "x = element.0 / 4");
  EXPECT_EQ(inverse.unit, 4);
  EXPECT_TRUE(inverse.isDense);
  EXPECT_EQ(coverage(m, "s#2", {"s#1"}), Coverage::Covered);
  EXPECT_EQ(coverage(m, "s#3", {"s#1"}), Coverage::Uncovered);
}

// Which threads meet in one element is part of the reason.
TEST(Invertibility, SeveralThreadsInOneElement) {
  const KernelModel m = affine::modelOf(R"(
    __global__ void k(const float* a) {
      __shared__ float s[64], t[64];
      s[threadIdx.x / 2] = a[threadIdx.x];
      t[threadIdx.x + threadIdx.y] = a[threadIdx.x];
    })",
                                        {32, 4, 1});
  EXPECT_EQ(inverseOf(m, "s#1"), "threadIdx.x = 0 and 1 touch one element");
  EXPECT_FALSE(invert(m, indexOf(m, "t#1")).isInjective);
  EXPECT_EQ(invert(m, indexOf(m, "t#1")).axes[0], CoordinateRole::Mixed);
}

TEST(Invertibility, L1EveryStoreIsALoadAsItIs) {
  const KernelModel m = affine::modelOf(R"(
    __global__ void k(const float* a, const int* b, float* c, int n) {
      __shared__ float s[64], t[64], u[64], v[64], w[64];
      int i = threadIdx.x;
      s[i] = a[i];
      float kept = a[i + 1];
      t[i] = kept;
      u[i] = a[i] * 2;
      v[i] = b[i];
      w[i] = i < n ? a[i] : 0.0f;
    })",
                                        {64, 1, 1});
  EXPECT_EQ(sourceOf(m, indexOf(m, "s#1")).load, indexOf(m, "a#1"));
  EXPECT_EQ(sourceOf(m, indexOf(m, "t#1")).load, indexOf(m, "a#2"));
  EXPECT_EQ(sourceOf(m, indexOf(m, "u#1")).reason, "the value is not one that was loaded as it is");
  EXPECT_EQ(sourceOf(m, indexOf(m, "v#1")).reason, "the value is converted before it is stored");
  EXPECT_EQ(sourceOf(m, indexOf(m, "w#1")).reason, "the value is one of two, by a condition");
}

TEST(Invertibility, L2TheSourceStaysUnchanged) {
  const KernelModel m = affine::modelOf(blend, {16, 16, 1});
  const affine::ArrayId in = m.accesses[indexOf(m, "in#1")].array;
  EXPECT_FALSE(staysUnchanged(m, in).isStable);  // out may be the same picture
  KnownApart apart;
  apart.allParameters = true;
  EXPECT_TRUE(staysUnchanged(m, in, apart).isStable);
}

// x = 2*lx has an inverse, but only for every other element.
TEST(Invertibility, L3UnimodularOrHalfEmpty) {
  const KernelModel m = affine::modelOf(R"(
    __global__ void k(const float* a, float* c) {
      __shared__ float s[128];
      s[2 * threadIdx.x] = a[threadIdx.x];
      __syncthreads();
      c[threadIdx.x] = s[threadIdx.x] + s[2 * threadIdx.x];
    })",
                                        {64, 1, 1});
  const Inverse inverse = invert(m, indexOf(m, "s#1"));
  EXPECT_TRUE(inverse.isInjective);
  EXPECT_FALSE(inverse.isDense);
  EXPECT_EQ(coverage(m, "s#2", {"s#1"}), Coverage::Uncovered);
  EXPECT_EQ(coverage(m, "s#3", {"s#1"}), Coverage::Covered);
  EXPECT_EQ(readInstead(m, "s#3", "s#1"), "threadIdx.x");
}

TEST(Invertibility, L4LoadsInsideWhatWasStored) {
  const KernelModel m = affine::modelOf(R"(
    __global__ void k(const float* a, float* c, int n) {
      __shared__ float s[66];
      int i = blockIdx.x * 64 + threadIdx.x;
      if (i < n) s[threadIdx.x] = a[i];
      __syncthreads();
      c[i] = s[threadIdx.x + 1];
      if (i < n) c[i] += s[threadIdx.x];
      if (i < n - 1 && threadIdx.x < 63) c[i] += s[threadIdx.x + 1];
    })",
                                        {64, 1, 1});
  const Coverage beyond = coveredBy(m, indexOf(m, "s#2"), {indexOf(m, "s#1")});
  EXPECT_EQ(beyond.verdict, Coverage::Uncovered);
  EXPECT_EQ(coverage(m, "s#3", {"s#1"}), Coverage::Covered);
  EXPECT_EQ(coverage(m, "s#4", {"s#1"}), Coverage::Covered);
}

// Centre and halo of a tile: every pass gives the same map, also where a guard makes a subscript one number.
TEST(Invertibility, L5PassesAgree) {
  const KernelModel m = affine::modelOf(R"(
    __global__ void k(const float* a, float* c, int w) {
      __shared__ float s[20][20];
      int lx = threadIdx.x, ly = threadIdx.y, x = blockIdx.x * 16 + lx, y = blockIdx.y * 16 + ly;
      s[ly + 2][lx + 2] = a[y * w + x];
      if (lx < 2) s[ly + 2][lx] = a[y * w + x - 2];
      if (lx >= 14) s[ly + 2][lx + 4] = a[y * w + x + 2];
      if (ly < 2) s[ly][lx + 2] = a[(y - 2) * w + x];
      if (ly == 0) s[18][lx + 2] = a[(y + 16) * w + x];
      if (ly == 0) s[19][lx + 2] = a[(y + 18) * w + x];
      __syncthreads();
      c[y * w + x] = s[ly + 1][lx + 2] + s[ly + 3][lx + 2];
    })",
                                        {16, 16, 1});
  const Inverse centre = invert(m, indexOf(m, "s#1"));
  auto agreement = [&](int pass) {
    const std::string number = std::to_string(pass);
    return sourcesAgree(m, centre, indexOf(m, "a#1"), invert(m, indexOf(m, "s#" + number)),
                        indexOf(m, "a#" + number));
  };
  for (int pass = 2; pass <= 5; ++pass)
    EXPECT_TRUE(agreement(pass).agrees) << pass << ": " << agreement(pass).reason;
  // The sixth is one row off.
  EXPECT_FALSE(agreement(6).agrees);
  EXPECT_NE(agreement(6).reason.find(" differs from "), std::string::npos) << agreement(6).reason;
  EXPECT_EQ(coverage(m, "s#7", {"s#1", "s#4"}), Coverage::Covered);
  EXPECT_EQ(coverage(m, "s#8", {"s#1"}), Coverage::Uncovered);
  EXPECT_EQ(coverage(m, "s#8", {"s#1", "s#5"}), Coverage::Covered);
}

// An iteration stores into one half and reads the other: what it reads is not what the same iteration wrote.
TEST(Invertibility, L6SameIteration) {
  const KernelModel m = affine::modelOf(R"(
    __global__ void k(const float* a, float* c, int n) {
      __shared__ float s[2][64];
      int i = threadIdx.x;
      s[0][i] = a[i];
      for (int t = 0; t < n; ++t) {
        __syncthreads();
        s[(t + 1) % 2][i] = a[(t + 1) * 64 + i];
        c[t * 64 + i] = s[t % 2][63 - i] + s[(t + 1) % 2][i];
      }
    })",
                                        {64, 1, 1});
  EXPECT_EQ(coverage(m, "s#3", {"s#2"}), Coverage::Uncovered);
  EXPECT_EQ(coverage(m, "s#4", {"s#2"}), Coverage::Covered);
}

TEST(Invertibility, L8GlobalIds) {
  const KernelModel m = affine::modelOf(R"(
    __kernel void k(__global const float* a, __global float* c) {
      __local float s[64];
      s[get_local_id(0)] = a[get_global_id(0)];
      barrier(CLK_LOCAL_MEM_FENCE);
      c[get_global_id(0)] = s[63 - get_local_id(0)];
    })",
                                        {64, 1, 1}, true);
  const std::string address = readInstead(m, "s#2", "s#1");
  EXPECT_NE(address.find("64*blockIdx.x"), std::string::npos) << address;
  EXPECT_NE(address.find("63"), std::string::npos) << address;
}

// The size of such an array is the launch's; the array says so.
TEST(Invertibility, L10MemoryGivenByTheHost) {
  const KernelModel m = affine::modelOf(R"(
    extern __shared__ float s[];
    __global__ void k(const float* a, float* c) {
      s[threadIdx.x] = a[threadIdx.x];
      __syncthreads();
      c[threadIdx.x] = s[255 - threadIdx.x];
    })");
  EXPECT_EQ(readInstead(m, "s#2", "s#1"), "255 - threadIdx.x");
  EXPECT_TRUE(m.arrays[m.accesses[indexOf(m, "s#1")].array].var->isDynamicShared);
}

// A flat array with a constant pitch: quotient and remainder.
TEST(Invertibility, L11FlattenedPitch) {
  const KernelModel m = affine::modelOf(R"(
    __global__ void k(const float* a, float* c, int w) {
      __shared__ float s[16 * 17];
      int lx = threadIdx.x, ly = threadIdx.y;
      s[ly * 17 + lx] = a[ly * w + lx];
      __syncthreads();
      c[ly * w + lx] = s[lx * 17 + ly];
    })",
                                        {16, 16, 1});
  EXPECT_EQ(inverseOf(m, "s#1"), "x = element.0 % 17, y = element.0 / 17");
  EXPECT_FALSE(invert(m, indexOf(m, "s#1")).isDense);
  const auto w = Poly::atom(*m.atoms->findSymbol("w"));
  EXPECT_EQ(readInstead(m, "s#2", "s#1"), m.atoms->str(m.atoms->thread(0) * w + m.atoms->thread(1)));
}

TEST(Invertibility, LoadedIndices) {
  const KernelModel m = affine::modelOf(R"(
    __global__ void k(const float* a, const int* index) {
      __shared__ float s[64];
      s[index[threadIdx.x]] = a[threadIdx.x];
    })",
                                        {64, 1, 1});
  const Inverse inverse = invert(m, indexOf(m, "s#1"));
  EXPECT_FALSE(inverse.isInjective);
  EXPECT_EQ(inverse.exactness, affine::Exactness::Unknown);
  EXPECT_NE(inverse.reason.find("index"), std::string::npos) << inverse.reason;
}

// Made to cost isl more than it is given: an answer comes all the same, and soon.
TEST(Invertibility, WorkIsBounded) {
  const KernelModel m = affine::modelOf(R"(
    __global__ void k(const float* a, float* c, int n, int m) {
      __shared__ float s[4096];
      int x = threadIdx.x, y = threadIdx.y, z = threadIdx.z;
      for (int i = 0; i < n; ++i)
        for (int j = i / 3; j < m - i; ++j)
          for (int l = j % 7; l < (i + j) % 31 + m; ++l)
            for (int q = l / 5; q < n - (l + j) % 13; ++q)
              if ((i * 5 + j * 3 + x) % 11 < (l * 7 + q + y) % 17 || (x + y * 3 + q) / 7 % 3 == (z + l) % 5)
                s[((i * 7 + j * 11 + x * 3) % 97 + (l * 13 + q * 17 + y * 5) % 89 + z * 31 + (i + x) / 9) % 4096] = a[i];
      __syncthreads();
      for (int i = 0; i < n; ++i) c[i] = s[(i * 37 + x * 5 + (y + i) % 19) % 4096];
    })",
                                        {8, 8, 8});
  const auto begin = std::chrono::steady_clock::now();
  const Inverse inverse = invert(m, indexOf(m, "s#1"));
  EXPECT_FALSE(inverse.isInjective);
  EXPECT_FALSE(inverse.reason.empty());
  EXPECT_NE(coverage(m, "s#2", {"s#1"}), Coverage::Covered);
  const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - begin;
  EXPECT_LT(seconds.count(), 30);  // a second or two; the rest is for machines with much else to do
}

}  // namespace
