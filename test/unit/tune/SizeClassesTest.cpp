#include "tune/SizeClasses.h"

#include <gtest/gtest.h>

#include "ir/Error.h"
#include "tune/SizeSet.h"

namespace hone::tune {
namespace {

TimedSize at(std::map<std::string, int64_t> numbers, std::vector<double> times, double spread = 0) {
  std::vector<double> spreads(times.size(), spread);
  return {std::move(numbers), std::move(times), std::move(spreads)};
}

size_t variantAt(const SizeTree& tree, std::map<std::string, int64_t> numbers) {
  return tree.leafOf(numbers).variant;
}

TEST(SizeClasses, OneVariantThatIsBestEverywhereIsOneClass) {
  const std::vector<TimedSize> sizes = {at({{"n", 100}}, {10, 5, 8}), at({{"n", 1000}}, {100, 40, 70})};
  const auto tree = classesOf(sizes);
  ASSERT_TRUE(tree->isLeaf());
  EXPECT_EQ(tree->variant, 1u);
}

TEST(SizeClasses, ProductsThatDoNotFitAreNotAskedFor) {
  const auto all = [](int64_t value) {
    return std::map<std::string, int64_t>{{"a", value}, {"b", value}, {"c", value}, {"d", value}};
  };
  const std::vector<TimedSize> sizes = {at(all(1 << 10), {10, 5}), at(all(1 << 20), {10, 50})};
  const auto tree = classesOf(sizes);
  ASSERT_EQ(tree->leaves(), 2u);
  EXPECT_LT(tree->test.factors.size(), 4u);
  EXPECT_GT(tree->test.most, 0);
}

TEST(SizeClasses, ThresholdsLieInTheGeometricMiddle) {
  const std::vector<TimedSize> sizes = {at({{"n", 256}}, {10, 5, 9}), at({{"n", 1024}}, {40, 20, 30}),
                                        at({{"n", 4096}}, {160, 140, 60})};
  const auto tree = classesOf(sizes);
  ASSERT_EQ(tree->leaves(), 2u);
  EXPECT_EQ(tree->test.factors, std::vector<std::string>{"n"});
  EXPECT_EQ(tree->test.most, 2048);
  EXPECT_EQ(variantAt(*tree, {{"n", 2048}}), 1u);
  EXPECT_EQ(variantAt(*tree, {{"n", 2049}}), 2u);
}

TEST(SizeClasses, NoSizeLosesToTheOriginal) {
  // The second variant is better on the whole and loses at the smallest size.
  const std::vector<TimedSize> sizes = {at({{"n", 64}}, {2, 3, 0}), at({{"n", 1024}}, {40, 10, 39}),
                                        at({{"n", 4096}}, {160, 20, 150})};
  const auto tree = classesOf(sizes);
  for (const TimedSize& one : sizes) {
    const size_t v = variantAt(*tree, one.numbers);
    EXPECT_LE(one.times[v], one.times[0]);
    EXPECT_GT(one.times[v], 0);
  }
  EXPECT_EQ(variantAt(*tree, {{"n", 64}}), 0u);
  EXPECT_EQ(variantAt(*tree, {{"n", 1024}}), 1u);
}

TEST(SizeClasses, NextToTheOriginalAThresholdWaitsUntilTheOtherIsAsFast) {
  // log(1.5) behind at 100, log(10/9) ahead at 10000: as fast at about 3900, where the middle would be 1000.
  const std::vector<TimedSize> sizes = {at({{"n", 100}}, {10, 15}), at({{"n", 10000}}, {10, 9})};
  const auto tree = classesOf(sizes);
  ASSERT_EQ(tree->leaves(), 2u);
  EXPECT_GT(tree->test.most, 3500);
  EXPECT_LT(tree->test.most, 4500);
}

TEST(SizeClasses, ASplitMustPayMoreThanTheNoise) {
  const std::vector<double> few = {10, 5, 5.1}, many = {100, 50, 49};
  EXPECT_TRUE(classesOf({at({{"n", 10}}, few), at({{"n", 100}}, many)})->isLeaf());
  const std::vector<double> other = {10, 5, 5.4}, better = {100, 50, 46};
  EXPECT_EQ(classesOf({at({{"n", 10}}, other), at({{"n", 100}}, better)})->leaves(), 2u);
  EXPECT_TRUE(classesOf({at({{"n", 10}}, other, 0.1), at({{"n", 100}}, better, 0.1)})->isLeaf());
}

TEST(SizeClasses, ATieWithTheOriginalWithinTheSpreadIsNoLoss) {
  const std::vector<TimedSize> sizes = {at({{"n", 10}}, {10, 10.05}, 0.01),
                                        at({{"n", 100}}, {100, 50}, 0.01)};
  const auto tree = classesOf(sizes);
  EXPECT_EQ(variantAt(*tree, {{"n", 10}}), 1u);
  EXPECT_EQ(variantAt(*tree, {{"n", 100}}), 1u);
}

TEST(SizeClasses, BelowASmallestSizeThatGainsLittleTheOriginalStays) {
  const std::vector<TimedSize> sizes = {at({{"n", 1000}}, {10, 9}), at({{"n", 100000}}, {100, 50})};
  const auto tree = classesOf(sizes);
  EXPECT_EQ(variantAt(*tree, {{"n", 999}}), 0u);
  EXPECT_EQ(variantAt(*tree, {{"n", 1000}}), 1u);
  const auto sides = sidesOf(*tree, sizes);
  ASSERT_EQ(sides.size(), 1u);
  EXPECT_EQ(sides[0].small.at("n"), 999);
  EXPECT_EQ(sides[0].large.at("n"), 1000);
  EXPECT_TRUE(classesOf({at({{"n", 1000}}, {10, 5}), at({{"n", 100000}}, {100, 50})})->isLeaf());
}

TEST(SizeClasses, FailuresKeepAVariantOutOfTheirClass) {
  const std::vector<TimedSize> sizes = {at({{"n", 10}}, {10, 0, 9}), at({{"n", 100}}, {100, 20, 90})};
  const auto tree = classesOf(sizes);
  EXPECT_EQ(variantAt(*tree, {{"n", 10}}), 2u);
  EXPECT_EQ(variantAt(*tree, {{"n", 100}}), 1u);
}

TEST(SizeClasses, WhatMovesTogetherIsTestedByItsProduct) {
  const std::vector<TimedSize> sizes = {at({{"h", 100}, {"w", 100}, {"z", 7}}, {10, 5, 9}),
                                        at({{"h", 400}, {"w", 400}, {"z", 7}}, {10, 9, 5})};
  const auto tree = classesOf(sizes);
  EXPECT_EQ(tree->test.factors, (std::vector<std::string>{"h", "w"}));
  EXPECT_EQ(tree->test.most, 40000);
  EXPECT_EQ(tree->test.product(), "h * w");
}

TEST(SizeClasses, OfTestsThatPartAlikeThatOfTheGridIsTaken) {
  const std::vector<TimedSize> sizes = {at({{"k", 100}, {"m", 100}, {"n", 100}}, {10, 5, 9}),
                                        at({{"k", 400}, {"m", 400}, {"n", 400}}, {10, 9, 5})};
  EXPECT_EQ(classesOf(sizes)->test.product(), "k * m * n");
  ClassOptions options;
  options.gridNames = {"m", "n"};
  EXPECT_EQ(classesOf(sizes, options)->test.product(), "m * n");
  options.gridNames = {"n", "pitch"};
  EXPECT_EQ(classesOf(sizes, options)->test.product(), "n");
}

TEST(SizeClasses, TheFeatureThatSeparatesIsFound) {
  std::vector<TimedSize> sizes;
  for (int64_t w : {64, 512, 4096})
    for (int64_t h : {64, 512, 4096})
      sizes.push_back(
          at({{"h", h}, {"w", w}}, w > 100 ? std::vector<double>{10, 9, 4} : std::vector<double>{10, 4, 12}));
  const auto tree = classesOf(sizes);
  ASSERT_EQ(tree->leaves(), 2u);
  EXPECT_EQ(tree->test.factors, std::vector<std::string>{"w"});
}

TEST(SizeClasses, TestsOfOneProductComeFromSmallToLarge) {
  std::vector<TimedSize> sizes;
  for (size_t i = 0; i < 3; ++i) {
    std::vector<double> times = {100, 90, 90, 90};
    times[i + 1] = 10;
    sizes.push_back(at({{"n", int64_t(10) << (4 * i)}}, times));
  }
  const auto tree = classesOf(sizes);
  ASSERT_EQ(tree->leaves(), 3u);
  EXPECT_TRUE(tree->small->isLeaf());
  EXPECT_LT(tree->test.most, tree->large->test.most);
  EXPECT_EQ(tree->sizes.size(), 3u);
  const auto sides = sidesOf(*tree, sizes);
  ASSERT_EQ(sides.size(), 2u);
  for (const TestSides& one : sides) {
    EXPECT_TRUE(one.test.holds(one.small));
    EXPECT_FALSE(one.test.holds(one.large));
    EXPECT_EQ(one.small.at("n") + 1, one.large.at("n"));
  }
}

TEST(SizeClasses, LeavesStayFew) {
  std::vector<TimedSize> sizes;
  for (size_t i = 0; i < 8; ++i) {
    std::vector<double> times(9, 90);
    times[0] = 100;
    times[i + 1] = 50.0 + static_cast<double>(i);
    sizes.push_back(at({{"n", int64_t(1) << (i + 4)}}, times));
  }
  EXPECT_LE(classesOf(sizes)->leaves(), 4u);
}

TEST(SizeSet, ListsAreCombinedAndTextsAdded) {
  const auto points = parseSizes({"w=256,1024; h=w", "w=8; h=1,2"});
  ASSERT_EQ(points.size(), 4u);
  EXPECT_EQ(points[1], (SizePoint{{"h", "w"}, {"w", "1024"}}));
  EXPECT_EQ(points[3], (SizePoint{{"h", "2"}, {"w", "8"}}));
}

TEST(SizeSet, RangesDouble) {
  const auto points = parseSizes({"n=100..900, 5000"});
  ASSERT_EQ(points.size(), 5u);
  EXPECT_EQ(points[3].at("n"), "800");
  EXPECT_EQ(points[4].at("n"), "5000");
}

TEST(SizeSet, WhatMakesNoSenseIsRefused) {
  for (const char* text : {"", "w", "w=", "=3", "w=1,,2", "w=1; w=2", "w=9..3", "w=a..b"})
    EXPECT_THROW(parseSizes({text}), Error) << text;
}

}  // namespace
}  // namespace hone::tune
