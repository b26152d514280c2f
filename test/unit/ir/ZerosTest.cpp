#include <gtest/gtest.h>

#include "ir/Compare.h"

namespace hone::ir {

namespace {

ExprPtr list(const TypePtr& type, std::vector<ExprPtr> parts) {
  return makeExpr(type, Construct{std::move(parts)});
}

}  // namespace

TEST(Compare, partsLeftOutOfAnArrayAreZero) {
  const TypePtr four = arrayType(floatType(32), 4);
  const ExprPtr zero = floatLit(0), one = floatLit(1);
  EXPECT_TRUE(equal(list(four, {}), list(four, {zero})));
  EXPECT_TRUE(equal(list(four, {one}), list(four, {one, zero, zero})));
  EXPECT_EQ(hash(list(four, {})), hash(list(four, {zero, zero})));
  EXPECT_FALSE(equal(list(four, {}), list(four, {one})));
  EXPECT_FALSE(equal(list(four, {zero, one}), list(four, {one})));
  EXPECT_FALSE(equal(list(four, {}), list(four, {floatLit(-0.0)})));
  // A vector made of one part has it in every lane.
  const TypePtr lanes = vectorType(floatType(32), 4);
  EXPECT_FALSE(equal(list(lanes, {one}), list(lanes, {one, zero, zero, zero})));
}

}  // namespace hone::ir
