#include "tune/Space.h"

#include <gtest/gtest.h>

#include <set>

#include "affine/ModelOf.h"
#include "ir/Compare.h"
#include "target/Target.h"

namespace hone::tune {
namespace {

class SpaceTest : public testing::Test {
 protected:
  SpaceTest()
      : targets(target::loadTargets(target::targetsFolder())),
        machine(target::findTarget(targets, "h200")),
        facts(machine),
        context{machine, facts},
        kernel(affine::kernelOf(R"(
  __global__ void blur(const float* a, float* b, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= 1 && i < n - 1) b[i] = a[i - 1] + a[i] + a[i + 1];
  })")),
        space(ir::originalPlan(kernel), context) {
    context.block = {128, 1, 1};
  }

  std::vector<target::Target> targets;
  const target::Target& machine;
  analysis::FactsCache facts;
  passes::PassContext context;
  ir::KernelPtr kernel;
  Space space;
};

TEST_F(SpaceTest, AllHoldsEachPlanOnce) {
  const std::vector<Variant> all = space.all(60);
  ASSERT_GT(all.size(), 5u);
  std::set<uint64_t> plans;
  for (const Variant& variant : all)
    EXPECT_TRUE(plans.insert(ir::hash(*variant.plan)).second) << variant.recipe.text;
  EXPECT_TRUE(all.front().recipe.isIdentity());
  EXPECT_EQ(space.all(4).size(), 4u);
}

TEST_F(SpaceTest, DrawsAreRecipesThatApply) {
  std::mt19937_64 random(7);
  std::set<std::string> drawn;
  for (int i = 0; i < 20; ++i) {
    const Variant variant = space.draw(random);
    drawn.insert(variant.recipe.text);
    const passes::PassResult again = passes::applyRecipe(space.original().plan, variant.recipe, context);
    ASSERT_TRUE(again.plan) << variant.recipe.text;
    EXPECT_TRUE(ir::equal(*again.plan, *variant.plan)) << variant.recipe.text;
  }
  EXPECT_GT(drawn.size(), 4u);
}

TEST_F(SpaceTest, NeighboursDifferAndKeepTheOtherPasses) {
  const std::vector<Variant> all = space.all(60);
  const auto from =
      std::find_if(all.begin(), all.end(), [](const Variant& v) { return v.recipe.calls.size() >= 2; });
  ASSERT_NE(from, all.end());
  const std::vector<Variant> around = space.neighbours(*from);
  EXPECT_GT(around.size(), 2u);
  const std::string last = from->recipe.calls.back().name;
  size_t kept = 0;
  for (const Variant& variant : around) {
    EXPECT_NE(ir::hash(*variant.plan), ir::hash(*from->plan));
    for (const passes::PassCall& call : variant.recipe.calls) kept += call.name == last;
  }
  EXPECT_GT(kept, 0u) << "a change of an earlier pass keeps the later ones";
}

}  // namespace
}  // namespace hone::tune
