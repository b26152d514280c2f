// The model-first strategy over times that the test makes up.
#include <gtest/gtest.h>

#include "tune/KernelOnTarget.h"
#include "tune/Tune.h"

namespace hone::tune {
namespace {

class MadeUpTimes : public Meter {
 public:
  explicit MadeUpTimes(std::function<double(const std::string& recipe)> microseconds)
      : times(std::move(microseconds)) {
    first = timed("");
  }
  const Measurement& original() const override { return first; }
  const worker::DeviceInfo& device() const override { return info; }
  Measurement measure(const Variant& variant) override { return timed(passes::str(variant.recipe)); }

 private:
  Measurement timed(const std::string& recipe) const {
    Measurement out;
    out.recipe = recipe;
    const double time = times(recipe);
    out.result.timing = {time, time, time, 1, 1, 1};
    return out;
  }
  std::function<double(const std::string&)> times;
  Measurement first;
  worker::DeviceInfo info;
};

class ModelFirst : public KernelOnTarget {
 protected:
  ModelFirst()
      : KernelOnTarget(R"(
  __global__ void twice(const float* a, float* b, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) b[i] = 2 * a[i];
  })"),
        space(ir::originalPlan(kernel), context) {}

  std::vector<Variant> variants(const std::vector<std::string>& recipes) {
    std::vector<Variant> out;
    for (const std::string& recipe : recipes)
      out.push_back(space.with(space.original(), passes::parseRecipe(recipe)).value());
    return out;
  }

  std::vector<std::string> measured(const std::vector<std::string>& ranked, size_t budget,
                                    const std::function<double(const std::string&)>& times) {
    MadeUpTimes meter(times);
    TuneOptions options;
    options.mostVariants = budget;
    const TuneOutcome outcome = tune(
        space, meter, variants(ranked), [](Variant& variant) { variant.estimate.problem = "none"; }, options);
    std::vector<std::string> out;
    for (const Tried& one : outcome.tried) out.push_back(one.measurement.recipe);
    return out;
  }

  Space space;
};

const std::vector<std::string> kRanked = {"block(x=32)", "block(x=128)", "block(x=256)",
                                          "vectorize(threads=2)"};

TEST_F(ModelFirst, OneOfEachKindIsMeasuredBeforeTheSecondOfAny) {
  const auto order = measured(kRanked, 8, [](const std::string&) { return 10.0; });
  ASSERT_GE(order.size(), 4u);
  EXPECT_EQ(
      std::vector(order.begin(), order.begin() + 4),
      (std::vector<std::string>{"block(x=32)", "vectorize(threads=2)", "block(x=128)", "block(x=256)"}));
}

TEST_F(ModelFirst, NeighboursOfASecondKindNearTheBestAreTriedToo) {
  const auto near = [](double other) {
    return [other](const std::string& recipe) {
      return recipe.find("vectorize(threads=2)") == 0 ? other : recipe == "block(x=32)" ? 10.0 : 20.0;
    };
  };
  const auto widened = [](const std::vector<std::string>& order) {
    return std::count(order.begin() + 2, order.end(), "vectorize(threads=4)");
  };
  const std::vector<std::string> ranked = {"block(x=32)", "vectorize(threads=2)"};
  EXPECT_EQ(widened(measured(ranked, 30, near(10.5))), 1);
  EXPECT_EQ(widened(measured(ranked, 30, near(19))), 0) << "what is far behind is not refined";
}

}  // namespace
}  // namespace hone::tune
