// Sharing: who touches the same elements, and when again.
#include "analysis/Sharing.h"

#include <gtest/gtest.h>

#include <set>

#include "affine/HandModel.h"
#include "affine/ModelOf.h"

namespace hone::analysis {
namespace {

using namespace affine;

std::vector<AccessId> readsOf(const KernelModel& m, const std::string& name) {
  std::vector<AccessId> list;
  for (const AccessId i : m.accesses.ids())
    if (m.accesses[i].array.isSome() && m.arrays[m.accesses[i].array].name == name && m.accesses[i].reads())
      list.push_back(i);
  return list;
}

std::string words(const Shared& s) {
  std::string text = std::string(str(s.next)) + "; " + s.distances.str();
  if (s.exactness == Exactness::Over) text += " (at most)";
  if (s.exactness == Exactness::Unknown) text += " (" + s.reason + ")";
  return text;
}

std::string along(const KernelModel& m, const std::string& name, Scope scope, unsigned axis,
                  LoopId loop = {}) {
  return words(sharing(m, readsOf(m, name), {scope, axis, loop}));
}

const char* product = R"(
__global__ void k(const float* a, const float* b, float* c, int n) {
  int x = blockIdx.x * 16 + threadIdx.x, y = blockIdx.y * 16 + threadIdx.y;
  if (x >= n || y >= n) return;
  float s = 0;
  for (int i = 0; i < n; ++i) s += a[y*n + i] * b[i*n + x];
  c[y*n + x] = s;
})";

// Blocks of a product side by side read the same rows of a; those above each other the same columns of b.
TEST(Sharing, BlocksOfAProduct) {
  KernelModel m = modelOf(product, {16, 16, 1});
  EXPECT_EQ(along(m, "a", Scope::Block, 0), "full; every");
  EXPECT_EQ(along(m, "a", Scope::Block, 1), "none; none");
  EXPECT_EQ(along(m, "b", Scope::Block, 0), "none; none");
  EXPECT_EQ(along(m, "b", Scope::Block, 1), "full; every");
  EXPECT_EQ(along(m, "a", Scope::Thread, 0), "full; every");
  EXPECT_EQ(along(m, "a", Scope::Thread, 1), "none; none");
  // Two rows of threads are a warp: warps share columns of b.
  EXPECT_EQ(along(m, "b", Scope::Warp, 0), "full; every");
  EXPECT_EQ(along(m, "a", Scope::Warp, 0), "none; none");
}

TEST(Sharing, RedundantLoadsOfAProduct) {
  KernelModel m = modelOf(product, {16, 16, 1});
  Redundancy a = redundancy(m, m.accesses[readsOf(m, "a")[0]]),
             b = redundancy(m, m.accesses[readsOf(m, "b")[0]]);
  EXPECT_EQ(a.axes, 1);
  EXPECT_EQ(a.copies, 16u);
  EXPECT_EQ(b.axes, 2);
  EXPECT_TRUE(b.guardDepends);
}

const char* window = R"(
__global__ void k(const float* a, float* out) {
  int i = blockIdx.x * 64 + threadIdx.x; float s = 0;
  for (int j = 0; j < 5; ++j) s += a[3*i + j + 4];
  out[i] = s;
})";

TEST(Sharing, OverlappingWindows) {
  KernelModel m = modelOf(window, {64, 1, 1});
  EXPECT_EQ(along(m, "a", Scope::Thread, 0), "partial; 1");
  EXPECT_EQ(along(m, "a", Scope::Warp, 0), "partial; every");  // there are two warps
  EXPECT_EQ(along(m, "a", Scope::Block, 0), "partial; 1");
  EXPECT_EQ(along(m, "a", Scope::Thread, 0, LoopId(0)),
            "none; none");  // in one iteration no two threads meet
  // A thread's window moves by one element an iteration: what it touches in one iteration it does not touch
  // again, but the block does, three iterations later, in the next thread.
  EXPECT_EQ(words(reuse(m, readsOf(m, "a"), LoopId(0), Scope::Thread)), "none; none");
  EXPECT_EQ(words(reuse(m, readsOf(m, "a"), LoopId(0), Scope::Block)), "none; 3");
}

TEST(Sharing, HalosOfAStencil) {
  KernelModel m = modelOf(R"(
__global__ void k(const float* in, float* out, int w, int h) {
  int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 8 + threadIdx.y;
  if (x >= 2 && x < w - 2 && y >= 1 && y < h - 1)
    out[y*w + x] = in[y*w + x - 2] + in[y*w + x + 2] + in[(y-1)*w + x] + in[(y+1)*w + x];
})",
                          {32, 8, 1});
  EXPECT_EQ(along(m, "in", Scope::Block, 0), "partial; 1");
  EXPECT_EQ(along(m, "in", Scope::Block, 1), "partial; 1");
  EXPECT_EQ(along(m, "in", Scope::Thread, 0), "none; 4");
  EXPECT_EQ(along(m, "in", Scope::Thread, 1), "none; 2");
  EXPECT_EQ(along(m, "in", Scope::Warp, 0), "partial; 1, 2");
}

// Sharing at a fixed stride of blocks: block b and block b + 4 read the same row of a table.
TEST(Sharing, BlocksAtAFixedStride) {
  KernelModel m = modelOf(R"(
__global__ void k(const float* table, float* out) {
  out[blockIdx.x * 64 + threadIdx.x] = table[(blockIdx.x % 4) * 64 + threadIdx.x];
})",
                          {64, 1, 1});
  Shared s = sharing(m, readsOf(m, "table"), {Scope::Block, 0, {}});
  EXPECT_EQ(s.next, SharedPart::None);
  EXPECT_EQ(s.distances.low, 4);
  EXPECT_FALSE(s.distances.isEvery);
}

TEST(Sharing, ReuseAcrossIterations) {
  KernelModel m = modelOf(R"(
__global__ void k(const float* a, const float* c, float* out, int n) {
  int x = blockIdx.x * 64 + threadIdx.x; float s = 0;
  for (int z = 0; z < n; ++z) s += a[z*64 + threadIdx.x] + a[(z+1)*64 + threadIdx.x] + a[(z+2)*64 + threadIdx.x] + c[threadIdx.x];
  out[x] = s;
})",
                          {64, 1, 1});
  EXPECT_EQ(words(reuse(m, readsOf(m, "a"), LoopId(0), Scope::Thread)), "partial; 1, 2");
  EXPECT_EQ(words(reuse(m, readsOf(m, "c"), LoopId(0), Scope::Thread)), "full; every");
}

// SRAD: 8 warps of a 16 x 16 block load the same 16 floats.
TEST(Sharing, ALoadThatDoesNotDependOnTheRowOfTheThread) {
  KernelModel m = modelOf(R"(
__global__ void srad(const float* image, float* out, int cols) {
  __shared__ float south[16][16];
  int tx = threadIdx.x, ty = threadIdx.y;
  int index = cols * 16 * (blockIdx.y + 1) + 16 * blockIdx.x + tx;
  south[ty][tx] = image[index];
  if (blockIdx.y == gridDim.y - 1) south[ty][tx] = image[cols * 16 * (gridDim.y - 1) + 16 * blockIdx.x + cols * 15 + tx];
  __syncthreads();
  out[(16 * blockIdx.y + ty) * cols + 16 * blockIdx.x + tx] = south[ty][tx];
})",
                          {16, 16, 1});
  for (AccessId a : readsOf(m, "image")) {
    Redundancy r = redundancy(m, m.accesses[a]);
    EXPECT_EQ(r.axes, 2);
    EXPECT_EQ(r.copies, 16u);
    EXPECT_FALSE(r.guardDepends);
    EXPECT_EQ(words(sharing(m, {a}, {Scope::Warp, 0, {}})), "full; every");
  }
  for (AccessId a : readsOf(m, "south")) EXPECT_EQ(redundancy(m, m.accesses[a]).axes, 0);
}

// Tiled product: As is the same for a row of threads, Bs for a column.
TEST(Sharing, TilesOfATiledProduct) {
  KernelModel m = modelOf(R"(
__global__ void mm(const float* a, const float* b, float* c, int n) {
  __shared__ float As[16][16], Bs[16][16];
  int tx = threadIdx.x, ty = threadIdx.y, x = blockIdx.x * 16 + tx, y = blockIdx.y * 16 + ty; float s = 0;
  for (int t = 0; t < n; t += 16) {
    As[ty][tx] = a[y*n + t + tx]; Bs[ty][tx] = b[(t + ty)*n + x];
    __syncthreads();
    for (int k = 0; k < 16; ++k) s += As[ty][k] * Bs[k][tx];
    __syncthreads();
  }
  c[y*n + x] = s;
})",
                          {16, 16, 1});
  EXPECT_EQ(redundancy(m, m.accesses[readsOf(m, "As")[0]]).axes, 1);
  EXPECT_EQ(redundancy(m, m.accesses[readsOf(m, "Bs")[0]]).axes, 2);
  EXPECT_EQ(redundancy(m, m.accesses[readsOf(m, "a")[0]]).axes, 0);
}

TEST(Sharing, OneElementForTheWholeBlock) {
  KernelModel m = modelOf(
      "__global__ void k(const float* coef, float* out) { out[threadIdx.y*32+threadIdx.x] = "
      "coef[blockIdx.x]; }",
      {32, 16, 1});
  Redundancy r = redundancy(m, m.accesses[readsOf(m, "coef")[0]]);
  EXPECT_EQ(r.axes, 3);
  EXPECT_EQ(r.copies, 512u);
}

TEST(Sharing, ALoadedIndexIsUnknown) {
  KernelModel m = modelOf(
      "__global__ void k(const int* idx, const float* a, float* out) { out[threadIdx.x] = "
      "a[idx[threadIdx.x]]; }");
  EXPECT_EQ(sharing(m, readsOf(m, "a"), {}).next, SharedPart::Unknown);
  EXPECT_EQ(redundancy(m, m.accesses[readsOf(m, "a")[0]]).axes, 0);
}

// Against enumeration: overlap of each pair of neighbours and the distances, for threads and blocks and
// iterations.
TEST(Sharing, EqualsEnumeration) {
  std::mt19937 random(8);
  auto pick = [&](int low, int high) { return std::uniform_int_distribution<int>(low, high)(random); };
  std::map<SharedPart, int> seen;
  for (int iteration = 0; iteration < 200; ++iteration) {
    affine::HandModel h({unsigned(pick(2, 6)), unsigned(pick(1, 3)), 1});
    ArrayId a = h.array("a");
    Poly j = h.enter(Poly(0), Poly(pick(1, 4)));
    std::vector<AccessId> all;
    Poly base = h.bx * pick(0, 8) + h.tx * pick(-1, 3) + h.ty * pick(0, 4) + j * pick(0, 2);
    if (pick(0, 2) == 0) base = h.model.atoms->mod(base, Poly(pick(2, 9)));
    bool guarded = pick(0, 3) == 0;
    if (guarded) h.guard(atLeast0(Poly(pick(0, 4)) - h.tx));
    for (int i = pick(1, 2); i > 0; --i) all.push_back(h.read(a, base + pick(-2, 3)));
    Launch launch;
    launch.grid = {4, 1, 1};
    int kind = pick(0, 2);
    // The elements by coordinate, for each value of what is fixed.
    std::map<std::vector<int64_t>, std::map<int64_t, std::set<int64_t>>> touched;
    for (AccessId i : all)
      forEachExecution(h.model, h.model.accesses[i], launch, [&](const Execution& e) {
        std::vector<int64_t> fixed;
        int64_t coordinate = e.block[0];
        if (kind == 1) fixed = {e.block[0], e.thread[1]}, coordinate = e.thread[0];
        if (kind == 2) fixed = {e.block[0]}, coordinate = e.counters[0];
        touched[fixed][coordinate].insert(e.address / 4);
      });
    bool any = false, same = true;
    std::set<int64_t> distances;
    for (const auto& [fixed, line] : touched)
      for (const auto& [c, here] : line)
        for (const auto& [d, there] : line) {
          if (d <= c) continue;
          bool meet = false;
          for (int64_t e : here) meet |= there.count(e) > 0;
          if (meet) distances.insert(d - c);
          if (d == c + 1) any |= meet, same &= here == there;
        }
    SharedPart expected = !any ? SharedPart::None : same ? SharedPart::Full : SharedPart::Partial;
    Shared s = kind == 0   ? sharing(h.model, all, {Scope::Block, 0, {}}, &launch)
               : kind == 1 ? sharing(h.model, all, {Scope::Thread, 0, {}}, &launch)
                           : reuse(h.model, all, LoopId(0), Scope::Block, &launch);
    ASSERT_EQ(s.exactness, Exactness::Exact) << s.reason;
    EXPECT_EQ(s.next, expected) << "iteration " << iteration << " kind " << kind << " "
                                << h.model.atoms->str(base);
    EXPECT_EQ(s.distances.values, std::vector<int64_t>(distances.begin(), distances.end()))
        << "iteration " << iteration << " " << s.distances.str() << " " << h.model.atoms->str(base);
    ++seen[s.next];
  }
  EXPECT_GT(seen[SharedPart::None], 10);
  EXPECT_GT(seen[SharedPart::Partial], 10);
  EXPECT_GT(seen[SharedPart::Full], 10);
}

}  // namespace
}  // namespace hone::analysis
