#include "tune/LargerGuess.h"

#include "KernelOnTarget.h"

namespace hone::tune {
namespace {

// An estimator at larger guesses than the usual ones; null: there is none.
class GrowingGuesses : public testing::Test {
 protected:
  std::unique_ptr<PlanEstimator> grown(const char* text, const std::map<std::string, std::string>& set = {}) {
    targets = target::loadTargets(target::targetsFolder());
    const target::Target& machine = target::findTarget(targets, "h200");
    facts.emplace(machine);
    kernel = affine::kernelOf(text);
    device::Settings settings;
    for (const auto& [name, value] : set) settings.set[name] = device::Given{value, "--set"};
    maker = std::make_unique<device::CaseMaker>(kernel, std::move(settings), nullptr, nullptr);
    const ir::PlanPtr original = ir::originalPlan(kernel);
    usual = std::make_unique<PlanEstimator>(*maker, original, machine);
    before = usual->of(original);
    auto out = atLargerGuesses(*maker, original, machine, *facts, *usual);
    if (out) after = out->of(original);
    return out;
  }

  std::vector<target::Target> targets;
  std::optional<analysis::FactsCache> facts;
  ir::KernelPtr kernel;
  std::unique_ptr<device::CaseMaker> maker;
  std::unique_ptr<PlanEstimator> usual;
  PlanEstimate before, after;
};

const char* const perBlock = R"(
  __global__ void k(const float* __restrict__ a, float* __restrict__ b) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    b[i] = 2 * a[i];
  })";

}  // namespace

TEST_F(GrowingGuesses, untilTheKernelTakesLongerThanItsLaunch) {
  ASSERT_NE(grown(perBlock), nullptr);
  ASSERT_TRUE(before.isKnown() && before.longest());
  EXPECT_EQ(before.longest()->time.limiter, sim::Limiter::Launch);
  ASSERT_TRUE(after.isKnown() && after.longest());
  EXPECT_NE(after.longest()->time.limiter, sim::Limiter::Launch);
  EXPECT_GT(after.seconds, before.seconds);
}

TEST_F(GrowingGuesses, notWhereTheUserGaveAllSizes) {
  EXPECT_EQ(grown(R"(
    __global__ void k(const float* __restrict__ a, float* __restrict__ b, int n) {
      int i = blockIdx.x * blockDim.x + threadIdx.x;
      if (i < n) b[i] = 2 * a[i];
    })",
                  {{"n", "1000"}}),
            nullptr);
}

TEST_F(GrowingGuesses, notWhereTheUsualOnesTakeLongEnough) {
  EXPECT_EQ(grown(R"(
    __global__ void k(const float* __restrict__ a, float* __restrict__ b, int w, int h) {
      int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
      if (x >= w || y >= h) return;
      float sum = 0;
      for (int i = 0; i < w; ++i) sum += a[y * w + i] * a[i * w + x];
      b[y * w + x] = sum;
    })"),
            nullptr);
}

// A test that the usual guesses fail for every thread.
TEST_F(GrowingGuesses, whereNoBlockDoesAnything) {
  const std::unique_ptr<PlanEstimator> out = grown(R"(
    __global__ void k(const float* __restrict__ a, float* __restrict__ b, int first, int count) {
      int i = blockIdx.x * blockDim.x + threadIdx.x;
      if (count - first * 1048576 > 0 || count < 48) return;
      b[i] = 2 * a[i];
    })");
  if (isIdle(before)) {
    ASSERT_NE(out, nullptr);
    EXPECT_FALSE(isIdle(after));
  } else {
    GTEST_SKIP() << "the usual guesses do something";
  }
}

}  // namespace hone::tune
