#include "tune/UniformDraws.h"

#include <fmt/core.h>
#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <set>

#include "ir/Compare.h"
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
    EXPECT_TRUE(plans.insert(ir::hash(*variant.plan)).second) << variant.recipe.text;
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
  staged = space.with(other, "stage(a)").value();
  for (const Variant* variant : {&one, &other, &staged})
    for (Level level : allLevels) {
      const std::vector<std::string> all = allProposals(level, *variant, context);
      for (const std::string& proposal : proposals(level, *variant, context))
        EXPECT_EQ(std::count(all.begin(), all.end(), proposal), 1) << str(level) << ": " << proposal;
      EXPECT_EQ(std::set<std::string>(all.begin(), all.end()).size(), all.size()) << str(level);
      for (const std::string& proposal : all)
        EXPECT_NO_THROW(passes::checkRecipe(passes::parseRecipe(proposal))) << proposal;
    }
}

TEST_F(SpaceTest, BlocksOfAllWholeWarpsAreInReach) {
  Space wide(ir::originalPlan(kernel), context, Breadth::All);
  std::set<std::string> recipes;
  for (const Variant& one : wide.choices(wide.original(), Level::Shape)) recipes.insert(one.recipe.text);
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
  std::map<std::pair<std::string, Level>, std::vector<std::string>> offered;
  std::map<std::pair<std::string, std::string>, std::optional<Variant>> made;
  const UniformDraws::Source source{
      [&](const Variant& variant, Level level) {
        auto [at, isNew] = offered.try_emplace({passes::str(variant.recipe), level});
        if (isNew) at->second = space.offers(variant, level);
        return at->second;
      },
      [&](const Variant& variant, const std::string& offer) {
        auto [at, isNew] = made.try_emplace({passes::str(variant.recipe), offer});
        if (isNew) at->second = space.with(variant, offer);
        return at->second;
      }};
  auto merges = [](const Variant& variant) {
    return std::any_of(variant.recipe.calls.begin(), variant.recipe.calls.end(),
                       [](const passes::PassCall& call) { return call.name == "merge-threads"; });
  };
  UniformDraws whole(space.original(), source, 1);
  std::set<uint64_t> drawn{ir::hash(*space.original().plan)};
  double all = 0, merged = 0;
  while (const auto variant = whole.next()) {
    ++all, merged += merges(*variant);
    EXPECT_TRUE(drawn.insert(ir::hash(*variant->plan)).second) << variant->recipe.text;
    if (all > 5) continue;
    const passes::PassResult again = passes::applyRecipe(space.original().plan, variant->recipe, context);
    ASSERT_TRUE(again.plan) << variant->recipe.text;
    EXPECT_TRUE(ir::equal(*again.plan, *variant->plan)) << variant->recipe.text;
  }
  // Doing nothing at all later levels is a way too.
  for (const auto& [from, variant] : made)
    if (variant)
      EXPECT_TRUE(drawn.contains(ir::hash(*variant->plan))) << variant->recipe.text << " was never drawn";
  for (const auto& [from, offers] : offered)
    for (const std::string& offer : offers)
      EXPECT_TRUE(made.contains({from.first, offer})) << from.first << " was never tried with " << offer;
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
    return v.recipe.calls.size() >= 2 && v.recipe.calls.back().name != "vectorize";
  });
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
