// What is asked of variants whose estimates were seen to be off.
#include "tune/Bets.h"

#include "KernelOnTarget.h"

namespace hone::tune {
namespace {

struct Answer {
  bool isAllowed = false;
  std::string why;
};

// Whether a variant by this recipe may be taken that is estimated to be so many times as fast.
Answer askedFor(const char* text, const char* recipe, double gain,
                const std::map<std::string, std::string>& set = {}) {
  const std::vector<target::Target> targets = target::loadTargets(target::targetsFolder());
  const target::Target& machine = target::findTarget(targets, "h200");
  analysis::FactsCache facts(machine);
  passes::PassContext context{machine, facts};
  const ir::KernelPtr kernel = affine::kernelOf(text);
  device::Settings settings;
  for (const auto& [name, value] : set) settings.set[name] = device::Given{value, "--set"};
  const device::CaseMaker maker(kernel, std::move(settings), nullptr, nullptr);
  context.block = maker.make().block;
  const ir::PlanPtr original = ir::originalPlan(kernel);
  PlanEstimator estimator(maker, original, machine);
  ChooseOptions options;
  Choice choice;
  choice.original = {{}, original, {}, estimator.of(original)};
  EXPECT_TRUE(choice.original.estimate.isKnown()) << choice.original.estimate.problem;
  Variant variant;
  variant.recipe = passes::parseRecipe(recipe);
  const passes::PassResult made = passes::applyRecipe(original, variant.recipe, context);
  EXPECT_TRUE(made.plan) << recipe;
  if (!made.plan) return {};
  variant.plan = made.plan;
  variant.estimate = estimator.of(made.plan);
  EXPECT_TRUE(variant.estimate.isKnown()) << variant.estimate.problem;
  variant.estimate.seconds = choice.original.estimate.seconds / gain;
  Bets bets(maker, original, context, options, estimator);
  const bool isAllowed = bets.allow(variant, choice);
  return {isAllowed, bets.whyNot()};
}

bool isUnsure(const Answer& answer, const char* why) {
  return !answer.isAllowed && answer.why.find(why) != std::string::npos &&
         answer.why.find("estimates of such are off") != std::string::npos;
}

const char* const steered = R"(
  __global__ void pick(const int* __restrict__ flag, const float* __restrict__ a, float* __restrict__ b, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
      float v = 0;
      if (flag[i] > 3) v = a[i];
      b[i] = v;
    }
  })";

const char* const computedByCases = R"(
  __global__ void fold(const float* __restrict__ a, float* __restrict__ b, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
      float v = a[i];
      if (v > 3) v = 6 - v;
      b[i] = v;
    }
  })";

const char* const overTheGrid = R"(
  __global__ void scale(const float* __restrict__ a, float* __restrict__ b, int n) {
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) b[i] = 2 * a[i];
  })";

const char* const plain = R"(
  __global__ void scale(const float* __restrict__ a, float* __restrict__ b, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) b[i] = 2 * a[i];
  })";

const std::map<std::string, std::string> million = {{"n", "1048576"}};

}  // namespace

TEST(Bets, WhereMadeUpContentsDecideWhatIsTouchedMoreMustBeGained) {
  const char* const why = "contents of its arrays, which are made up";
  const Answer little = askedFor(steered, "merge-threads(x=2)", 1.4, million);
  EXPECT_TRUE(isUnsure(little, why)) << little.why;
  EXPECT_FALSE(isUnsure(askedFor(steered, "merge-threads(x=2)", 1.6, million), why));
  EXPECT_FALSE(isUnsure(askedFor(plain, "merge-threads(x=2)", 1.4, million), why));
  EXPECT_FALSE(isUnsure(askedFor(computedByCases, "merge-threads(x=2)", 1.4, million), why));
}

TEST(Bets, BlocksWhoseNumberTheProgramChoseMustGainMoreWhenMerged) {
  const char* const why = "it loops over its grid";
  const Answer little = askedFor(overTheGrid, "merge-threads(x=2)", 1.4, million);
  EXPECT_TRUE(isUnsure(little, why)) << little.why;
  EXPECT_FALSE(isUnsure(askedFor(overTheGrid, "merge-threads(x=2)", 1.6, million), why));
}

TEST(Bets, BlocksBelowAWarpMustGainMore) {
  const char* const why = "less than a warp";
  const Answer little = askedFor(plain, "block(x=16)", 1.4, million);
  EXPECT_TRUE(isUnsure(little, why)) << little.why;
  EXPECT_FALSE(isUnsure(askedFor(plain, "block(x=64)", 1.4, million), why));
}

}  // namespace hone::tune
