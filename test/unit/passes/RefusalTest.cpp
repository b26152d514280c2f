#include "passes/recipe/Refusal.h"

#include <gtest/gtest.h>

#include <memory>

namespace hone::passes {
namespace {

const ir::SourceLoc kPlace{ir::internFile("refusal.cu"), 7, 3};

Result<int> half(int number) {
  if (number % 2) return Refusal{"odd", kPlace};
  return number / 2;
}

Result<std::string> quarter(int number) {
  auto once = half(number);
  if (!once) return once.refusal();
  auto twice = half(*once);
  if (!twice) return twice.refusal();
  return std::to_string(*twice);
}

TEST(Refusal, ResultHoldsAValueOrTheReason) {
  const Result<int> made = half(6);
  ASSERT_TRUE(made);
  EXPECT_EQ(*made, 3);
  const Result<int> no = half(7);
  ASSERT_FALSE(no);
  EXPECT_EQ(no.refusal().reason, "odd");
  EXPECT_EQ(no.refusal().place.str(), "refusal.cu:7");
}

TEST(Refusal, PassesFromOneTypeToAnother) {
  EXPECT_EQ(*quarter(12), "3");
  EXPECT_EQ(quarter(12)->size(), 1u);
  EXPECT_EQ(quarter(14).refusal().reason, "odd");
}

TEST(Refusal, ValuesConvertAndMove) {
  auto owned = [](bool make) -> Result<std::unique_ptr<const int>> {
    if (!make) return Refusal{"not asked for"};
    return std::make_unique<int>(4);
  };
  std::unique_ptr<const int> taken = *owned(true);
  EXPECT_EQ(*taken, 4);
  EXPECT_FALSE(owned(false).refusal().place.valid());
  Result<std::shared_ptr<int>> null = std::shared_ptr<int>();
  EXPECT_TRUE(null);  // a null pointer is a value
}

TEST(Refusal, LeavesADeepRecursion) {
  struct Descent {
    int sum = 0;
    int down(int depth) {
      if (depth == 0) refuse("too deep", kPlace);
      sum += orRefuse(half(2 * depth));
      return depth == 3 ? sum : down(depth - 1);
    }
  };
  EXPECT_EQ(*refusing([] { return Descent().down(5); }), 12);
  const auto no = refusing([] { return Descent().down(2); });
  ASSERT_FALSE(no);
  EXPECT_EQ(no.refusal().reason, "too deep");
  EXPECT_EQ(no.refusal().place.line, 7u);
}

TEST(Refusal, RefusingKeepsResultsAndObstaclesAsTheyAre) {
  const Result<int> flat = refusing([] { return half(8); });
  EXPECT_EQ(*flat, 4);
  const Obstacle none = refusing([] { orRefuse(half(8)); });
  EXPECT_FALSE(none);
  const Obstacle one = refusing([] { orRefuse(half(9)); });
  ASSERT_TRUE(one);
  EXPECT_EQ(one->reason, "odd");
  const Obstacle passed = refusing([&]() -> Obstacle {
    orRefuse(Obstacle());
    orRefuse(one);
    return {};
  });
  ASSERT_TRUE(passed);
  EXPECT_EQ(passed->reason, "odd");
}

TEST(Refusal, OtherExceptionsGoThrough) {
  EXPECT_THROW((void)refusing([]() -> int { throw 5; }), int);
}

TEST(Refusal, FaultsOfHonesOwnSaySo) {
  EXPECT_EQ(unexpected("loop").reason, "internal: unexpected loop; please report");
}

}  // namespace
}  // namespace hone::passes
