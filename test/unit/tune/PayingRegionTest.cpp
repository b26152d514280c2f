#include "tune/PayingRegion.h"

#include <gtest/gtest.h>

namespace hone::tune {
namespace {

bool isInside(const PayingRegion& region, const std::map<std::string, int64_t>& sizes) {
  for (const SizeBound& bound : region.bounds)
    if (!bound.holds(sizes)) return false;
  return !region.isNone;
}

TEST(PayingRegion, WhatNeverLosesIsTakenEverywhere) {
  const PayingRegion region = payingRegion({{{{"n", 100}}, 2}, {{{"n", 1000}}, 3}}, {"n"});
  EXPECT_FALSE(region.isNone);
  EXPECT_TRUE(region.bounds.empty());
}

TEST(PayingRegion, WhatLosesWhereItWasChosenIsTakenNowhere) {
  EXPECT_TRUE(payingRegion({{{{"n", 100}}, 0.9}, {{{"n", 1000}}, 3}}, {"n"}).isNone);
}

// Few outputs with long sums: what splits the sums must be kept from many outputs and from short sums, also
// together, where nothing was estimated.
TEST(PayingRegion, TwoBoundsCutOffACorner) {
  const std::vector<GainAt> known = {
      {{{"rows", 2048}, {"terms", 512}}, 13},     {{{"rows", 256}, {"terms", 512}}, 20},
      {{{"rows", 2048}, {"terms", 1}}, 0.1},      {{{"rows", 2048}, {"terms", 4096}}, 15},
      {{{"rows", 2097152}, {"terms", 512}}, 0.3}, {{{"rows", 2097152}, {"terms", 4096}}, 0.4},
      {{{"rows", 65536}, {"terms", 512}}, 0.5}};
  const PayingRegion region = payingRegion(known, {"rows"});
  ASSERT_EQ(region.bounds.size(), 2u);
  for (const GainAt& one : known) EXPECT_EQ(isInside(region, one.sizes), one.gain > 1);
  EXPECT_FALSE(isInside(region, {{"rows", 100000}, {"terms", 4096}}));
  EXPECT_FALSE(isInside(region, {{"rows", 65536}, {"terms", 1}}));
}

TEST(PayingRegion, ABoundLiesWhereTheGainIsGoneOrNearer) {
  const PayingRegion region = payingRegion({{{{"n", 1000}}, 1.1}, {{{"n", 1000000}}, 0.125}}, {"n"});
  ASSERT_EQ(region.bounds.size(), 1u);
  EXPECT_TRUE(region.bounds[0].isSmall);
  EXPECT_GE(region.bounds[0].test.most, 1000);
  EXPECT_LT(region.bounds[0].test.most, 2000) << "most of the way the variant would lose";
}

// As many elements in another shape: a product that is the same but for rounding tells nothing.
TEST(PayingRegion, ShapesAreNotToldApartByTheirProduct) {
  const std::vector<GainAt> known = {{{{"h", 512}, {"w", 1024}}, 2}, {{{"h", 3}, {"w", 174080}}, 0.6}};
  const PayingRegion region = payingRegion(known, {"h", "w"});
  ASSERT_FALSE(region.isNone);
  EXPECT_FALSE(isInside(region, {{"h", 3}, {"w", 400000}}));
}

TEST(PayingRegion, ProductsThatDoNotFitAreNotAskedFor) {
  const auto all = [](int64_t value) {
    return std::map<std::string, int64_t>{{"a", value}, {"b", value}, {"c", value}, {"d", value}};
  };
  const PayingRegion region = payingRegion({{all(1 << 10), 2}, {all(1 << 20), 0.5}}, {"a", "b", "c", "d"});
  ASSERT_EQ(region.bounds.size(), 1u);
  EXPECT_LT(region.bounds[0].test.factors.size(), 4u);
  EXPECT_GT(region.bounds[0].test.most, 0);
}

}  // namespace
}  // namespace hone::tune
