#include "device/EvaluateExpr.h"

#include <gtest/gtest.h>

#include <limits>

namespace hone::device {

namespace {

using namespace ir;
using enum BinaryOp;

std::optional<int64_t> whole(const ExprPtr& e) {
  const auto value = evaluate(e, {});
  return value && !value->isReal ? std::optional(value->whole) : std::nullopt;
}

TEST(EvaluateExpr, integersOfTheirTypes) {
  EXPECT_EQ(whole(binary(Add, intLit(2147483647), intLit(1))), std::numeric_limits<int32_t>::min());
  EXPECT_EQ(whole(binary(Sub, intLit(0, uint32()), intLit(1, uint32()))), 4294967295);
  EXPECT_EQ(whole(binary(Lt, intLit(-1), intLit(1, uint32()))), 0);
  EXPECT_EQ(whole(convert(intLit(300), intType(8, false))), 44);
}

// Hosts differ in them: a plan must not depend on what this one does.
TEST(EvaluateExpr, whatMachinesDecideHasNoValue) {
  const ExprPtr least = intLit(std::numeric_limits<int32_t>::min());
  EXPECT_EQ(whole(binary(Div, intLit(1), intLit(0))), std::nullopt);
  EXPECT_EQ(whole(binary(Div, least, intLit(-1))), std::nullopt);
  EXPECT_EQ(whole(binary(Rem, least, intLit(-1))), std::nullopt);
  EXPECT_EQ(whole(binary(Shl, intLit(1), intLit(40))), std::nullopt);
  EXPECT_EQ(whole(binary(Shr, intLit(-1), intLit(32))), std::nullopt);
  EXPECT_EQ(whole(convert(floatLit(1e10), int32())), std::nullopt);
  EXPECT_EQ(whole(convert(floatLit(-1), uint32())), std::nullopt);
  EXPECT_EQ(whole(convert(floatLit(-3.5), int32())), -3);
}

}  // namespace

}  // namespace hone::device
