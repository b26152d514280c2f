// Tests before a launch that may outgrow 64 bits, and the bounds that keep them from it.
#include "ir/Overflow.h"

#include <gtest/gtest.h>

#include "ir/Build.h"
#include "ir/Compare.h"
#include "ir/PlanWalk.h"
#include "ir/SafeTests.h"
#include "ir/ShortIr.h"

namespace hone::ir::test {
namespace {

ExprPtr wide(const VarPtr& var) { return convert(ref(var), int64()); }
ExprPtr threads() {
  return times(convert(coord(CoordKind::GridDim, 0), int64()),
               convert(coord(CoordKind::BlockDim, 0), int64()));
}
ExprPtr atMost(ExprPtr a, ExprPtr b) { return binary(BinaryOp::Le, std::move(a), std::move(b)); }
std::string text(const ExprPtr& e) { return dump(e); }

TEST(Overflow, SizesOf32BitsNeedNoBounds) {
  const VarPtr n = param("n"), m = param("m");
  const ExprPtr test = atMost(times(wide(n), wide(m)), threads());
  EXPECT_FALSE(mayOverflow(test));
  EXPECT_TRUE(equal(withoutOverflow(test), test));
}

TEST(Overflow, ProductsOfUnsignedNumbersDo) {
  const VarPtr n = param("n", uint32()), m = param("m", uint32());
  const ExprPtr test = atMost(times(wide(n), wide(m)), threads());
  EXPECT_TRUE(mayOverflow(test));
  const ExprPtr safe = withoutOverflow(test);
  EXPECT_FALSE(mayOverflow(safe));
  const auto parts = conjuncts(safe);
  ASSERT_EQ(parts.size(), 3u);
  EXPECT_TRUE(equal(parts[0], atMost(ref(n), named(2147483648, {RoleKind::Limit}, uint32()))))
      << text(parts[0]);
  EXPECT_TRUE(equal(parts[2], test));
  EXPECT_TRUE(equal(withoutOverflow(safe), safe)) << "bounds are put before a test once";
}

TEST(Overflow, LargeUnsignedNumbersAreComparedAsWhatTheyAre) {
  const VarPtr n = param("n", uint64());
  const ExprPtr safe = withoutOverflow(atMost(wide(n), threads()));
  EXPECT_FALSE(mayOverflow(safe));
  const auto* compared = as<Binary>(safe);
  ASSERT_TRUE(compared) << text(safe);
  EXPECT_TRUE(sameType(compared->lhs->type, uint64())) << text(safe);
  EXPECT_TRUE(equal(compared->lhs, ref(n)));
}

TEST(Overflow, SignedNumbersAreBoundedOnBothSides) {
  const VarPtr n = param("n", int64()), m = param("m", int64());
  const ExprPtr test = atMost(plus(ref(n), ref(m)), threads());
  EXPECT_TRUE(mayOverflow(test));
  const auto parts = conjuncts(withoutOverflow(test));
  ASSERT_EQ(parts.size(), 5u);
  EXPECT_TRUE(equal(parts.back(), test));
  // One alone is not added to anything.
  EXPECT_FALSE(mayOverflow(atMost(ref(n), threads())));
  EXPECT_TRUE(mayOverflow(atMost(unary(UnaryOp::Neg, ref(n)), threads())));
}

TEST(Overflow, OtherTestsAreTakenIntoAccount) {
  const VarPtr n = param("n", int64());
  const ExprPtr bounds =
      andAlso(binary(BinaryOp::Ge, ref(n), intLit(0, int64())), atMost(ref(n), intLit(1000, int64())));
  const ExprPtr test = atMost(times(ref(n), ref(n)), threads());
  EXPECT_TRUE(mayOverflow(test));
  EXPECT_FALSE(mayOverflow(andAlso(bounds, test)));
  EXPECT_FALSE(mayOverflow(andAlso(test, bounds))) << "all of it holds where any of it counts";
}

TEST(Overflow, QuotientsAreSmallerThanWhatIsDivided) {
  const VarPtr n = param("n");
  const ExprPtr half = over(wide(n), intLit(2, int64()));
  const ExprPtr rest = remainder(wide(n), intLit(7, int64()));
  EXPECT_FALSE(mayOverflow(atMost(unary(UnaryOp::Neg, half), threads())));
  EXPECT_FALSE(mayOverflow(atMost(unary(UnaryOp::Neg, rest), threads())));
}

TEST(Overflow, WhatALaunchCoversIsBoundedByIt) {
  const VarPtr n = param("n", int64()), m = param("m", int64());
  const ExprPtr covered = andAlso(atMost(ref(n), threads()), atMost(threads(), intLit(1 << 30, int64())));
  const ExprPtr positive = binary(BinaryOp::Ge, ref(n), intLit(0, int64()));
  const ExprPtr square = atMost(times(ref(n), ref(n)), intLit(100, int64()));
  EXPECT_FALSE(mayOverflow(andAlso(andAlso(covered, positive), square)));
  EXPECT_TRUE(
      mayOverflow(andAlso(andAlso(covered, positive), atMost(times(ref(n), ref(m)), intLit(5, int64())))));
}

TEST(Overflow, AddressesMustStayInTheAddressSpace) {
  const VarPtr a = param("a", ptr(f32())), b = param("b", ptr(f32())), n = param("n", int64());
  const ExprPtr end = makeExpr(a->type, AddressOf{makeExpr(f32(), Subscript{ref(a), {ref(n)}})});
  const ExprPtr apart = makeExpr(boolType(), Binary{BinaryOp::Le, end, ref(b)});
  EXPECT_TRUE(mayOverflow(apart));
  EXPECT_FALSE(mayOverflow(withoutOverflow(apart)));
  const VarPtr small = param("small");
  const ExprPtr near = makeExpr(a->type, AddressOf{makeExpr(f32(), Subscript{ref(a), {wide(small)}})});
  EXPECT_FALSE(mayOverflow(makeExpr(boolType(), Binary{BinaryOp::Le, near, ref(b)})));
}

TEST(Overflow, ChoicesWithoutAnElseStayAsTheyAre) {
  auto kernel = std::make_shared<Kernel>();
  kernel->name = "k";
  kernel->body = block({});
  const VarPtr n = param("n", uint32());
  kernel->params = {n};
  const ExprPtr test = atMost(times(times(wide(n), wide(n)), wide(n)), threads());
  const PlanPtr fast = originalPlan(kernel), nothing = planOf(kernel, {});
  const PlanPtr one = withSafeTests(planOf(kernel, {ChoiceStep{test, fast, nothing}}));
  EXPECT_TRUE(equal(std::get<ChoiceStep>(one->steps[0]).cond, test));
  const PlanPtr two = withSafeTests(planOf(kernel, {ChoiceStep{test, fast, fast}}));
  EXPECT_FALSE(mayOverflow(std::get<ChoiceStep>(two->steps[0]).cond));
}

TEST(Overflow, KernelsWithSignedArithmeticOnAParameter) {
  const VarPtr n = param("n"), i = local("i", uint32()), k = local("k");
  auto kernel = std::make_shared<Kernel>();
  kernel->params = {n};
  kernel->body = block({ifThen(binary(BinaryOp::Lt, ref(i), convert(ref(n), uint32())), {})});
  EXPECT_FALSE(mayOverflowAt(*kernel, {{"n", INT32_MAX}}));
  kernel->body = block({declare(k, ref(n)), declare(local("m"), times(ref(k), intLit(8)))});
  EXPECT_TRUE(mayOverflowAt(*kernel, {{"n", INT32_MAX}})) << "by way of k";
  kernel->body = block({declare(k, plus(ref(n), intLit(1)))});
  EXPECT_TRUE(mayOverflowAt(*kernel, {{"n", INT32_MAX}}));
  EXPECT_FALSE(mayOverflowAt(*kernel, {{"n", -1}}));
}

}  // namespace
}  // namespace hone::ir::test
