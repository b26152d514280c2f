// Dependence: which execution of an access must stay before which.
#include "analysis/Dependence.h"

#include <gtest/gtest.h>

#include <map>
#include <set>

#include "affine/HandModel.h"
#include "affine/ModelOf.h"

namespace hone::analysis {
namespace {

using namespace affine;

std::vector<std::string> words(const KernelModel& m, Between between) {
  std::vector<std::string> list;
  for (const Dependence& d : dependences(m, between)) {
    std::string text =
        std::string(str(d.kind)) + " " + m.accesses[d.from].handle + " -> " + m.accesses[d.to].handle;
    if (d.carrier.isSome()) text += " by " + m.loops[d.carrier].handle + " at " + d.distances.str();
    if (!d.isSure) text += " perhaps";
    list.push_back(text);
  }
  return list;
}
using Words = std::vector<std::string>;

TEST(Dependence, BetweenIterationsOfALoop) {
  KernelModel m = modelOf(R"(__global__ void k(float* a) {
    for (int i = 2; i < 100; ++i) a[i * 256 + threadIdx.x] = a[(i - 2) * 256 + threadIdx.x]; })");
  EXPECT_EQ(words(m, Between::OneThread), Words{"flow a#1 -> a#2 by L1 at 2"});
  KernelModel back = modelOf(R"(__global__ void k(float* a) {
    for (int i = 2; i < 100; ++i) a[i * 256 + threadIdx.x] = a[(i + 3) * 256 + threadIdx.x]; })");
  EXPECT_EQ(words(back, Between::OneThread), Words{"anti a#2 -> a#1 by L1 at 3"});
  EXPECT_FALSE(isParallel(dependences(back, Between::OneThread), LoopId(0)));
}

TEST(Dependence, IterationsThatTouchApartAreParallel) {
  KernelModel m = modelOf(R"(__global__ void k(float* a, int n) {
    for (int i = 0; i < n; ++i) { a[i] = a[i] + 1; } })",
                          {1, 1, 1});
  auto list = dependences(m, Between::OneThread);
  EXPECT_TRUE(isParallel(list, LoopId(0)));
  EXPECT_EQ(words(m, Between::OneThread), Words{"anti a#2 -> a#1"});
  EXPECT_FALSE(mayExchange(list, AccessId(0), AccessId(1)));
}

// n - 1 - i of row r is -1 - i of row r + 1, where the pitch is n: rows that are left prove nothing.
TEST(Dependence, RowsReadBackwardsMeet) {
  KernelModel m = modelOf(R"(__global__ void k(float* a, int n, int rows) {
    int r = threadIdx.x;
    if (r < rows) for (int i = 0; i < n; ++i) a[r * n + i] = a[r * n + n - 1 - i] + 1; })");
  EXPECT_FALSE(isParallel(dependences(m, Between::OneThread), LoopId(0)));
  KernelModel wide = modelOf(R"(__global__ void k(float* a, int n, int pitch, int rows) {
    int r = threadIdx.x;
    if (r < rows) for (int i = 0; i < n; ++i) a[r * pitch + i] = a[r * pitch + i] + 1; })");
  EXPECT_TRUE(isParallel(dependences(wide, Between::OneThread), LoopId(0)));
}

TEST(Dependence, ASumIsCarriedByItsLoop) {
  KernelModel m = modelOf(R"(__global__ void k(float* s, const float* a, int n) {
    for (int i = 0; i < n; ++i) s[threadIdx.x] = s[threadIdx.x] + a[i]; })");
  EXPECT_FALSE(isParallel(dependences(m, Between::OneThread), LoopId(0)));
}

TEST(Dependence, BetweenThreadsOfABlock) {
  KernelModel m = modelOf(R"(__global__ void k(float* out) { __shared__ float s[257];
    s[threadIdx.x + 1] = 1; __syncthreads(); out[threadIdx.x] = s[threadIdx.x]; })");
  EXPECT_EQ(words(m, Between::OneBlock), Words{"flow s#1 -> s#2"});
  EXPECT_EQ(words(m, Between::OneThread), Words{});
  EXPECT_EQ(words(m, Between::TwoBlocks), Words{"output out#1 -> out#1"});
}

TEST(Dependence, ALoadedIndexPerhaps) {
  KernelModel m = modelOf(R"(__global__ void k(float* a, const int* idx, int n) {
    for (int i = 0; i < n; ++i) a[idx[i]] = 1; })");
  EXPECT_EQ(words(m, Between::OneThread), Words{"output a#1 -> a#1 by L1 at 1 … 2147483646 perhaps"});
}

TEST(Dependence, AtomicsDoNotWaitForEachOther) {
  KernelModel m = modelOf("__global__ void k(int* h) { atomicAdd(&h[threadIdx.x % 8], 1); }");
  EXPECT_EQ(words(m, Between::OneBlock), Words{});
}

// Against enumeration: each pair, each carrier, each distance.
TEST(Dependence, EqualsEnumeration) {
  std::mt19937 random(17);
  auto pick = [&](int low, int high) { return std::uniform_int_distribution<int>(low, high)(random); };
  int some = 0;
  for (int iteration = 0; iteration < 50; ++iteration) {
    affine::HandModel h({unsigned(pick(1, 4)), 1, 1});
    ArrayId a = h.array("a");
    Poly i = h.enter(Poly(0), Poly(pick(1, 4)));
    bool deep = pick(0, 1);
    Poly j = deep ? h.enter(pick(0, 1) ? Poly(0) : i, Poly(pick(1, 4))) : Poly(0);
    int c = pick(0, 3), d = pick(0, 2), e = pick(0, 6);
    int many = pick(1, 2);
    h.write(a, i * c + j * d + h.tx * e + pick(0, 3));
    for (int n = 0; n < many; ++n) {
      bool guarded = pick(0, 3) == 0;
      if (guarded) h.guard(atLeast0(i - pick(0, 2)));
      h.access(a, pick(0, 1) ? ir::AccessMode::Read : ir::AccessMode::Write,
               i * c + j * d + h.tx * e + pick(0, 3));
      if (guarded) h.endGuard();
    }
    Launch launch;
    for (Between between : {Between::OneThread, Between::OneBlock}) {
      ById<AccessId, std::vector<Execution>> runs(h.model.accesses.size());
      for (const AccessId x : runs.ids())
        forEachExecution(h.model, h.model.accesses[x], launch,
                         [&](const Execution& r) { runs[x].push_back(r); });
      using Key = std::tuple<AccessId, AccessId, LoopId>;
      std::map<Key, std::set<int64_t>> expected, found;
      for (const AccessId x : runs.ids())
        for (const AccessId y : runs.ids()) {
          if (!canConflict(h.model, x, y)) continue;
          for (const Execution& p : runs[x])
            for (const Execution& q : runs[y]) {
              if (p.address != q.address) continue;
              if ((between == Between::OneThread) != (p.thread == q.thread)) continue;
              LoopId carrier;
              int64_t gap = 0;
              for (size_t l = 0; l < p.counters.size() && !gap; ++l)
                carrier = LoopId(l), gap = q.counters[l] - p.counters[l];
              if (gap > 0) expected[{x, y, carrier}].insert(gap);
              if (gap == 0 && (x < y || (x == y && between == Between::OneBlock)))
                expected[{x, y, LoopId::none()}].insert(0);
            }
        }
      for (const Dependence& dep : dependences(h.model, between, &launch)) {
        EXPECT_TRUE(dep.isSure) << dep.reason;
        std::set<int64_t>& gaps = found[{dep.from, dep.to, dep.carrier}];
        if (dep.carrier.isNone()) gaps.insert(0);
        for (int64_t v : dep.distances.values) gaps.insert(v);
      }
      ASSERT_EQ(found, expected) << "iteration " << iteration;
      some += int(found.size());
    }
  }
  EXPECT_GT(some, 80);
}

}  // namespace
}  // namespace hone::analysis
