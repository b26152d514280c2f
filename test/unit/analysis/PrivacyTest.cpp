// Privacy: elements that one thread alone touches, and which of its own they would become.
#include "analysis/Privacy.h"

#include <gtest/gtest.h>

#include <map>
#include <set>

#include "affine/HandModel.h"
#include "affine/ModelOf.h"

namespace hone::analysis {
namespace {

using namespace affine;

Privacy of(const KernelModel& m, const std::string& name, const Launch* launch = nullptr) {
  for (const ArrayId i : m.arrays.ids())
    if (m.arrays[i].name == name) return privacy(m, i, launch);
  ADD_FAILURE() << "no array " << name;
  return {};
}

// "yes, slot-major, 12 slots" / "no: why"
std::string words(const KernelModel& m, const std::string& name) {
  Privacy p = of(m, name);
  if (p.perThread != Answer::Yes) return std::string(str(p.perThread)) + ": " + p.reason;
  std::string text = std::string("yes, ") + str(p.form);
  if (p.slots) text += ", " + std::to_string(*p.slots);
  if (p.hasRuntimeSlot) text += ", at run time";
  return text;
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

TEST(Privacy, PathFinderKeepsOneResultPerThreadAndSharesTheRowBefore) {
  KernelModel m = modelOf(pathFinder);
  EXPECT_EQ(words(m, "result"), "yes, one slot, 1");
  EXPECT_EQ(words(m, "prev"), "no: different threads touch one element at line 5 and line 9");
  EXPECT_EQ(words(m, "dst"), "yes, one slot, 1");
}

TEST(Privacy, MarchingCubesKeepsAListOfSlotsPerThread) {
  KernelModel m = modelOf(R"(
#define NTHREADS 32
__global__ void march(const unsigned* table, const float* in, float* out, unsigned n) {
  __shared__ float vertlist[12 * NTHREADS];
  unsigned i = blockIdx.x * NTHREADS + threadIdx.x;
  vertlist[threadIdx.x] = in[i];
  vertlist[threadIdx.x + NTHREADS] = in[i + 1];
  vertlist[(NTHREADS * 11) + threadIdx.x] = in[i + 2];
  __syncthreads();
  for (unsigned k = 0; k < n; ++k) {
    unsigned edge = table[k] & 7;
    out[i * n + k] = vertlist[edge * NTHREADS + threadIdx.x];
  }
})",
                          {32, 1, 1});
  EXPECT_EQ(words(m, "vertlist"), "yes, slot-major, 12, at run time");
  Privacy p = of(m, "vertlist");
  std::vector<std::string> slots;
  for (const auto& [access, slot] : p.slotOf) slots.push_back(m.atoms->str(slot));
  ASSERT_EQ(slots.size(), 4u);
  EXPECT_EQ(slots[0], "0");
  EXPECT_EQ(slots[1], "1");
  EXPECT_EQ(slots[2], "11");
  EXPECT_EQ(p.slotOf.size(), 4u);
}

TEST(Privacy, SlotsOfConstantLoopsCanBecomeRegisters) {
  KernelModel m = modelOf(R"(
__global__ void k(const float* in, float* out) {
  __shared__ float byThread[64 * 5]; __shared__ float bySlot[4][64];
  for (int j = 0; j < 5; ++j) byThread[threadIdx.x * 5 + j] = in[j];
  for (int j = 0; j < 4; ++j) bySlot[j][threadIdx.x] = in[j];
  out[threadIdx.x] = byThread[threadIdx.x * 5 + 2] + bySlot[3][threadIdx.x];
})",
                          {64, 1, 1});
  EXPECT_EQ(words(m, "byThread"), "yes, thread-major, 5");
  EXPECT_EQ(words(m, "bySlot"), "yes, slot-major, 4");
}

TEST(Privacy, ATileThatEachThreadReadsWhereItWrote) {
  KernelModel m = modelOf(R"(
__global__ void k(const float* in, float* out, int cols) {
  __shared__ float south[16][16]; __shared__ float turned[16][17]; __shared__ float padded[16][17];
  int tx = threadIdx.x, ty = threadIdx.y;
  south[ty][tx] = in[tx]; turned[ty][tx] = in[ty]; padded[ty][tx] = in[tx + 1];
  __syncthreads();
  out[(16 * blockIdx.y + ty) * cols + 16 * blockIdx.x + tx] = south[ty][tx] + turned[tx][ty] + padded[ty][tx];
})",
                          {16, 16, 1});
  EXPECT_EQ(words(m, "south"), "yes, one slot, 1");
  EXPECT_EQ(words(m, "padded"), "yes, one slot, 1");
  EXPECT_EQ(words(m, "turned"),
            "no: different threads touch one element at line 5 and line 7");  // a transposed tile
}

TEST(Privacy, WhatIsNotPrivate) {
  KernelModel m = modelOf(R"(
__global__ void k(const int* in, int* out) {
  __shared__ int counts[64]; __shared__ int swapped[64]; __shared__ int one; __shared__ volatile int v[64];
  int t = threadIdx.x;
  counts[t] = 0; swapped[t] = in[t]; v[t] = in[t];
  if (t == 0) one = 1;
  __syncthreads();
  atomicAdd(&counts[t], 1);
  out[t] = swapped[t ^ 1] + one + counts[t] + v[t];
})",
                          {64, 1, 1});
  EXPECT_EQ(words(m, "counts"), "no: atomic at line 8");
  EXPECT_EQ(words(m, "swapped"), "no: different threads touch one element at line 5 and line 9");
  EXPECT_EQ(words(m, "one"), "no: different threads touch one element at line 6 and line 9");
  EXPECT_EQ(words(m, "v"), "no: volatile");
}

TEST(Privacy, ALoadedIndexIsNotKnownToBePrivate) {
  KernelModel m = modelOf(R"(
__global__ void k(const int* idx, float* out) {
  __shared__ float s[256];
  s[threadIdx.x] = 1; __syncthreads(); out[threadIdx.x] = s[idx[threadIdx.x]];
})");
  EXPECT_EQ(words(m, "s").substr(0, 9), "unknown: ");
}

TEST(Privacy, GlobalArraysByThreadAndByBlock) {
  KernelModel m = modelOf(R"(
__global__ void k(const float* in, float* a, float* b, float* c, int w, int h, int n) {
  int x = blockIdx.x * 16 + threadIdx.x, y = blockIdx.y * 16 + threadIdx.y;
  if (x < w && y < h) a[y * w + x] = in[0];
  if (threadIdx.x > 0) b[blockIdx.x * 16 + threadIdx.x - 1] = b[blockIdx.x * 16 + threadIdx.x];
  for (int i = blockIdx.x * 16 + threadIdx.x; i < n; i += 16 * gridDim.x) c[i] = 2 * c[i];
})",
                          {16, 1, 1});
  EXPECT_EQ(of(m, "in").perBlock, Answer::No);
  EXPECT_EQ(of(m, "a").perBlock, Answer::Yes);
  EXPECT_EQ(of(m, "a").perThread, Answer::Yes);
  EXPECT_EQ(of(m, "b").perThread, Answer::No);
  EXPECT_EQ(of(m, "c").perThread, Answer::Unknown);  // rows of blocks would do the same
  Launch flat;
  flat.grid = {8, 1, 1};
  flat.symbols = {{"n", 1000}, {"w", 100}, {"h", 1}};
  EXPECT_EQ(of(m, "c", &flat).perThread, Answer::Yes);
}

// A loop that strides by the whole grid visits each element once; blocks along y are assumed not to exist
// where blockIdx.y is not used.
TEST(Privacy, GridStrideLoops) {
  KernelModel m = modelOf(R"(
__global__ void k(float* c, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x) c[i] = 2 * c[i];
})");
  Privacy p = of(m, "c");
  EXPECT_EQ(p.perThread, Answer::Yes) << p.reason;
  std::vector<std::string> words;
  for (const Requirement& r : p.conditions) words.push_back(r.why);
  EXPECT_NE(std::find(words.begin(), words.end(), "gridDim.y must be 1: blocks along it would do the same"),
            words.end());
}

// Against enumeration with random maps, guards and slots.
TEST(Privacy, EqualsEnumeration) {
  std::mt19937 random(21);
  auto pick = [&](int low, int high) { return std::uniform_int_distribution<int>(low, high)(random); };
  std::map<std::string, int> seen;
  for (int iteration = 0; iteration < 300; ++iteration) {
    affine::HandModel h({unsigned(pick(1, 6)), unsigned(pick(1, 4)), 1});
    bool shared = pick(0, 1);
    ArrayId a = h.array("a", shared ? ir::Space::Shared : ir::Space::Global);
    Poly j = h.enter(Poly(0), Poly(pick(1, 4)));
    // A third are rows of a thread's own: the thread's stride is as long as the loop, or a little less or
    // more.
    bool rows = pick(0, 2) == 0;
    int c = rows ? pick(2, 5) : pick(1, 5), d = rows ? c * int(h.model.block[0]) : pick(0, 12),
        e = rows ? 1 : pick(0, 30), f = rows ? 0 : pick(0, 24);
    for (int i = pick(1, 3); i > 0; --i) {
      Poly slot = pick(0, 3) ? j : Poly(pick(0, 3));
      bool guarded = pick(0, 3) == 0;
      if (guarded) h.guard(atLeast0(h.tx - pick(0, 2)));
      h.access(a, pick(0, 1) ? ir::AccessMode::Read : ir::AccessMode::Write,
               h.tx * c + h.ty * d + slot * e + h.bx * f + (pick(0, 4) == 0));
      if (guarded) h.endGuard();
    }
    Launch launch;
    launch.grid = {3, 1, 1};
    std::map<std::pair<int64_t, int64_t>, std::set<int64_t>>
        threads;  // by block (where it counts) and element
    std::map<int64_t, std::set<int64_t>> blocks;
    for (const Access& access : h.model.accesses)
      forEachExecution(h.model, access, launch, [&](const Execution& x) {
        threads[{shared ? x.block[0] : 0, x.address}].insert(x.linear(h.model) + 1000 * x.block[0]);
        blocks[x.address].insert(x.block[0]);
      });
    bool perThread = true, perBlock = true;
    for (const auto& [element, who] : threads) perThread &= who.size() == 1;
    for (const auto& [element, who] : blocks) perBlock &= shared || who.size() == 1;
    Privacy p = privacy(h.model, a, &launch);
    ASSERT_EQ(p.perThread, perThread ? Answer::Yes : Answer::No)
        << "iteration " << iteration << ": " << p.reason;
    if (p.perThread == Answer::Yes || shared)
      ASSERT_EQ(p.perBlock, perBlock ? Answer::Yes : Answer::No) << "iteration " << iteration;
    ++seen[std::string(str(p.perThread)) + " " + str(p.form)];
    if (p.slotOf.empty()) continue;
    // A thread's slots are different exactly where its elements are, and fit the number given.
    for (size_t s = 0; s < p.slotOf.size(); ++s)
      for (size_t t = 0; t < p.slotOf.size(); ++t) {
        Values values(*h.model.atoms, launch);
        for (unsigned axis = 0; axis < 3; ++axis) values.setBlock(axis, 0), values.setThread(axis, 0);
        for (int64_t u = 0; u < 4; ++u) {
          values.set(h.model.loops[LoopId(0)].counter, u);
          auto x = values.value(p.slotOf[s].second), y = values.value(p.slotOf[t].second);
          auto v = values.value(h.model.accesses[p.slotOf[s].first].address),
               w = values.value(h.model.accesses[p.slotOf[t].first].address);
          ASSERT_EQ(x == y, v == w) << "iteration " << iteration;
        }
      }
  }
  for (const char* form : {"yes one slot", "yes slot-major", "yes thread-major", "no none"})
    EXPECT_GT(seen[form], 5) << form;
}

}  // namespace
}  // namespace hone::analysis
