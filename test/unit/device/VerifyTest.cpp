#include <algorithm>

#include "Source.h"
#include "device/Judge.h"
#include "device/VerifyCases.h"
#include "ir/Build.h"

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

// Two blocks in one, without asking whether the second was launched: right wherever the grid covers n, and
// for grids of an even number of blocks.
TEST(Verify, oneBlockShowsBlocksOnTop) {
  const frontend::ImportResult import = importText(R"(
    __global__ void whole(const int* a, int* b, int n) {
      int i = blockIdx.x * 256 + threadIdx.x;
      if (i < n) b[i] = a[i] * 2 + 1;
    }
    __global__ void pairs(const int* a, int* b, int n) {
      for (int part = 0; part < 2; ++part) {
        int i = (blockIdx.x * 2 + part) * 256 + threadIdx.x;
        if (i < n) b[i] = a[i] * 2 + 1;
      }
    })");
  const ir::PlanPtr original = ir::originalPlan(import.kernels[0].kernel);
  ir::LaunchStep step = std::get<ir::LaunchStep>(original->steps[0]);
  step.kernel = import.kernels[1].kernel;
  step.grid[0] = ir::ceilDiv(step.grid[0], ir::intLit(2, ir::uint32()));
  auto fast = std::make_shared<ir::Plan>();
  fast->original = original->original;
  fast->steps.emplace_back(step);
  auto plan = std::make_shared<ir::Plan>();
  plan->original = original->original;
  plan->steps.emplace_back(ir::ChoiceStep{
      ir::binary(ir::BinaryOp::Eq, ir::coord(ir::CoordKind::BlockDim, 0), ir::intLit(256, ir::uint32())),
      fast, original});
  Settings settings;
  settings.block = Given{"256", "--block"};
  const CaseMaker maker(original->original, settings, nullptr, nullptr);
  EXPECT_FALSE(verify(maker, original, plan, {}).passed());
}

}  // namespace hone::device
