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
    LargerGuess out = atLargerGuesses(*maker, original, machine, *facts, *usual);
    if (out.estimator) after = out.estimator->of(original);
    isAlwaysShort = out.isAlwaysShort;
    return std::move(out.estimator);
  }

  std::vector<target::Target> targets;
  std::optional<analysis::FactsCache> facts;
  ir::KernelPtr kernel;
  std::unique_ptr<device::CaseMaker> maker;
  std::unique_ptr<PlanEstimator> usual;
  PlanEstimate before, after;
  bool isAlwaysShort = false;
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

// A column of a matrix whose rows are as many: no GPU holds one whose columns take long.
TEST_F(GrowingGuesses, whatIsTooShortForAllArraysThatFit) {
  EXPECT_EQ(grown(R"(
    __global__ void k(const float* __restrict__ a, float* __restrict__ m, int size, int t) {
      int i = blockIdx.x * blockDim.x + threadIdx.x;
      if (i < size - 1 - t) m[size * (i + t + 1) + t] = a[size * (i + t + 1) + t] / a[size * t + t];
    })"),
            nullptr);
  EXPECT_TRUE(isAlwaysShort);
}

// The product of three usual guesses is 0 in 32 bits.
TEST_F(GrowingGuesses, orOthersWhereNoBlockDoesAnything) {
  const std::unique_ptr<PlanEstimator> out = grown(R"(
    __global__ void k(const float* __restrict__ a, float* __restrict__ b, int m, int s, int n) {
      int i = blockIdx.x * blockDim.x + threadIdx.x;
      if (i >= m * s * n) return;
      b[i] = a[i / n % s * n + i % n];
    })");
  EXPECT_TRUE(isIdle(before));
  ASSERT_NE(out, nullptr);
  EXPECT_FALSE(isIdle(after));
}

}  // namespace hone::tune
