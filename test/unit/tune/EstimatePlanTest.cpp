#include "tune/EstimatePlan.h"

#include "KernelOnTarget.h"
#include "device/CapturedCase.h"
#include "passes/recipe/Recipe.h"
#include "tune/ChooseRecipe.h"
#include "tune/WherePays.h"

namespace hone::tune {

namespace {

constexpr int values = 160;

// All values are alive at once.
std::string manyValues() {
  std::string loads, stores;
  for (int k = 0; k < values; ++k) {
    const std::string value = "v" + std::to_string(k);
    const std::string element = "a[" + std::to_string(k) + " * gridDim.x * blockDim.x + i]";
    loads += "float " + value + " = " + element + "; s += " + value + ";\n";
    stores += element + " = " + value + " * s;\n";
  }
  return "__global__ void k(float* __restrict__ a) { int i = blockIdx.x * blockDim.x + threadIdx.x; float s "
         "= "
         "0;\n" +
         loads + stores + "}";
}

class EstimatingPlans : public KernelOnTarget {
 protected:
  EstimatingPlans() : KernelOnTarget(manyValues().c_str()), maker(kernel, grid(), nullptr, nullptr) {
    context.block = maker.make().block;
  }
  static device::Settings grid() {
    device::Settings settings;
    settings.grid = device::Given{"1024", "--grid"};
    return settings;
  }
  device::CaseMaker maker;
};

}  // namespace

// Merged threads would hold twice as many values: compilers keep those in memory, which costs more than any
// estimate says.
TEST_F(EstimatingPlans, whatNeedsMoreRegistersThanThereAreHasNone) {
  const ir::PlanPtr original = ir::originalPlan(kernel);
  PlanEstimator estimator(maker, original, machine);
  EXPECT_TRUE(estimator.of(original).isKnown()) << estimator.of(original).problem;
  const passes::PassResult made =
      passes::applyRecipe(original, passes::parseRecipe("vectorize(threads=2)"), context);
  ASSERT_TRUE(made.plan);
  EXPECT_NE(estimator.of(made.plan).problem.find(" registers; h200 has 255 for each"), std::string::npos)
      << estimator.of(made.plan).problem;
}

// What the first estimate stored would leave the next one less to do.
class EstimatingInPlace : public KernelOnTarget {
 protected:
  EstimatingInPlace()
      : KernelOnTarget(R"(
          __global__ void hits(int* a, int* hit, int n) {
            int i = blockIdx.x * blockDim.x + threadIdx.x;
            if (i < n && a[i] > 5) {
              a[i] = 0;
              hit[i] = 1;
            }
          })"),
        maker(kernel, size(), nullptr, nullptr) {
    context.block = maker.make().block;
  }
  static device::Settings size() {
    device::Settings settings;
    settings.set["n"] = device::Given{"1000000", "--set"};
    return settings;
  }
  device::CaseMaker maker;
};

TEST_F(EstimatingInPlace, theSamePlanTakesTheSameTime) {
  const ir::PlanPtr original = ir::originalPlan(kernel);
  PlanEstimator estimator(maker, original, machine);
  const double first = estimator.of(original).seconds;
  const passes::PassResult same = passes::applyRecipe(original, passes::parseRecipe("block(x=256)"), context);
  ASSERT_TRUE(same.plan);
  EXPECT_NEAR(estimator.of(same.plan).seconds, first, 0.05 * first);
}

// A thread of long rows runs for too long here, so that estimates are made for shorter ones.
class EstimatingLongRows : public KernelOnTarget {
 protected:
  EstimatingLongRows()
      : KernelOnTarget(R"(
          __global__ void scaled(float* __restrict__ out, const float* __restrict__ in, int n, int c) {
            int i = blockIdx.x * blockDim.x + threadIdx.x;
            if (i < n) {
              float most = -1e30f, sum = 0;
              for (int k = 0; k < c; ++k) most = fmaxf(most, in[i * c + k]);
              for (int k = 0; k < c; ++k) sum += in[i * c + k] - most;
              for (int k = 0; k < c; ++k) out[i * c + k] = in[i * c + k] / sum;
            }
          })"),
        original(ir::originalPlan(kernel)) {
    context.reassociate = true;
  }
  // Rows of up to 2048 elements are kept, longer ones are left to the original.
  ir::PlanPtr kept() {
    return passes::applyRecipe(original,
                               passes::parseRecipe("split-reduction(over=block, ways=128, keep=16)"), context)
        .plan;
  }
  device::CaseMaker launchedWith(const std::vector<int64_t>& columns, double microsecondsOfLast = 0) const {
    device::CaseMaker maker(kernel, {}, nullptr, nullptr);
    auto seen = std::make_shared<device::CapturedKernel>();
    for (const int64_t c : columns) {
      device::CapturedCase one;
      one.numbers = {{"n", device::wholeNumber(8192)}, {"c", device::wholeNumber(c)}};
      one.grid = {64, 1, 1};
      one.block = {128, 1, 1};
      one.lengths = {{"out", 8192 * uint64_t(c)}, {"in", 8192 * uint64_t(c)}};
      one.launches = 1;
      one.microseconds = c == columns.back() ? microsecondsOfLast : 100;
      seen->cases.push_back(one);
    }
    seen->share = 1;
    maker.setCaptured(seen);
    return maker;
  }
  const ir::PlanPtr original;
};

TEST_F(EstimatingLongRows, conditionsHaveToHoldAtTheSizesThatWereCaptured) {
  const ir::PlanPtr plan = kept();
  ASSERT_TRUE(plan);
  PlanEstimator atLong(launchedWith({50257}), original, machine);
  ASSERT_LE(atLong.usedCase().numbers.at("c").value.asWhole(), 2048) << "no shorter rows were taken";
  EXPECT_FALSE(atLong.of(plan).fellBack);
  EXPECT_TRUE(atLong.of(plan).missesMeant);
  PlanEstimator atShort(launchedWith({2000}), original, machine);
  EXPECT_FALSE(atShort.of(plan).missesMeant) << atShort.of(plan).problem;
}

TEST_F(EstimatingLongRows, andAtThoseThatAreAskedFor) {
  const device::CaseMaker maker(kernel, {}, nullptr, nullptr);
  PlanEstimator asked(maker, original, machine, {{"n", 8192}, {"c", 50257}});
  EXPECT_TRUE(asked.of(kept()).missesMeant);
  PlanEstimator guessed(maker, original, machine, {{"n", 8192}, {"c", 50257}}, 1.0);
  EXPECT_FALSE(guessed.of(kept()).missesMeant) << "a guess in place of another one";
}

TEST_F(EstimatingLongRows, nothingIsChosenThatWouldNotRunAsCaptured) {
  ChooseOptions options;
  options.verify = false;
  const device::CaseMaker maker = launchedWith({50257});
  context.block = maker.make().block;
  const Choice choice = chooseRecipe(maker, original, context, options);
  EXPECT_FALSE(choice.ranked.empty());
  for (const Variant& one : choice.ranked)
    EXPECT_EQ(passes::str(one.recipe).find("keep="), std::string::npos);
}

TEST_F(EstimatingLongRows, launchesAtWhichTheOriginalWouldRunGainNothing) {
  const device::CaseMaker maker = launchedWith({2000, 50257}, 900);
  context.block = maker.make().block;
  PlanEstimator estimator(maker, original, machine);
  ScaleEstimates scales(maker, original, machine, facts, estimator);
  ASSERT_TRUE(scales.isBet());
  const Variant variant{
      passes::parseRecipe("split-reduction(over=block, ways=128, keep=16)"), kept(), {}, {}};
  const double before = estimator.of(original).seconds, after = estimator.of(variant.plan).seconds;
  ASSERT_GT(before / after, 2);
  const WherePays pays = scales.of(variant, before, after);
  EXPECT_GT(pays.overall, 1);
  EXPECT_LT(pays.overall, 1 / 0.899);
}

}  // namespace hone::tune
