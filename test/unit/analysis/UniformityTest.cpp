// Uniformity: over how many threads values, branches and loops are the same.
#include "analysis/Uniformity.h"

#include <gtest/gtest.h>

#include "RandomAccess.h"
#include "affine/ModelOf.h"

using namespace hone;
using namespace hone::analysis;
using affine::KernelModel;

namespace {

std::string text(const Uniformity& u) {
  return std::string(str(u.over)) + (u.why.empty() ? "" : ": " + u.why);
}

std::string addressOf(const KernelModel& m, const std::string& handle) {
  const affine::Access* access = m.find(handle);
  return access ? text(uniformityOf(m, access->address)) : "no " + handle;
}

constexpr const char* rows = R"(
  __global__ void k(float* a, const float* b, const int* idx, const float* c, int n) {
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    a[y * n + x] = b[y] + b[blockIdx.x] + c[n] + c[threadIdx.x / 32] + c[idx[x]];
  })";

// What a row of the block is to its warps depends on the shape.
TEST(Uniformity, Addresses) {
  const KernelModel wide = affine::modelOf(rows, {32, 8, 1});
  EXPECT_EQ(addressOf(wide, "a#1"), "thread: threadIdx.x");
  EXPECT_EQ(addressOf(wide, "b#1"), "warp: threadIdx.y");
  EXPECT_EQ(addressOf(wide, "b#2"), "block: blockIdx.x");
  EXPECT_EQ(addressOf(wide, "c#1"), "grid");
  EXPECT_EQ(addressOf(wide, "c#2"), "grid");  // 32 threads in a row: always 0

  const KernelModel narrow = affine::modelOf(rows, {16, 16, 1});
  EXPECT_EQ(addressOf(narrow, "b#1"), "thread: threadIdx.y");

  const KernelModel flat = affine::modelOf(rows, {256, 1, 1});
  EXPECT_EQ(addressOf(flat, "b#1"), "block: blockIdx.y");  // threadIdx.y is 0
  EXPECT_EQ(addressOf(flat, "c#2"), "warp: threadIdx.x");
  const Uniformity loaded = uniformityOf(flat, flat.find("c#3")->address);
  EXPECT_EQ(loaded.over, UniformOver::Thread);
  EXPECT_NE(loaded.why.find("idx"), std::string::npos) << loaded.why;
}

TEST(Uniformity, BranchesAndLoops) {
  const KernelModel m = affine::modelOf(R"(
    __global__ void k(float* a, int n) {
      __shared__ float s[128];
      int i = blockIdx.x * blockDim.x + threadIdx.x;
      if (n > 4) a[0] = 1;
      if (i < n) a[i] = 2;
      if (threadIdx.x < 64) a[i] = 3;
      if (blockIdx.x == 0) a[1] = 4;
      if (threadIdx.x < 128) a[2] = 5;
      for (int k = 0; k < n; ++k) s[k] = 0;
      for (int k = threadIdx.x; k < n; k += blockDim.x) s[k] = 1;
      for (int k = threadIdx.x; k < 512; k += blockDim.x) s[k] = 2;
      for (int k = 0; k < threadIdx.x / 32; ++k) s[k] = 3;
      __syncthreads();
    })",
                                        {128, 1, 1});
  const KernelUniformity u = uniformity(m);
  std::vector<std::string> branches, loops;
  for (const Uniformity& b : u.branches) branches.push_back(text(b));
  for (const Uniformity& l : u.loops) loops.push_back(text(l));
  EXPECT_EQ(branches, (std::vector<std::string>{"grid", "thread: threadIdx.x", "warp: threadIdx.x",
                                                "block: blockIdx.x", "grid"}));
  EXPECT_EQ(loops, (std::vector<std::string>{"grid", "thread: threadIdx.x", "grid", "warp: threadIdx.x"}));
  ASSERT_EQ(u.barriers.size(), 1u);
  EXPECT_EQ(text(u.barriers[0]), "grid");
  EXPECT_TRUE(u.branches[2].differs);
  EXPECT_FALSE(u.branches[1].differs);  // all threads may be inside
}

// Whatever is said to be the same is the same, for thousands of random values and conditions.
TEST(Uniformity, HoldsForRandomValues) {
  std::mt19937 random(3);
  unsigned found[4] = {};
  for (unsigned iteration = 0; iteration < 3000 && !HasFailure(); ++iteration) {
    test::RandomAccess r(random);
    const test::RandomValue value = r.value();
    const test::RandomCond cond = r.guard();
    const Uniformity u = uniformityOf(r.hand.model, value.poly), c = uniformityOf(r.hand.model, cond.cond);
    ++found[static_cast<unsigned>(u.over)];
    const unsigned threads = r.hand.model.threads();
    // All threads in one iteration, with the loops at a few values.
    for (int64_t i : {0, 1, 7}) {
      std::map<std::vector<int64_t>, std::pair<int64_t, bool>>
          seen;  // of values, by what they must not differ in
      std::map<std::vector<int64_t>, std::pair<int64_t, bool>> seenCond;
      bool isDifferent = false;
      for (int64_t by = 0; by < 2; ++by)
        for (int64_t bx = 0; bx < 3; ++bx)
          for (unsigned t = 0; t < threads; ++t) {
            test::Point p;
            p.thread = {t % r.hand.model.block[0], t / r.hand.model.block[0] % r.hand.model.block[1],
                        t / r.hand.model.block[0] / r.hand.model.block[1]};
            p.block = {bx, by, 0};
            p.loop = {r.inIteration(0, i), r.inIteration(1, i + 2)};
            p.w = r.w, p.n = r.n;
            auto key = [&](UniformOver over) -> std::vector<int64_t> {
              switch (over) {
                case UniformOver::Grid: return {};
                case UniformOver::Block: return {bx, by};
                case UniformOver::Warp: return {bx, by, t / 32};
                case UniformOver::Thread: break;
              }
              return {bx, by, t};
            };
            const int64_t v = value.plain(p);
            const bool isTrue = cond.plain(p);
            EXPECT_EQ(seen.try_emplace(key(u.over), v, false).first->second.first, v)
                << r.hand.atoms().str(value.poly) << " over the " << str(u.over);
            EXPECT_EQ(seenCond.try_emplace(key(c.over), 0, isTrue).first->second.second, isTrue)
                << r.hand.atoms().str(cond.cond) << " over the " << str(c.over);
            isDifferent = isDifferent || v != seen.begin()->second.first;
          }
      if (u.differs) EXPECT_TRUE(isDifferent) << r.hand.atoms().str(value.poly);
    }
  }
  for (unsigned n : found) EXPECT_GE(n, 40u);
}

}  // namespace
