#include "device/ShrinkLaunch.h"

#include <gtest/gtest.h>

namespace hone::device {
namespace {

CapturedCase launched(std::map<std::string, int64_t> numbers, std::array<uint32_t, 3> grid,
                      std::array<uint32_t, 3> block) {
  CapturedCase out;
  for (const auto& [name, value] : numbers) out.numbers[name] = wholeNumber(value);
  out.grid = grid;
  out.block = block;
  return out;
}

CapturedCase smaller(const CapturedCase& launch, const SmallLaunch& most) {
  std::set<std::string> sizes;
  for (const auto& [name, value] : launch.numbers) sizes.insert(name);
  return smallerLaunch(launch, sizes, most);
}

int64_t number(const CapturedCase& c, const std::string& name) { return c.numbers.at(name).asWhole(); }

TEST(ShrinkLaunch, BlocksStillCoverTheSize) {
  const CapturedCase out =
      smaller(launched({{"n", 10'000'001}}, {39063, 1, 1}, {256, 1, 1}), {.threads = 4096});
  EXPECT_LE(out.grid[0], 16u);
  EXPECT_EQ(int64_t{out.grid[0]}, (number(out, "n") + 255) / 256);
  EXPECT_EQ(number(out, "n") % 2, 1);  // as odd as it was
}

TEST(ShrinkLaunch, ASmallLaunchStaysAsItIs) {
  const CapturedCase out = smaller(launched({{"n", 1000}}, {4, 1, 1}, {256, 1, 1}), {.threads = 4096});
  EXPECT_EQ(number(out, "n"), 1000);
  EXPECT_EQ(out.grid, (std::array<uint32_t, 3>{4, 1, 1}));
}

TEST(ShrinkLaunch, ProductsAndEqualNumbersStayWhatTheyAre) {
  // Words by heads by what a head has: 768 = 12 * 64, and a row of 768 for each of 8192 words.
  const CapturedCase out = smaller(
      launched(
          {{"words", 8192}, {"heads", 12}, {"head", 64}, {"hidden", 768}, {"all", 8192 * 768}, {"ld", 768}},
          {8192, 1, 1}, {192, 1, 1}),
      {.threads = 1 << 14});
  EXPECT_EQ(number(out, "hidden"), number(out, "heads") * number(out, "head"));
  EXPECT_EQ(number(out, "all"), number(out, "words") * number(out, "hidden"));
  EXPECT_EQ(number(out, "ld"), number(out, "hidden"));
  EXPECT_EQ(int64_t{out.grid[0]}, number(out, "words"));
  EXPECT_LE(out.grid[0] * 192u, 1u << 14);
}

TEST(ShrinkLaunch, TwoAxesShrinkByTheirOwnSizes) {
  const CapturedCase out =
      smaller(launched({{"w", 4096}, {"h", 2160}, {"pitch", 4098}}, {256, 135, 1}, {16, 16, 1}),
              {.threads = 1 << 14});
  EXPECT_EQ(int64_t{out.grid[0]}, (number(out, "w") + 15) / 16);
  EXPECT_EQ(int64_t{out.grid[1]}, (number(out, "h") + 15) / 16);
  EXPECT_EQ(number(out, "pitch"), number(out, "w") + 2);
}

TEST(ShrinkLaunch, BlocksThatFollowFromNothingAreLeftOut) {
  const CapturedCase out = smaller(launched({{"n", 77}}, {10000, 1, 1}, {128, 1, 1}), {.threads = 4096});
  EXPECT_EQ(number(out, "n"), 77);
  EXPECT_LE(out.grid[0], 32u);
}

TEST(ShrinkLaunch, SizesOfLoopsShrinkWhereTheyMust) {
  const CapturedCase out =
      smaller(launched({{"rows", 64}, {"k", 16384}}, {64, 1, 1}, {32, 1, 1}), {.threads = 8192, .size = 256});
  EXPECT_LE(number(out, "k"), 256);
  EXPECT_EQ(number(out, "rows"), 64);
}

TEST(ShrinkLaunch, HugeNumbersAreLeftAlone) {
  const CapturedCase out =
      smaller(launched({{"limit", INT64_MAX}, {"n", 1 << 30}}, {1 << 22, 1, 1}, {256, 1, 1}),
              {.threads = 4096, .size = 256});
  EXPECT_EQ(number(out, "limit"), INT64_MAX);
  EXPECT_LE(number(out, "n"), 4096);
}

}  // namespace
}  // namespace hone::device
