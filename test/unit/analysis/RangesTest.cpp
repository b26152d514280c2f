// Ranges: which accesses stay inside their array, and which conditions hold anyway.
#include "analysis/Ranges.h"

#include <gtest/gtest.h>

#include "affine/ModelOf.h"

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

Poly symbol(const KernelModel& m, const std::string& name) {
  auto id = m.atoms->findSymbol(name);
  EXPECT_TRUE(id) << name;
  return id ? Poly::atom(*id) : Poly();
}

RangeAnswer asked(const KernelModel& m, const std::string& handle, std::optional<Poly> size = {},
                  const affine::Launch* launch = nullptr) {
  const affine::AccessId access = indexOf(m, handle);
  ArraySizes sizes;
  if (size) sizes[m.accesses[access].array] = *size;
  return withinArray(m, access, sizes, launch);
}

// "yes", "may leave below: example", "unknown: why"
std::string text(const RangeAnswer& r) {
  if (r.within == Within::Yes) return "yes";
  if (r.within == Within::Unknown) return "unknown: " + r.reason;
  return std::string("may leave") + (r.isBelow ? " below" : "") + (r.isAbove ? " above" : "") + ": " +
         r.reason;
}

TEST(Ranges, GuardedBySize) {
  const KernelModel m = affine::modelOf(R"(
    __global__ void k(float* a, float* b, int n) {
      int i = blockIdx.x * blockDim.x + threadIdx.x;
      if (i < n) a[i] = b[i + 1];
    })");
  EXPECT_EQ(text(asked(m, "a#1", symbol(m, "n"))), "yes");
  EXPECT_EQ(text(asked(m, "b#1", symbol(m, "n") + 1)), "yes");
  // One more than there are: the last thread shows it.
  const RangeAnswer last = asked(m, "b#1", symbol(m, "n"));
  EXPECT_EQ(last.within, Within::MayLeave);
  EXPECT_TRUE(last.isAbove);
  EXPECT_FALSE(last.isBelow);
  EXPECT_NE(last.reason.find(": element "), std::string::npos) << last.reason;
}

// Without a guard the grid decides, and the answer says what must hold.
TEST(Ranges, WithoutAGuardTheGridDecides) {
  const KernelModel m = affine::modelOf(R"(
    __global__ void k(float* a, int n) { a[blockIdx.x * blockDim.x + threadIdx.x] = n; })");
  const RangeAnswer r = asked(m, "a#1", symbol(m, "n"));
  EXPECT_EQ(r.within, Within::MayLeave);
  ASSERT_EQ(r.staysIf.size(), 1u);
  EXPECT_EQ(m.atoms->str(r.staysIf[0].value), "n - 256*gridDim.x");
  EXPECT_EQ(text(asked(m, "a#1", m.atoms->gridDim(0) * 256)), "yes");
  // With numbers for a launch.
  const affine::Launch fits{{4, 1, 1}, {{"n", 1024}}}, tooFew{{4, 1, 1}, {{"n", 1023}}};
  EXPECT_EQ(text(asked(m, "a#1", symbol(m, "n"), &fits)), "yes");
  EXPECT_EQ(text(asked(m, "a#1", symbol(m, "n"), &tooFew)),
            "may leave above: blockIdx.x = 3, threadIdx.x = 255: element 1023 of 1023");
}

TEST(Ranges, SizeNotGiven) {
  const KernelModel m = affine::modelOf("__global__ void k(float* a) { a[threadIdx.x] = 1; }");
  EXPECT_EQ(text(asked(m, "a#1")), "unknown: the size of a is not given");
}

TEST(Ranges, DeclaredArrays) {
  const KernelModel m = affine::modelOf(R"(
    __global__ void k(float* a) {
      __shared__ float s[18][17];
      __shared__ float t[256];
      int x = threadIdx.x, y = threadIdx.y;
      s[y + 1][x] = 1;
      t[y * 16 + x] = 2;
      t[y * 16 + x - 1] = 3;
      if (x > 0) t[y * 16 + x - 1] = 4;
      s[y + 3][x] = 5;
    })",
                                        {16, 16, 1});
  EXPECT_EQ(text(asked(m, "s#1")), "yes");
  EXPECT_EQ(text(asked(m, "t#1")), "yes");
  EXPECT_EQ(text(asked(m, "t#2")), "may leave below: threadIdx.x = 0, threadIdx.y = 0: element -1");
  EXPECT_EQ(text(asked(m, "t#3")), "yes");
  EXPECT_TRUE(asked(m, "s#2").isAbove);
}

// Rows of a width known at run time; the size is a product, so dimensions are looked at one by one.
TEST(Ranges, Pictures) {
  const KernelModel m = affine::modelOf(R"(
    __global__ void k(float* a, const float* b, int w, int h) {
      int x = blockIdx.x * 16 + threadIdx.x, y = blockIdx.y * 16 + threadIdx.y;
      if (x < w && y < h) a[y * w + x] = b[y * w + x + 1];
      if (x > 0 && y > 0 && x < w - 1 && y < h - 1) a[y * w + x] = b[(y + 1) * w + x + 1] + b[(y - 1) * w + x - 1];
    })",
                                        {16, 16, 1});
  const Poly picture = symbol(m, "w") * symbol(m, "h");
  EXPECT_EQ(text(asked(m, "a#1", picture)), "yes");
  EXPECT_EQ(text(asked(m, "b#2", picture)), "yes");
  EXPECT_EQ(text(asked(m, "b#3", picture)), "yes");
  // All at once; nothing is said of b's size.
  const affine::ById<affine::AccessId, RangeAnswer> all =
      withinArrays(m, {{m.accesses[indexOf(m, "a#1")].array, picture}});
  ASSERT_EQ(all.size(), m.accesses.size());
  EXPECT_EQ(text(all[indexOf(m, "a#2")]), "yes");
  EXPECT_EQ(text(all[indexOf(m, "b#1")]), "unknown: the size of b is not given");
  // The last of the last row has no right neighbour.
  const RangeAnswer right = asked(m, "b#1", picture);
  EXPECT_EQ(right.within, Within::MayLeave);
  EXPECT_TRUE(right.isAbove);
}

TEST(Ranges, LoopsAndVectors) {
  const KernelModel m = affine::modelOf(R"(
    __global__ void k(float4* v, const float* a, float* b, int n) {
      for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x) b[i] = a[n - 1 - i];
      for (int j = 1; j < n - 1; ++j) b[j] = a[j - 1] + a[j + 1];
      for (int j = 0; j < n / 4; ++j) v[j] = make_float4(0, 0, 0, 0);
    })");
  const Poly n = symbol(m, "n");
  for (const char* handle : {"a#1", "b#1", "a#2", "a#3", "b#2"})
    EXPECT_EQ(text(asked(m, handle, n)), "yes") << handle;
  EXPECT_EQ(text(asked(m, "v#1", m.atoms->div(n, 4))), "yes");
}

// A loaded index can be anything; a clamped one cannot.
TEST(Ranges, LoadedIndices) {
  const KernelModel m = affine::modelOf(R"(
    __global__ void k(float* a, const int* index) {
      __shared__ float s[64];
      s[index[threadIdx.x] & 63] = 1;
      a[index[threadIdx.x]] = 2;
    })",
                                        {64, 1, 1});
  const RangeAnswer open = asked(m, "a#1", Poly(64));
  EXPECT_EQ(open.within, Within::Unknown);
  EXPECT_NE(open.reason.find("index"), std::string::npos) << open.reason;
}

std::string verdict(const GuardPart& part) {
  switch (part.verdict) {
    case GuardVerdict::Needed: return "needed";
    case GuardVerdict::Redundant: return part.why;
    case GuardVerdict::Unknown: break;
  }
  return "unknown: " + part.why;
}

std::map<std::string, std::string> verdicts(const KernelModel& m, const affine::Launch* launch = nullptr) {
  std::map<std::string, std::string> all;
  for (const GuardPart& part : guardParts(m, launch))
    all[std::to_string(part.loc.line) + ": " + part.text] = verdict(part);
  return all;
}

TEST(Ranges, RedundantGuards) {
  const KernelModel m = affine::modelOf(R"(__global__ void k(float* a, const int* f, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (threadIdx.x < 256)
      a[i] = 1;
    if (i >= n) return;
    if (i < n + 1)
      a[i] = 2;
    for (int j = 0; j < n; ++j)
      if (j >= 0 && j != i)
        a[j] = 3;
    if (f[i])
      a[i] = 4;
  })");
  const auto all = verdicts(m);
  auto at = [&](const std::string& line) {
    std::string found;
    for (const auto& [key, value] : all)
      if (key.starts_with(line + ": ")) found += (found.empty() ? "" : "; ") + value;
    return found;
  };
  EXPECT_EQ(at("3"), "holds for every thread of every block");
  EXPECT_EQ(at("5"), "needed");
  EXPECT_TRUE(at("6").starts_with("follows from ")) << at("6");
  EXPECT_EQ(at("9"), "needed; holds for every thread of every block");  // j != i, j >= 0
  EXPECT_TRUE(at("11").starts_with("unknown: ")) << at("11");
}

// A guard of the whole picture is not needed where a launch fits it exactly.
TEST(Ranges, RedundantForALaunch) {
  const KernelModel m = affine::modelOf(R"(
    __global__ void k(float* a, int n) {
      int i = blockIdx.x * blockDim.x + threadIdx.x;
      if (i < n) a[i] = 1;
    })");
  const affine::Launch whole{{4, 1, 1}, {{"n", 1024}}}, part{{4, 1, 1}, {{"n", 1000}}};
  EXPECT_EQ(guardParts(m, 0)[0].verdict, GuardVerdict::Needed);
  EXPECT_EQ(guardParts(m, affine::AccessId(0), &whole)[0].verdict, GuardVerdict::Redundant);
  EXPECT_EQ(guardParts(m, affine::AccessId(0), &part)[0].verdict, GuardVerdict::Needed);
}

// Unsigned numbers wrap: that they do not is what the answer relies on.
TEST(Ranges, RedundantAsLongAsNothingWraps) {
  const KernelModel m = affine::modelOf(R"(
    __global__ void k(float* a, unsigned n) {
      unsigned i = threadIdx.x;
      if (i < n && i < n + 1) a[i] = 1;
    })");
  const std::vector<GuardPart> parts = guardParts(m, 0);
  ASSERT_EQ(parts.size(), 2u);
  EXPECT_EQ(parts[1].verdict, GuardVerdict::Redundant);
  ASSERT_EQ(parts[1].conditions.size(), 1u);
  EXPECT_EQ(m.atoms->str(parts[1].conditions[0].value), "n + 1");
}

// Of two that follow from each other one stays.
TEST(Ranges, RedundantTogether) {
  const KernelModel m = affine::modelOf(R"(
    __global__ void k(float* a, int n) {
      if (2 * threadIdx.x < 2 * n - 1) if (threadIdx.x < n) a[threadIdx.x] = 1;
    })");
  unsigned needed = 0, redundant = 0;
  for (const GuardPart& part : guardParts(m, 0))
    (part.verdict == GuardVerdict::Redundant ? redundant : needed)++;
  EXPECT_LE(redundant, 1u);
  EXPECT_GE(needed, 1u);
}

}  // namespace
