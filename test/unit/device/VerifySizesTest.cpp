#include <fmt/core.h>

#include <algorithm>

#include "Source.h"
#include "device/Judge.h"
#include "device/VerifyCases.h"

// Which sizes and data two kernels are compared with.
namespace hone::device {

// A loop from `first` to `last` runs at other sizes if it does in the case.
TEST(Verify, sizesKeepTheOrderOfTheCase) {
  const ir::KernelPtr kernel = kernelOf(R"(
    __global__ void k(const float* a, float* b, int n, int first, int last) {
      int i = blockIdx.x * blockDim.x + threadIdx.x;
      float s = 0;
      if (i < n) {
        for (int j = first; j < last; ++j) s += a[i * n + j];
        b[i] = s;
      }
    })");
  const CaseMaker maker(kernel, {}, nullptr, nullptr);
  const Case c = maker.make({});
  const auto isSmaller = [](const NumberSet& set, const std::string& a, const std::string& b) {
    return set.at(a) < set.at(b);
  };
  NumberSet own;
  for (const std::string& name : maker.sizeNames()) own[name] = c.numbers.at(name).value.asWhole();
  ASSERT_TRUE(isSmaller(own, "first", "last"));
  size_t ordered = 0, even = 0;
  for (const NumberSet& set : sizeSets(maker, c)) {
    const bool hasSmall = std::any_of(set.begin(), set.end(), [](const auto& s) { return s.second == 1; });
    const bool areSame = set.at("first") == set.at("last");
    if (hasSmall || areSame) continue;
    EXPECT_TRUE(isSmaller(set, "first", "last"));
    ++ordered;
    even += std::all_of(set.begin(), set.end(), [&](const auto& s) { return s.second % c.block[0] == 0; });
  }
  EXPECT_GE(ordered, 3u);
  EXPECT_GE(even, 1u);
}

// One less than a multiple of what a loop may be unrolled by.
TEST(Verify, everySizeIsOneLessThanAMultiple) {
  const ir::KernelPtr kernel = kernelOf(R"(
    __global__ void k(const float* a, float* b, int rows, int columns) {
      int i = blockIdx.x * blockDim.x + threadIdx.x;
      if (i < rows) for (int j = 0; j < columns; ++j) b[i] += a[i * columns + j];
    })");
  const CaseMaker maker(kernel, {}, nullptr, nullptr);
  const std::vector<NumberSet> sets = sizeSets(maker, maker.make({}));
  EXPECT_TRUE(std::any_of(sets.begin(), sets.end(), [](const NumberSet& set) {
    return set.at("rows") % 32 == 31 && set.at("columns") % 32 == 31;
  }));
}

// Small numbers have no bits above.
TEST(Verify, bitsAreSet) {
  const auto text = [](const char* name, int mask) {
    return fmt::format(R"(
    __global__ void {}(const unsigned* a, unsigned* b, int n) {{
      int i = blockIdx.x * blockDim.x + threadIdx.x;
      if (i < n) b[i] = a[i] >> 16 & {};
    }})",
                       name, mask);
  };
  const frontend::ImportResult import = importText(text("all", 255) + text("some", 251));
  const ir::PlanPtr original = ir::originalPlan(import.kernels[0].kernel);
  const CaseMaker maker(original->original, {}, nullptr, nullptr);
  EXPECT_FALSE(verify(maker, original, ir::originalPlan(import.kernels[1].kernel), {}).passed());
}

// A size that is squared is not tried where arrays would become large.
TEST(Verify, arraysOfOtherSizesStaySmall) {
  const ir::KernelPtr kernel = kernelOf(R"(
    __global__ void k(const float* a, float* b, int n) {
      int i = blockIdx.x * blockDim.x + threadIdx.x;
      if (i < n) for (int j = 0; j < n; ++j) b[(size_t)i * n + j] = a[(size_t)i * n + j] * 2;
    })");
  const CaseMaker maker(kernel, {}, nullptr, nullptr);
  const ir::PlanPtr plan = ir::originalPlan(kernel);
  const Judgement judged = verify(maker, plan, plan, {});
  EXPECT_TRUE(judged.equal);
  EXPECT_GE(judged.runs.size(), 4u);
  for (const JudgedRun& run : judged.runs)
    for (const auto& [name, size] : run.sizes) EXPECT_LT(size * size, (32 << 20) / 8) << name;
}

}  // namespace hone::device
