#include "target/Occupancy.h"

#include <gtest/gtest.h>

using namespace hone::target;

namespace {

Occupancy of(const char* name, unsigned threads, unsigned registers, unsigned shared) {
  static const std::vector<Target> all = loadTargets(std::string(HONE_TEST_DIR) + "/../targets");
  return occupancyOf(findTarget(all, name), {threads, registers, shared});
}

TEST(Occupancy, EachLimitIsNamed) {
  EXPECT_EQ(of("h200", 256, 16, 0).blocks, 8u);
  EXPECT_EQ(of("h200", 256, 16, 0).limiter, "threads");
  EXPECT_DOUBLE_EQ(of("h200", 256, 16, 0).share, 1.0);
  EXPECT_EQ(of("h200", 32, 16, 0).blocks, 32u);
  EXPECT_EQ(of("h200", 32, 16, 0).limiter, "blocks");
  EXPECT_EQ(of("h200", 256, 64, 0).blocks, 4u);
  EXPECT_EQ(of("h200", 256, 64, 0).limiter, "registers");
  EXPECT_EQ(of("h200", 256, 33, 0).blocks, 6u);  // 33 registers cost 40 a lane
  EXPECT_EQ(of("h200", 128, 32, 48 * 1024).blocks, 4u);
  EXPECT_EQ(of("h200", 128, 32, 48 * 1024).limiter, "shared memory");
  EXPECT_EQ(of("h200", 128, 32, 227 * 1024).blocks, 1u);
  EXPECT_EQ(of("h200", 128, 32, 228 * 1024).blocks, 0u);
  EXPECT_EQ(of("h200", 2048, 32, 0).blocks, 0u);
}

TEST(Occupancy, OldMachinesHoldLess) {
  EXPECT_EQ(of("gtx8800", 256, 10, 0).blocks, 3u);
  EXPECT_EQ(of("gtx280", 256, 10, 0).blocks, 4u);
  EXPECT_EQ(of("gtx280", 256, 32, 0).blocks, 2u);
  EXPECT_EQ(of("gtx480-16k", 64, 20, 8 * 1024).blocks, 2u);
  EXPECT_EQ(of("gtx480-48k", 64, 20, 8 * 1024).blocks, 6u);
}

}  // namespace
