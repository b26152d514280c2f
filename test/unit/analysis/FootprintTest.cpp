// Footprints: which elements a thread, a warp, a block touches.
#include "analysis/Footprint.h"

#include <gtest/gtest.h>

#include <set>

#include "affine/HandModel.h"
#include "affine/ModelOf.h"

namespace hone::analysis {
namespace {

using namespace affine;

std::vector<AccessId> readsOf(const KernelModel& m, const std::string& name, bool reads = true) {
  std::vector<AccessId> list;
  for (const AccessId i : m.accesses.ids()) {
    const Access& a = m.accesses[i];
    if (a.array.isSome() && m.arrays[a.array].name == name && (reads ? a.reads() : a.writes()))
      list.push_back(i);
  }
  return list;
}

// "low … high | low … high, 25 elements" of what is read of an array.
std::string box(const KernelModel& m, const std::string& name, const FootprintOf& q = {}, bool reads = true) {
  Footprint f = footprint(m, readsOf(m, name, reads), q);
  if (f.exactness == Exactness::Unknown) return "unknown: " + f.reason;
  std::string text;
  for (const Extent& e : f.box) text += (text.empty() ? "" : " | ") + e.text;
  if (f.elements) text += ", " + std::to_string(*f.elements) + " elements";
  if (!f.isBox) text += ", not a box";
  if (f.isGuarded) text += ", guarded";
  if (f.exactness == Exactness::Over) text += ", at most: " + f.reason;
  return text;
}

// Conditions of the dimensions, those of the arithmetic left aside.
std::vector<std::string> rows(const Footprint& f) {
  std::vector<std::string> words;
  for (const Requirement& r : f.conditions)
    if (r.why.find("row of") != std::string::npos) words.push_back(r.why);
  return words;
}

const char* window(const char* start, int length) {
  static std::string text;
  text = std::string("__global__ void k(const float* a, float* out) { int i = threadIdx.x; float s = 0;\n") +
         "for (int j = 0; j < " + std::to_string(length) + "; ++j) s += a[" + start +
         " + j];\n out[i] = s; }";
  return text.c_str();
}

// Subarrays of three threads: a[i:3], a[2*i+1:3], a[3*i+4:5].
TEST(Footprint, WindowsOfNeighbouringThreads) {
  EXPECT_EQ(box(modelOf(window("i", 3), {3, 1, 1}), "a"), "0 … 4, 5 elements");
  EXPECT_EQ(box(modelOf(window("2*i + 1", 3), {3, 1, 1}), "a"), "1 … 7, 7 elements");
  EXPECT_EQ(box(modelOf(window("3*i + 4", 5), {3, 1, 1}), "a"), "4 … 14, 11 elements");
  EXPECT_EQ(box(modelOf(window("3*i + 4", 5), {3, 1, 1}), "a", {Scope::Thread, {}}),
            "3*threadIdx.x + 4 … 3*threadIdx.x + 8, 5 elements");
  EXPECT_EQ(box(modelOf(window("-2*i", 3), {3, 1, 1}), "a"), "-4 … 2, 7 elements");
  // Gaps: rows of four of which two are touched.
  EXPECT_EQ(box(modelOf(window("4*i", 2), {3, 1, 1}), "a"), "0 … 2 | 0 … 1, 6 elements");
}

const char* stencil = R"(
__global__ void k(const float* in, float* out, int w, int h) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= 1 && x < w - 1 && y >= 1 && y < h - 1)
    out[y*w + x] = in[y*w + x] + in[y*w + x - 1] + in[y*w + x + 1] + in[(y-1)*w + x] + in[(y+1)*w + x];
})";

TEST(Footprint, AStencilReachesOneElementBeyondTheTile) {
  KernelModel m = modelOf(stencil, {32, 8, 1});
  EXPECT_EQ(box(m, "in"),
            "8*blockIdx.y - 1 … 8*blockIdx.y + 8 | 32*blockIdx.x - 1 … 32*blockIdx.x + 32, 336 elements, not "
            "a box, guarded");
  Footprint in = footprint(m, readsOf(m, "in"), {}), out = footprint(m, readsOf(m, "out", false), {});
  EXPECT_EQ(haloAround(out, in), (std::vector<Halo>{{1, 1}, {1, 1}}));
  EXPECT_EQ(haloAroundThreads(m, in), (std::vector<Halo>{{1, 1}, {1, 1}}));
  EXPECT_EQ(in.bytes(), 336 * 4);
  EXPECT_EQ(rows(in), std::vector<std::string>{});
}

const char* product = R"(
__global__ void k(const float* a, const float* b, float* c, int n) {
  int x = blockIdx.x * 16 + threadIdx.x, y = blockIdx.y * 16 + threadIdx.y;
  float s = 0;
  for (int i = 0; i < n; ++i) s += a[y*n + i] * b[i*n + x];
  c[y*n + x] = s;
})";

TEST(Footprint, RowsAndColumnsOfAProduct) {
  KernelModel m = modelOf(product, {16, 16, 1});
  // Guarded by the loop, which does not run when n is 0.
  EXPECT_EQ(box(m, "a"), "16*blockIdx.y … 16*blockIdx.y + 15 | 0 … n - 1, guarded");
  EXPECT_EQ(box(m, "b"), "0 … n - 1 | 16*blockIdx.x … 16*blockIdx.x + 15, guarded");
  EXPECT_EQ(box(m, "b", {Scope::Warp, LoopId(0)}),
            "i … i | 16*blockIdx.x … 16*blockIdx.x + 15, 16 elements, guarded");
  EXPECT_EQ(box(m, "a", {Scope::Block, LoopId(0)}),
            "16*blockIdx.y … 16*blockIdx.y + 15 | i … i, 16 elements, guarded");
  // The width of a row is not known to hold x: that is a condition.
  Footprint f = footprint(m, readsOf(m, "b"), {});
  EXPECT_EQ(rows(f), std::vector<std::string>{"16*blockIdx.x + threadIdx.x must be less than n, a row of b"});
}

TEST(Footprint, WarpsByTheirNumber) {
  KernelModel m = modelOf(stencil, {32, 8, 1});
  EXPECT_EQ(
      box(m, "out", {Scope::Warp, {}}, false),
      "8*blockIdx.y + warp … 8*blockIdx.y + warp | 32*blockIdx.x … 32*blockIdx.x + 31, 32 elements, guarded");
}

TEST(Footprint, BoundsOfTriangularLoops) {
  KernelModel m = modelOf(R"(__global__ void k(const float* a, float* out, int n) {
    int i = threadIdx.x; float s = 0;
    for (int j = 0; j <= i; ++j) s += a[j];
    for (int j = i; j < min(n, 100); ++j) s += a[1000 + j];
    out[i] = s; })",
                          {8, 1, 1});
  EXPECT_EQ(footprint(m, {readsOf(m, "a")[0]}, {}).elements, 8);
  EXPECT_EQ(footprint(m, {readsOf(m, "a")[0]}, {Scope::Thread, {}}).box[0].text, "0 … threadIdx.x");
  EXPECT_EQ(footprint(m, {readsOf(m, "a")[1]}, {Scope::Thread, {}}).box[0].text,
            "threadIdx.x + 1000 … min(1099, n + 999)");
}

TEST(Footprint, ALoadedIndexIsUnknown) {
  KernelModel m = modelOf(
      "__global__ void k(const int* idx, const float* a, float* out) { out[threadIdx.x] = "
      "a[idx[threadIdx.x]]; }");
  EXPECT_EQ(box(m, "a").substr(0, 9), "unknown: ");
  EXPECT_EQ(box(m, "idx"), "0 … 255, 256 elements");
}

TEST(Footprint, GivesUpOnWhatIsTooComplex) {
  affine::HandModel h({16, 16, 1});
  ArrayId a = h.array("a");
  Poly sum;
  for (int i = 0; i < 14; ++i) {
    Poly v = h.enter(Poly(0), h.symbol("n" + std::to_string(i)));
    sum += h.model.atoms->div(v * (2 * i + 3) + h.tx * (i + 5), Poly(7 + 2 * i)) * (i + 1);
  }
  h.read(a, h.model.atoms->mod(sum, Poly(1009)));
  Footprint f = footprint(h.model, {AccessId(0)}, {});
  EXPECT_EQ(f.exactness, Exactness::Unknown);
  EXPECT_EQ(f.reason, "too complex");
}

TEST(Footprint, BytesOfOneBlockOfALaunch) {
  KernelModel m = modelOf(stencil, {32, 8, 1});
  Launch launch;
  launch.grid = {2, 2, 1};
  launch.symbols = {{"w", 40}, {"h", 16}};
  auto first = bytesTouched(m, readsOf(m, "in"), launch, {0, 0, 0});
  ASSERT_TRUE(first);
  // x 1 … 31, y 1 … 7 with a halo and without its corners: 33 * 7 + 2 * 31.
  EXPECT_EQ(countBytes(*first), (33 * 7 + 2 * 31) * 4);
  auto right = bytesTouched(m, readsOf(m, "in"), launch, {1, 0, 0});
  ASSERT_TRUE(right);
  EXPECT_EQ(countBytes(common(*first, *right)), (7 + 7) * 4);
}

// Random windows, strides, guards and shapes: box, count and exactness against enumeration, with numbers and
// with symbols.
TEST(Footprint, EqualsEnumeration) {
  std::mt19937 random(3);
  auto pick = [&](int low, int high) { return std::uniform_int_distribution<int>(low, high)(random); };
  int counted = 0;
  for (int iteration = 0; iteration < 300; ++iteration) {
    affine::HandModel h({unsigned(pick(1, 6)), unsigned(pick(1, 4)), 1});
    Poly n = h.symbol("n");
    ArrayId a = h.array("a");
    std::vector<AccessId> all;
    Poly j = pick(0, 1) ? h.enter(Poly(pick(-1, 2)), pick(0, 1) ? n : Poly(pick(1, 5)), pick(1, 2))
                        : Poly(pick(0, 3));
    int many = pick(1, 3);
    Poly base = h.bx * pick(0, 12) + h.tx * pick(-2, 4) + h.ty * pick(0, 6) + j * pick(0, 2);
    for (int i = 0; i < many; ++i) {
      bool guarded = pick(0, 4) == 0;
      if (guarded) h.guard(atLeast0(n - h.tx - pick(0, 2)));
      all.push_back(h.read(a, base + pick(-2, 3)));
      if (guarded) h.endGuard();
    }
    Launch launch;
    launch.grid = {3, 1, 1};
    launch.symbols["n"] = pick(1, 6);
    Footprint symbolic = footprint(h.model, all, {}), numbers = footprint(h.model, all, {}, &launch);
    ASSERT_EQ(symbolic.exactness, Exactness::Exact) << symbolic.reason;
    for (int64_t block = 0; block < 3; ++block) {
      std::set<int64_t> guarded, free;
      for (AccessId i : all) {
        Access access = h.model.accesses[i];
        auto collect = [&](std::set<int64_t>& into) {
          forEachExecution(h.model, access, launch, [&](const Execution& e) {
            if (e.block[0] == block) into.insert(e.address / 4);
          });
        };
        collect(guarded);
        access.guard = always();
        collect(free);
      }
      if (guarded != free) {
        EXPECT_TRUE(symbolic.isGuarded) << "iteration " << iteration;
      }
      if (free.empty()) continue;
      Values values(*h.model.atoms, launch);
      values.setBlock(0, block);
      for (const Footprint& f : {symbolic, numbers}) {
        if (f.box.size() == 1 && f.box[0].low)
          EXPECT_EQ(values.value(*f.box[0].low), *free.begin())
              << "iteration " << iteration << ": " << f.box[0].text;
        if (f.box.size() == 1 && f.box[0].high)
          EXPECT_EQ(values.value(*f.box[0].high), *free.rbegin())
              << "iteration " << iteration << ": " << f.box[0].text;
        if (f.elements && guarded == free) {
          EXPECT_EQ(*f.elements, int64_t(free.size())) << "iteration " << iteration;
          ++counted;
        }
        if (f.box.size() == 1 && f.isBox) EXPECT_EQ(*free.rbegin() - *free.begin() + 1, int64_t(free.size()));
      }
      auto bytes = bytesTouched(h.model, all, launch, {block, 0, 0});
      ASSERT_TRUE(bytes);
      EXPECT_EQ(countBytes(*bytes), 4 * int64_t(guarded.size())) << "iteration " << iteration;
    }
  }
  EXPECT_GT(counted, 600);
}

}  // namespace
}  // namespace hone::analysis
