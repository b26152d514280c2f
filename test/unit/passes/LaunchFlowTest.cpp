#include "passes/sequence/LaunchFlow.h"

#include <gtest/gtest.h>

#include "affine/ModelOf.h"
#include "ir/Build.h"

namespace hone::passes {
namespace {

using namespace ir;

// Two launches over the same arrays, each with a thread for every element.
class TwoSteps : public ::testing::Test {
 protected:
  Result<LaunchFlow> flow(const std::string& first, const std::string& second, const std::string& over) {
    std::vector<std::string> bodies;
    for (const std::string& body : {first, second})
      bodies.push_back("int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) { " + body + " }");
    const auto kernels = affine::kernelsOf("(const float* a, float* b, float* c, int n)", bodies);
    if (kernels.size() != 2) return Refusal{"not imported"};
    VarPtr array;
    for (const VarPtr& param : kernels[0]->params)
      if (param->name == over) array = param;
    for (const KernelPtr& kernel : kernels) {
      LaunchStep launch = std::get<LaunchStep>(originalPlan(kernel)->steps.front());
      for (size_t p = 0; p < launch.args.size(); ++p) launch.args[p] = ref(kernels[0]->params[p]);
      const auto code = launchCode(launch);
      if (!code) return code.refusal();
      steps.push_back(*code);
    }
    const auto sizes = sizesOf(steps);
    if (!sizes) return sizes.refusal();
    const auto groups = groupsOf(steps, *sizes, 64);
    if (!groups) return Refusal{"no groups"};
    return flowOver(steps, *groups, array);
  }

 private:
  std::vector<LaunchCode> steps;
};

TEST_F(TwoSteps, LastOneWritesOverAllThatWasLeft) {
  const auto made = flow("b[i] = a[i]; c[i] = a[i];", "b[i] = c[i];", "b");
  ASSERT_TRUE(made) << made.refusal().reason;
  EXPECT_EQ(made->arrays.size(), 3u);
}

TEST_F(TwoSteps, LastOneLeavesWhatWasThere) {
  const auto other = flow("b[i] = a[i];", "c[i] = b[i];", "b");
  ASSERT_FALSE(other);
  EXPECT_EQ(other.refusal().reason, "the next iteration does not write over all of b");
}

TEST_F(TwoSteps, LastOneLoadsWhatWasLeftBeforeItWritesOverIt) {
  const auto both = flow("b[i] = a[i];", "b[i] = b[i] + 1;", "b");
  ASSERT_FALSE(both);
  EXPECT_EQ(both.refusal().reason, "the next iteration does not write over all of b");
}

}  // namespace
}  // namespace hone::passes
