#include "cli/inputs/CaptureMachine.h"

#include <gtest/gtest.h>

namespace hone::cli {
namespace {

bool isOf(const std::string& device, const std::string& name) {
  target::Target target;
  target.name = name;
  return isNamed(device, target);
}

TEST(CaptureMachine, DevicesGoByTheirTargetsNames) {
  EXPECT_TRUE(isOf("NVIDIA H200", "h200"));
  EXPECT_TRUE(isOf("h200", "h200"));
  EXPECT_TRUE(isOf("NVIDIA A100-SXM4-80GB", "a100"));
  EXPECT_TRUE(isOf("NVIDIA GeForce RTX 4090", "rtx4090"));
  EXPECT_TRUE(isOf("gtx480-16k", "gtx480-16k"));
  EXPECT_FALSE(isOf("NVIDIA L40S", "l4"));
  EXPECT_FALSE(isOf("NVIDIA H200", "h100"));
  EXPECT_FALSE(isOf("pthread-skylake", "h200"));
}

}  // namespace
}  // namespace hone::cli
