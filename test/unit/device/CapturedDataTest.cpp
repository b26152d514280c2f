#include "device/CapturedData.h"

#include <gtest/gtest.h>

namespace hone::device {
namespace {

capture::CapturedLaunch launchWith(const std::vector<std::pair<uint64_t, std::vector<uint8_t>>>& pieces) {
  capture::CapturedLaunch launch;
  launch.pointers = {{0, 4096, 100, 8}, {8, 8192, 100, 0}};
  for (const auto& [from, bytes] : pieces)
    launch.contents.push_back(
        std::make_shared<capture::CapturedPiece>(capture::CapturedPiece{4096, from, bytes}));
  return launch;
}

// The array begins 8 bytes behind its allocation; the pointer asked for is of a launch like it, elsewhere.
std::vector<uint8_t> bytesOf(const capture::CapturedLaunch& launch, uint64_t elements, bool mustBeWhole) {
  return capturedBytes(capturedArray(launch, {0, 77, 100, 8}), elements, 4, mustBeWhole);
}

TEST(CapturedData, PiecesTogetherAreWhole) {
  const auto launch = launchWith({{14, {7, 8, 9, 10, 11, 12}}, {8, {1, 2, 3, 4, 5, 6}}});
  EXPECT_EQ(bytesOf(launch, 3, true), std::vector<uint8_t>({1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12}));
  EXPECT_EQ(bytesOf(launch, 2, true), std::vector<uint8_t>({1, 2, 3, 4, 5, 6, 7, 8}));
}

TEST(CapturedData, WhatIsMissingIsWhatIsThereOverAgain) {
  // The first two elements, and the fifth; a part of the fourth does not count.
  const auto launch = launchWith({{8, {1, 1, 1, 1, 2, 2, 2, 2}}, {22, {9, 9, 5, 5, 5, 5}}});
  EXPECT_TRUE(bytesOf(launch, 7, true).empty());
  EXPECT_EQ(bytesOf(launch, 7, false), std::vector<uint8_t>({1, 1, 1, 1, 2, 2, 2, 2, 1, 1, 1, 1, 2, 2,
                                                             2, 2, 5, 5, 5, 5, 5, 5, 5, 5, 1, 1, 1, 1}));
}

TEST(CapturedData, NothingIsNothing) {
  EXPECT_TRUE(bytesOf(launchWith({}), 4, false).empty());
  EXPECT_TRUE(bytesOf(launchWith({{0, {1, 2, 3}}}), 4, false).empty());
  EXPECT_TRUE(capturedArray(launchWith({{8, {1}}}), {8, 1, 100, 0}).pieces.empty());
}

TEST(CapturedData, VariablesHoldWhatWasCopiedBeforeTheLaunch) {
  capture::CaptureFile file;
  file.variables = {
      {"a", 0, 2, {1, 2}, 0}, {"a", 2, 2, {3, 4}, 0}, {"_ZL1a", 1, 1, {9}, 1}, {"b", 0, 4, {1}, 0}};
  EXPECT_EQ(capturedVariable(file, 0, "a", 4), std::vector<uint8_t>({1, 2, 3, 4}));
  EXPECT_EQ(capturedVariable(file, 1, "a", 4), std::vector<uint8_t>({1, 9, 3, 4}));
  EXPECT_TRUE(capturedVariable(file, 0, "a", 5).empty());  // the last byte is not known
  EXPECT_TRUE(capturedVariable(file, 0, "a", 3).empty());  // another variable than the captured one
  EXPECT_TRUE(capturedVariable(file, 0, "b", 4).empty());  // not all of it was kept
  EXPECT_TRUE(capturedVariable(file, 0, "c", 4).empty());
}

}  // namespace
}  // namespace hone::device
