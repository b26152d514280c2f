#include "tune/UniformDraws.h"

#include <fmt/core.h>
#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <set>

#include "ir/Compare.h"
#include "passes/merge/MergeThreads.h"
#include "passes/vector/VectorizeAccesses.h"
#include "tune/KernelOnTarget.h"

namespace hone::tune {
namespace {

class SpaceTest : public KernelOnTarget {
 protected:
  SpaceTest() : space(ir::originalPlan(kernel), context) {}

  Space space;
};

TEST_F(SpaceTest, AllHoldsEachPlanOnce) {
  const std::vector<Variant> all = space.all(60);
  ASSERT_GT(all.size(), 5u);
  std::set<uint64_t> plans;
  for (const Variant& variant : all)
    EXPECT_TRUE(plans.insert(ir::hash(*variant.plan)).second) << passes::str(variant.recipe);
  EXPECT_TRUE(all.front().recipe.isIdentity());
  EXPECT_EQ(space.all(4).size(), 4u);
}

TEST_F(SpaceTest, AllBreadthHoldsWhatIsProposed) {
  const ir::KernelPtr image = affine::kernelOf(R"(
  __global__ void mix(const float* a, float* b, int w, int h) {
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < w && y > 0 && y < h) b[y * w + x] = a[y * w + x] + a[(y - 1) * w + x];
  })");
  Variant one = space.original(), other, staged;
  other.plan = ir::originalPlan(image);
  context.block = {16, 16, 1};
  staged = space.with(other, passes::parseRecipe("stage(a)")).value();
  for (const Variant* variant : {&one, &other, &staged})
    for (Level level : allLevels) {
      const std::vector<passes::Recipe> all = allProposals(level, *variant, context);
      for (const passes::Recipe& proposal : proposals(level, *variant, context))
        EXPECT_EQ(std::count(all.begin(), all.end(), proposal), 1)
            << str(level) << ": " << passes::str(proposal);
      for (const passes::Recipe& proposal : all) {
        EXPECT_EQ(std::count(all.begin(), all.end(), proposal), 1) << str(level);
        EXPECT_EQ(passes::parseRecipe(passes::str(proposal)), proposal) << passes::str(proposal);
      }
    }
}

TEST_F(SpaceTest, BlocksOfAllWholeWarpsAreInReach) {
  Space wide(ir::originalPlan(kernel), context, Breadth::All);
  std::set<std::string> recipes;
  for (const Variant& one : wide.choices(wide.original(), Level::Shape))
    recipes.insert(passes::str(one.recipe));
  for (unsigned x = 32; x <= machine.threadsPerBlock; x += 32)
    EXPECT_TRUE(recipes.contains(fmt::format("block(x={})", x))) << x;
}

TEST_F(SpaceTest, BlocksNeedShareNothingToBeMerged) {
  const ir::KernelPtr plain = affine::kernelOf(R"(
  __global__ void twice(const float* a, float* b, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) b[i] = 2 * a[i];
  })");
  EXPECT_LT(Space(ir::originalPlan(plain), context).all(100).size(), 30u);
  EXPECT_EQ(Space(ir::originalPlan(plain), context, Breadth::All).all(100).size(), 100u);
}

TEST_F(SpaceTest, DrawsAreUniform) {
  std::map<std::pair<std::string, Level>, std::vector<passes::Recipe>> offered;
  std::map<std::pair<std::string, std::string>, std::optional<Variant>> made;
  const UniformDraws::Source source{
      [&](const Variant& variant, Level level) {
        auto [at, isNew] = offered.try_emplace({passes::str(variant.recipe), level});
        if (isNew) at->second = space.offers(variant, level);
        return at->second;
      },
      [&](const Variant& variant, const passes::Recipe& offer) {
        auto [at, isNew] = made.try_emplace({passes::str(variant.recipe), passes::str(offer)});
        if (isNew) at->second = space.with(variant, offer);
        return at->second;
      }};
  auto merges = [](const Variant& variant) { return variant.recipe.has(passes::mergeThreadsPass()); };
  UniformDraws whole(space.original(), source, 1);
  std::set<uint64_t> drawn{ir::hash(*space.original().plan)};
  double all = 0, merged = 0;
  while (const auto variant = whole.next()) {
    ++all, merged += merges(*variant);
    EXPECT_TRUE(drawn.insert(ir::hash(*variant->plan)).second) << passes::str(variant->recipe);
    if (all > 5) continue;
    const passes::PassResult again = passes::applyRecipe(space.original().plan, variant->recipe, context);
    ASSERT_TRUE(again.plan) << passes::str(variant->recipe);
    EXPECT_TRUE(ir::equal(*again.plan, *variant->plan)) << passes::str(variant->recipe);
  }
  // Doing nothing at all later levels is a way too.
  for (const auto& [from, variant] : made)
    if (variant)
      EXPECT_TRUE(drawn.contains(ir::hash(*variant->plan)))
          << passes::str(variant->recipe) << " was never drawn";
  for (const auto& [from, offers] : offered)
    for (const passes::Recipe& offer : offers)
      EXPECT_TRUE(made.contains({from.first, passes::str(offer)}))
          << from.first << " was never tried with " << passes::str(offer);
  // With equal chances at each level those without a merge would come far too often: fewer choices follow.
  double drawnMerged = 0;
  const int iterations = 300;
  for (int seed = 0; seed < iterations; ++seed) {
    UniformDraws draws(space.original(), source, static_cast<uint64_t>(seed), 20);
    drawnMerged += merges(*draws.next());
  }
  const double share = merged / all;
  EXPECT_NEAR(drawnMerged / iterations, share, 4 * std::sqrt(share * (1 - share) / iterations));
}

TEST_F(SpaceTest, NeighboursDifferAndKeepTheOtherPasses) {
  const std::vector<Variant> all = space.all(60);
  // One that levels after another made; wide accesses come with the block's shape here.
  const auto from = std::find_if(all.begin(), all.end(), [](const Variant& v) {
    return v.recipe.calls.size() >= 2 && v.recipe.calls.back().pass != &passes::vectorizePass();
  });
  ASSERT_NE(from, all.end());
  const std::vector<Variant> around = space.neighbours(*from);
  EXPECT_GT(around.size(), 2u);
  const passes::Pass* last = from->recipe.calls.back().pass;
  size_t kept = 0;
  for (const Variant& variant : around) {
    EXPECT_NE(ir::hash(*variant.plan), ir::hash(*from->plan));
    for (const passes::PassCall& call : variant.recipe.calls) kept += call.pass == last;
  }
  EXPECT_GT(kept, 0u) << "a change of an earlier pass keeps the later ones";
}

}  // namespace
}  // namespace hone::tune
