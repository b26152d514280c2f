#include "tune/EstimatePlan.h"

#include "KernelOnTarget.h"
#include "passes/recipe/Recipe.h"

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

}  // namespace hone::tune
