#include "ir/Nearest.h"

#include <gtest/gtest.h>

namespace {

TEST(Nearest, FindsMisspellings) {
  std::vector<std::string> names = {"scale", "shift", "matmul", "ns::reduce"};
  EXPECT_EQ(hone::nearest("scael", names), "scale");
  EXPECT_EQ(hone::nearest("matmull", names), "matmul");
  EXPECT_EQ(hone::nearest("mat", names), "matmul");
  EXPECT_EQ(hone::nearest("reduce", names), "ns::reduce");
  EXPECT_EQ(hone::nearest("SHIFT", names), "shift");
  EXPECT_EQ(hone::nearest("convolution", names), "");
  EXPECT_EQ(hone::didYouMean("zzz", names), "");
  EXPECT_EQ(hone::didYouMean("scal", names), "; did you mean 'scale'?");
}

}  // namespace
