#include "cli/nvcc/BuildBudget.h"

#include <gtest/gtest.h>

#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "cli/nvcc/NvccPace.h"

namespace hone::cli {
namespace {

namespace fs = std::filesystem;

TEST(BuildBudget, GrowsWithTextStatementsAndArchitectures) {
  const double small = estimatedNvccSeconds({1000, 10, 1, 0.1});
  EXPECT_GT(estimatedNvccSeconds({5000000, 10, 1, 0.1}), 1.5 * small);
  EXPECT_GT(estimatedNvccSeconds({1000, 1000, 1, 0.1}), 2 * small);
  EXPECT_GT(estimatedNvccSeconds({1000, 10, 9, 0.1}), 3 * small);
  EXPECT_GT(estimatedNvccSeconds({1000, 10, 1, 10}), 10);
  EXPECT_EQ(estimatedNvccSeconds({1000, 10, 0, 0.1}), small);
}

TEST(BuildBudget, LeavesRoomForReadingAgain) {
  EXPECT_LE(endOfRunsInBuild(10, 1) + 1, 20);
  EXPECT_GT(endOfRunsInBuild(10, 1), 10);
}

class NvccPaceTest : public ::testing::Test {
 protected:
  void SetUp() override { fs::create_directories(folder); }
  void TearDown() override { fs::remove_all(folder); }

  const std::string folder =
      (fs::temp_directory_path() / ("hone-pace-" + std::to_string(::getpid()))).string();
};

TEST_F(NvccPaceTest, KeepsWhatBuildsTookBeside) {
  EXPECT_EQ(NvccPace(folder).times(), 1);
  NvccPace(folder).learn(3, 1.5);
  EXPECT_NEAR(NvccPace(folder).times(), 2, 0.01);
  NvccPace(folder).learn(4, 1);
  EXPECT_GT(NvccPace(folder).times(), 2.1);
  EXPECT_LT(NvccPace(folder).times(), 3);
}

TEST_F(NvccPaceTest, OneBuildSaysOnlySoMuch) {
  NvccPace(folder).learn(1000, 1);
  EXPECT_LE(NvccPace(folder).times(), 4);
  NvccPace(folder).learn(0, 1);
  NvccPace(folder).learn(1, 0);
  EXPECT_LE(NvccPace(folder).times(), 4);
}

TEST_F(NvccPaceTest, WhatIsDamagedOrCannotBeKeptIsNothing) {
  std::ofstream(folder + "/pace") << "garbage";
  EXPECT_EQ(NvccPace(folder).times(), 1);
  std::ofstream(folder + "/pace") << "1e9";
  EXPECT_EQ(NvccPace(folder).times(), 1);
  NvccPace("/nonexistent/folder").learn(2, 1);
  EXPECT_EQ(NvccPace("/nonexistent/folder").times(), 1);
}

}  // namespace
}  // namespace hone::cli
