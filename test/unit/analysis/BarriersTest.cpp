// Barriers: which are needed and for what, which are not, where one is missing.
#include "analysis/Barriers.h"

#include <gtest/gtest.h>

#include <map>
#include <set>

#include "affine/HandModel.h"
#include "affine/ModelOf.h"

namespace hone::analysis {
namespace {

using namespace affine;
using Words = std::vector<std::string>;

Words missing(const KernelModel& m) {
  BarrierFacts f = barriers(m);
  Words list;
  for (int p : f.missing) list.push_back(f.str(m, f.pairs[p]));
  return list;
}

// "needed: …" or "not needed", one per barrier.
Words verdicts(const KernelModel& m, const std::function<bool(const Access&)>& isGone = {}) {
  BarrierFacts f = barriers(m, nullptr, isGone);
  Words list;
  for (const BarrierUse& b : f.barriers) list.push_back(b.isNeeded ? "needed: " + b.why : "not needed");
  return list;
}

const char* pathFinder = R"(
__global__ void step(const int* wall, const int* src, int* dst, int cols, int steps) {
  __shared__ int prev[256]; __shared__ int result[256];
  int tx = threadIdx.x, x = blockIdx.x * 256 + tx;
  prev[tx] = src[x];
  __syncthreads();
  for (int i = 0; i < steps; ++i) {
    if (tx >= 1 && tx <= 254) {
      int best = min(prev[tx - 1], min(prev[tx], prev[tx + 1]));
      result[tx] = best + wall[cols * i + x];
    }
    __syncthreads();
    if (tx >= 1 && tx <= 254) prev[tx] = result[tx];
    __syncthreads();
  }
  dst[x] = result[tx];
})";

// The result is the thread's own, yet the barrier after it keeps reads of prev before its writes: it stays
// when result becomes a register.
TEST(Barriers, PathFinderNeedsBothInTheLoop) {
  KernelModel m = modelOf(pathFinder);
  EXPECT_EQ(missing(m), Words{});
  auto isResult = [&](const Access& a) { return a.array.isSome() && m.arrays[a.array].name == "result"; };
  for (const Words& list : {verdicts(m), verdicts(m, isResult)}) {
    ASSERT_EQ(list.size(), 3u);
    EXPECT_EQ(list[0], "needed: write of prev (line 5) before read (line 9)");
    EXPECT_EQ(list[1], "needed: read of prev (line 9) before write (line 13)");
    EXPECT_EQ(list[2], "needed: write of prev (line 13) before read (line 9) in the next iteration of i");
  }
}

const char* tiled = R"(
__global__ void mm(const float* a, const float* b, float* c, int n) {
  __shared__ float As[16][16], Bs[16][16];
  int tx = threadIdx.x, ty = threadIdx.y; float s = 0;
  for (int t = 0; t < n; t += 16) {
    As[ty][tx] = a[(blockIdx.y * 16 + ty) * n + t + tx];
    Bs[ty][tx] = b[(t + ty) * n + blockIdx.x * 16 + tx];
    __syncthreads();
    for (int k = 0; k < 16; ++k) s += As[ty][k] * Bs[k][tx];
    SECOND
  }
  c[(blockIdx.y * 16 + ty) * n + blockIdx.x * 16 + tx] = s;
})";
std::string with(std::string text, const std::string& mark, const std::string& by) {
  return text.replace(text.find(mark), mark.size(), by);
}

TEST(Barriers, ATiledProductNeedsTheOneBeforeTheNextTile) {
  KernelModel both = modelOf(with(tiled, "SECOND", "__syncthreads();"), {16, 16, 1});
  EXPECT_EQ(missing(both), Words{});
  EXPECT_EQ(verdicts(both),
            (Words{"needed: write of As (line 6) before read (line 9)",
                   "needed: read of As (line 9) before write (line 6) in the next iteration of t"}));
  KernelModel one = modelOf(with(tiled, "SECOND", ""), {16, 16, 1});
  EXPECT_EQ(missing(one), (Words{"read of As (line 9) before write (line 6) in the next iteration of t",
                                 "read of Bs (line 9) before write (line 7) in the next iteration of t"}));
}

// A tile fetched ahead inside a loop that is itself inside a loop: the fetch before the inner loop overwrites
// what slow threads of the last inner iteration still read, unless one more barrier stands before it.
const char* prefetch = R"(
__global__ void k(const float* a, float* out, int rows, int tiles) {
  __shared__ float tile[256];
  int t = threadIdx.x; float s = 0;
  for (int r = 0; r < rows; ++r) {
    BEFORE
    tile[t] = a[r * 1000 + t];
    __syncthreads();
    for (int j = 1; j < tiles; ++j) {
      float next = a[r * 1000 + j * 256 + t];
      s += tile[255 - t];
      __syncthreads();
      tile[t] = next;
      __syncthreads();
    }
    s += tile[255 - t];
  }
  out[blockIdx.x * 256 + t] = s;
})";

TEST(Barriers, APrefetchInANestedLoopNeedsOneMore) {
  KernelModel without = modelOf(with(prefetch, "BEFORE", ""));
  EXPECT_EQ(missing(without),
            Words{"read of tile (line 16) before write (line 7) in the next iteration of r"});
  EXPECT_EQ(missing(modelOf(with(prefetch, "BEFORE", "__syncthreads();"))), Words{});
}

TEST(Barriers, SomeAreNotNeeded) {
  KernelModel m = modelOf(R"(
__global__ void k(const float* in, float* out) {
  __shared__ float own[256]; __shared__ float s[256];
  int t = threadIdx.x;
  own[t] = in[t];
  __syncthreads();
  s[t] = own[t] * 2;
  __syncthreads();
  __syncthreads();
  out[t] = s[255 - t];
})");
  BarrierFacts f = barriers(m);
  EXPECT_EQ(verdicts(m)[0], "not needed");           // each thread reads what it wrote
  EXPECT_EQ(f.removable, (std::vector<int>{0, 1}));  // one of the other two has to stay
  EXPECT_FALSE(f.mayRemove({1, 2}));
  EXPECT_TRUE(f.mayRemove({0, 2}));
}

// -1 - i of row r + 1 is n - 1 - i of row r, which another thread wrote.
TEST(Barriers, RowsReadBackwardsMeet) {
  KernelModel m = modelOf(R"(__global__ void k(float* a, float* b, int n) {
    int r = blockIdx.x, i = threadIdx.x;
    if (i < n) a[r * n + i] = i;
    __syncthreads();
    if (i < n) b[r * n + i] = a[r * n + n - 1 - i]; })");
  ASSERT_EQ(verdicts(m).size(), 1u);
  EXPECT_NE(verdicts(m)[0], "not needed");
  KernelModel forwards = modelOf(R"(__global__ void k(float* a, float* b, int w, int n) {
    int r = blockIdx.x, i = threadIdx.x;
    if (i < n) a[r * w + i] = i;
    __syncthreads();
    if (i < n) b[r * w + i] = a[r * w + i]; })");
  EXPECT_EQ(verdicts(forwards), Words{"not needed"});
}

TEST(Barriers, ABarrierThatMayNotBeReachedOrdersNothing) {
  KernelModel m = modelOf(R"(
__global__ void k(const float* in, float* out, int n) {
  __shared__ float s[256];
  s[threadIdx.x] = in[threadIdx.x];
  if (n > 5) __syncthreads();
  out[threadIdx.x] = s[255 - threadIdx.x];
})");
  EXPECT_EQ(missing(m), Words{"write of s (line 4) before read (line 6)"});
  KernelModel together = modelOf(R"(
__global__ void k(const float* in, float* out, int n) {
  __shared__ float s[256];
  if (n > 5) { s[threadIdx.x] = in[threadIdx.x]; __syncthreads(); out[threadIdx.x] = s[255 - threadIdx.x]; }
})");
  EXPECT_EQ(missing(together), Words{});
}

TEST(Barriers, TheLastStepsOfAReductionNeedTheWarpsBarrier) {
  const char* text = R"(
__global__ void k(const float* in, float* out) {
  __shared__ float s[64];
  int t = threadIdx.x;
  s[t] = in[t];
  __syncthreads();
  if (t < 32) {
    s[t] = s[t] + s[t + 32];
    BETWEEN
    if (t < 16) out[t] = s[t] + s[t + 16];
  }
})";
  EXPECT_EQ(missing(modelOf(with(text, "BETWEEN", "__syncwarp();"), {64, 1, 1})), Words{});
  EXPECT_EQ(missing(modelOf(with(text, "BETWEEN", ""), {64, 1, 1})),
            Words{"write of s (line 8) before read (line 10)"});
}

TEST(Barriers, TwoWritersOfOneElement) {
  KernelModel m = modelOf(
      "__global__ void k(int* out) { __shared__ int s; s = threadIdx.x; __syncthreads(); out[threadIdx.x] = "
      "s; }");
  EXPECT_EQ(missing(m), Words{"write of s (line 1) before write (line 1)"});
}

TEST(Barriers, DivergentPlaces) {
  KernelModel m = modelOf(R"(
__global__ void k(float* a, int n, int m) {
  int x = blockIdx.x * 256 + threadIdx.x;
  if (x < n) a[x] = 1;
  if (m > 3) a[x] = 2;
  for (int i = threadIdx.x; i < n; i += 256) a[i] = 3;
})");
  auto at = [&](int i) {
    return divergenceAt(m, m.accesses[AccessId(i)].loops, m.accesses[AccessId(i)].guard);
  };
  EXPECT_TRUE(at(0).isDivergent);
  EXPECT_NE(at(0).reason.find("differs between threads"), std::string::npos);
  EXPECT_FALSE(at(1).isDivergent);
  EXPECT_TRUE(at(2).isDivergent);
  EXPECT_EQ(at(2).reason, "the iterations of the loop at line 6 differ between threads");
}

// Against enumeration: threads of one block as sequences of accesses cut by barriers; a pair is missing
// exactly where two threads meet in one element between the same barriers.
TEST(Barriers, EqualsEnumeration) {
  std::mt19937 random(31);
  auto pick = [&](int low, int high) { return std::uniform_int_distribution<int>(low, high)(random); };
  int clean = 0, racy = 0, equal = 0;
  for (int iteration = 0; iteration < 80; ++iteration) {
    affine::HandModel h({unsigned(pick(2, 4)), 1, 1});
    ArrayId a = h.array("s", ir::Space::Shared);
    std::vector<Poly> values{h.tx};
    auto place = [&] {
      Poly p = h.tx * pick(0, 1) + pick(0, 2);
      if (values.size() > 1) p += values.back() * pick(0, 1);
      return p;
    };
    auto fill = [&] {
      for (int n = pick(1, 3); n > 0; --n) {
        if (pick(0, 2) == 0)
          h.barrier();
        else
          h.access(a, pick(0, 1) ? ir::AccessMode::Read : ir::AccessMode::Write, place());
      }
    };
    fill();
    values.push_back(h.enter(Poly(0), Poly(pick(1, 3))));
    fill();
    if (pick(0, 1)) {
      values.push_back(h.enter(Poly(0), Poly(pick(1, 3))));
      fill();
      h.leave();
      values.pop_back();
      fill();
    }
    h.leave();
    values.pop_back();
    fill();
    if (h.model.accesses.empty()) continue;
    // Each thread's accesses, with the number of barriers passed before.
    struct Step {
      AccessId access;
      int64_t address, phase;
    };
    std::vector<std::vector<Step>> threads;
    Launch launch;
    for (int64_t t = 0; t < int64_t(h.model.block[0]); ++t) {
      std::vector<Step> steps;
      Values now(*h.model.atoms, launch);
      for (unsigned axis = 0; axis < 3; ++axis) now.setBlock(axis, 0), now.setThread(axis, axis ? 0 : t);
      int64_t phase = 0;
      std::map<LoopId, int64_t> counters;
      for (size_t e = 0; e < h.model.events.size(); ++e) {
        const Event& event = h.model.events[e];
        if (event.kind == EventKind::Barrier) ++phase;
        if (event.kind == EventKind::Access)
          steps.push_back({event.access, *now.value(h.model.accesses[event.access].address), phase});
        if (event.kind == EventKind::Enter)
          now.set(h.model.loops[event.loop].counter, counters[event.loop] = 0);
        if (event.kind == EventKind::Leave) {
          const Loop& loop = h.model.loops[event.loop];
          now.set(loop.counter, ++counters[event.loop]);
          if (*now.holds(loop.runs)) {
            size_t back = e;
            while (h.model.events[back].kind != EventKind::Enter || h.model.events[back].loop != event.loop)
              --back;
            e = back;
          }
        }
      }
      threads.push_back(steps);
    }
    std::set<std::pair<AccessId, AccessId>> expected, found;
    for (size_t t = 0; t < threads.size(); ++t)
      for (size_t u = 0; u < threads.size(); ++u)
        for (const Step& p : threads[t])
          for (const Step& q : threads[u])
            if (t != u && p.phase == q.phase && p.address == q.address &&
                canConflict(h.model, p.access, q.access))
              expected.insert(std::minmax(p.access, q.access));
    BarrierFacts f = barriers(h.model, &launch);
    for (int p : f.missing) found.insert(std::minmax(f.pairs[p].from, f.pairs[p].to));
    // Sound: what meets is found. Nearly always no more than that is.
    ASSERT_TRUE(std::includes(found.begin(), found.end(), expected.begin(), expected.end()))
        << "iteration " << iteration;
    equal += found == expected;
    (expected.empty() ? clean : racy) += 1;
    // Without the barriers said to be removable nothing new meets: every pair kept one.
    for (const CrossThread& pair : f.pairs) {
      if (pair.barriers.empty()) continue;
      bool kept = false;
      for (int b : pair.barriers)
        kept |= std::find(f.removable.begin(), f.removable.end(), b) == f.removable.end();
      EXPECT_TRUE(kept);
    }
  }
  EXPECT_GT(equal, 55);
  EXPECT_GT(clean, 5);
  EXPECT_GT(racy, 30);
}

}  // namespace
}  // namespace hone::analysis
