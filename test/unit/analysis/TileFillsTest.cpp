// Which stores filled what a load reads, and what these stores knew of it.
#include "analysis/TileFills.h"

#include <gtest/gtest.h>

#include "affine/ModelOf.h"

using namespace hone;
using namespace hone::analysis;
using affine::KernelModel;
using affine::Poly;

namespace {

affine::AccessId accessNamed(const KernelModel& m, const std::string& handle) {
  for (const affine::AccessId i : m.accesses.ids())
    if (m.accesses[i].handle == handle) return i;
  ADD_FAILURE() << "no access " << handle;
  return affine::AccessId(0);
}

// "s#1 always, s#2 where threadIdx.x < 3", over the element that is read; or why it is not known.
std::string fillsText(const KernelModel& m, const std::string& load) {
  const TileFills found = fillsOf(m, accessNamed(m, load));
  if (!found.isKnown) return found.reason;
  std::string out;
  for (const TileFill& fill : found.fills) {
    out += (out.empty() ? "" : ", ") + m.accesses[fill.store].handle;
    out += !fill.where                                     ? " somewhere"
           : (*fill.where)->kind == affine::CondKind::True ? " always"
                                                           : " where " + m.atoms->str(*fill.where);
    if (!fill.meets.empty()) out += " again";
  }
  return out;
}

// The element of the source that a load would read instead, by one of the fills.
std::string cameFrom(const KernelModel& m, const std::string& load, size_t number,
                     const std::string& source) {
  const TileFills found = fillsOf(m, accessNamed(m, load));
  if (number >= found.fills.size()) return "no such fill";
  WriterValues writer(m, found.fills[number].inverse);
  const auto address = writer.of(m.accesses[accessNamed(m, source)].address.dividedExactly(4));
  if (!address) return "not determined";
  affine::Atoms::Substitution here;
  for (size_t d = 0; d < found.element.size(); ++d)
    here[found.fills[number].inverse.element[d].atoms().front()] = found.element[d];
  return m.atoms->str(m.atoms->substitute(*address, here));
}

TEST(TileFills, HaloByFurtherStores) {
  const KernelModel m = affine::modelOf(R"(
    __global__ void k(const float* a, float* c) {
      __shared__ float s[36];
      int t = threadIdx.x, x = blockIdx.x * 32 + t;
      s[t + 2] = a[x];
      if (t < 2) {
        s[t] = a[x - 2];
        s[t + 34] = a[x + 32];
      }
      __syncthreads();
      c[x] = s[t] + s[t + 2];
    })",
                                        {32, 1, 1});
  EXPECT_EQ(fillsText(m, "s#4"), "s#1 where element.0 >= 2, s#2 where element.0 < 2");
  EXPECT_EQ(fillsText(m, "s#5"), "s#1 always");
  EXPECT_EQ(cameFrom(m, "s#4", 0, "a#1"), "32*blockIdx.x + threadIdx.x - 2");
  EXPECT_EQ(cameFrom(m, "s#4", 1, "a#2"), "32*blockIdx.x + threadIdx.x - 2");
  const TileFills found = fillsOf(m, accessNamed(m, "s#4"));
  const Poly e = found.fills[0].inverse.element[0];
  EXPECT_TRUE(sameWhereWritten(m, found.fills[0].inverse, e, e));
  EXPECT_FALSE(sameWhereWritten(m, found.fills[0].inverse, e, e + Poly(1)));
  // The second store wrote the elements below 2.
  EXPECT_TRUE(sameWhereWritten(m, found.fills[1].inverse, affine::atLeast0(Poly(1) - e), affine::always()));
  EXPECT_FALSE(sameWhereWritten(m, found.fills[1].inverse, affine::atLeast0(-e), affine::always()));
}

// A row and a column of a number that thread and iteration make together: neither has a formula of its own.
TEST(TileFills, PartsThatTheElementDetermines) {
  const KernelModel m = affine::modelOf(R"(
    __global__ void k(const float* a, float* c, int w) {
      __shared__ float s[6][10];
      for (int i = threadIdx.x; i < 60; i += 32) s[i / 10][i % 10] = a[(i / 10) * w + i % 10];
      __syncthreads();
      for (int j = 0; j < 6; ++j) c[threadIdx.x * 6 + j] = s[j][threadIdx.x % 10];
    })",
                                        {32, 1, 1});
  EXPECT_EQ(fillsText(m, "s#2"), "s#1 always");
  const auto w = Poly::atom(*m.atoms->findSymbol("w"));
  const Poly row = m.atoms->loop(affine::LoopId(1)), column = m.atoms->mod(m.atoms->thread(0), 10);
  EXPECT_EQ(cameFrom(m, "s#2", 0, "a#1"), m.atoms->str(row * w + column));
}

// Neighbours write one element: what they share is known, what tells them apart is not.
TEST(TileFills, SeveralWriters) {
  const KernelModel m = affine::modelOf(R"(
    __global__ void k(const float* a, const float* b, float* c) {
      __shared__ float s[16], u[16];
      s[threadIdx.x / 2] = a[threadIdx.x / 2];
      u[threadIdx.x / 2] = b[threadIdx.x];
      __syncthreads();
      c[threadIdx.x] = s[threadIdx.x % 16] + u[threadIdx.x % 16];
    })",
                                        {32, 1, 1});
  EXPECT_EQ(cameFrom(m, "s#2", 0, "a#1"), "threadIdx.x % 16");
  EXPECT_EQ(cameFrom(m, "u#2", 0, "b#1"), "not determined");
}

TEST(TileFills, LoopsAndOrder) {
  const KernelModel m = affine::modelOf(R"(
    __global__ void k(const float* a, float* c, int n) {
      __shared__ float s[34], u[32];
      int t = threadIdx.x;
      if (t < 2) s[33 * t] = a[t];
      u[t] = a[t];
      for (int i = 0; i < n; ++i) {
        s[t + 1] = a[32 * i + t];
        __syncthreads();
        c[i] = s[t] + s[t + 2] + u[31 - t];
        __syncthreads();
        u[t] = a[i];
        __syncthreads();
      }
    })",
                                        {32, 1, 1});
  // What is filled once beside what is filled in each iteration.
  EXPECT_EQ(fillsText(m, "s#3"), "s#1 where element.0 == 0, s#2 where element.0 > 0");
  EXPECT_EQ(fillsOf(m, accessNamed(m, "s#3")).fills.at(0).fixed.size(), 0u);
  EXPECT_EQ(fillsOf(m, accessNamed(m, "s#3")).fills.at(1).fixed.size(), 1u);
  EXPECT_EQ(fillsText(m, "u#2"), "what is read was written in an iteration before");
}

TEST(TileFills, LastWriterAndHoles) {
  const KernelModel m = affine::modelOf(R"(
    __global__ void k(const float* a, float* c, int n) {
      __shared__ float s[32], u[64];
      int t = threadIdx.x;
      s[t] = a[t];
      u[2 * t] = a[t];
      __syncthreads();
      if (t < 4) s[t] = a[t + n];
      __syncthreads();
      c[t] = s[31 - t] + u[t];
    })",
                                        {32, 1, 1});
  EXPECT_EQ(fillsText(m, "s#3"), "s#1 always again, s#2 where element.0 < 4 again");
  EXPECT_EQ(fillsText(m, "u#2"), "element [1] is read, which was not written before in the same iteration");
}

}  // namespace
