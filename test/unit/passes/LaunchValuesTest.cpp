#include "passes/sequence/LaunchValues.h"

#include <gtest/gtest.h>

#include "ir/Build.h"
#include "ir/Kernel.h"

namespace hone::passes {

using affine::Poly;
using namespace ir;

namespace {

const Poly low = Poly::atom(kLow), high = Poly::atom(kHigh), p = Poly::atom(kLowCount),
           q = Poly::atom(kHighCount);

VarPtr sizeNamed(const char* name, TypePtr type = int32()) {
  auto v = std::make_shared<Variable>();
  v->name = name;
  v->type = std::move(type);
  v->storage = Storage::Param;
  return v;
}

class StepArithmetic : public ::testing::Test {
 protected:
  // n = 8 * p * Q, a thread of a step whose groups have 4 threads side by side.
  ExprPtr n = ref(sizeNamed("n")), h = ref(sizeNamed("h"));
  ExprPtr id = convert(coord(CoordKind::ThreadIdx, 0), int32());
  LaunchSizes sizes{n, h, 1, 8};

  std::optional<Poly> valueOf(const ExprPtr& e) {
    LaunchValues values(sizes);
    values.thread = low + p * 3 + p * high * 4;
    const Result<Poly> value = values.of(e);
    return value ? std::optional(*value) : std::nullopt;
  }
};

}  // namespace

TEST(StepDigits, whatIsNeverNegative) {
  EXPECT_TRUE(isAtLeast0(low));
  EXPECT_TRUE(isAtLeast0(p - 1 - low));
  EXPECT_TRUE(isAtLeast0(p * q - 1 - low - p * high));
  EXPECT_TRUE(isAtLeast0(p * 2 - 1 - low - p));
  EXPECT_FALSE(isAtLeast0(p - 2));
  EXPECT_FALSE(isAtLeast0(p * 2 - 2 - low - p));
  EXPECT_FALSE(isAtLeast0(low - high));
  EXPECT_EQ(greatest(low + p * high * 4), p - 1 + p * (q - 1) * 4);
}

TEST(StepDigits, familiesThatAreAllNumbers) {
  // The four threads low + p * (w + 4 * high), and those at the top, low + p * (high + Q * w).
  std::vector<Poly> side, top;
  for (int w = 0; w < 4; ++w) {
    side.push_back(low + p * w + p * high * 4);
    top.push_back(low + p * high + p * q * w);
  }
  for (const auto& family : {familyOf(side, true), familyOf(top, true)}) {
    EXPECT_TRUE(family.isInjective);
    ASSERT_TRUE(family.end);
    EXPECT_TRUE(family.begin->isZero());
    EXPECT_EQ(*family.end, p * q * 4);
  }
  // Without the first one they begin later; without one in between they are not all.
  const DigitFamily later = familyOf({top.begin() + 1, top.end()}, true);
  EXPECT_EQ(later.begin, p * q);
  top.erase(top.begin() + 1);
  const DigitFamily some = familyOf(top, true);
  EXPECT_TRUE(some.isInjective);
  EXPECT_FALSE(some.end);
}

TEST(StepDigits, familiesWithNumbersTwice) {
  EXPECT_FALSE(familyOf({low + p * high, low + p * high}, true).isInjective);
  EXPECT_FALSE(familyOf({low + high, low + high + 1}, true).isInjective);  // digits overlap
  EXPECT_FALSE(familyOf({low, low + p}, true).isInjective);                // the same for every high
  EXPECT_FALSE(familyOf({high * 2, high * 2 + 2}, false).isInjective);     // 2 is the next one's
  EXPECT_TRUE(familyOf({high * 2, high * 2 + 1}, false).isInjective);
  EXPECT_FALSE(familyOf({low + p * high, low * 2 + p * high * 2}, true).isInjective);
}

TEST_F(StepArithmetic, followsDigits) {
  EXPECT_EQ(valueOf(remainder(id, times(h, intLit(2)))), low + p);
  EXPECT_EQ(valueOf(over(id, times(h, intLit(2)))), high * 2 + 1);
  EXPECT_EQ(valueOf(over(n, intLit(2))), p * q * 4);
  EXPECT_EQ(valueOf(plus(over(n, intLit(2)), id)), p * q * 4 + low + p * 3 + p * high * 4);
  EXPECT_FALSE(valueOf(over(n, intLit(3))));
  EXPECT_FALSE(valueOf(remainder(id, times(h, intLit(3)))));
  EXPECT_FALSE(valueOf(remainder(minus(id, n), h)));  // negative
  EXPECT_FALSE(valueOf(over(h, intLit(2))));
  sizes.share = 2;
  EXPECT_EQ(valueOf(over(h, intLit(2))), p);
}

TEST_F(StepArithmetic, saysWhatItReliesOn) {
  LaunchValues values(sizes);
  values.thread = low + p * high;
  EXPECT_EQ(*values.of(makeExpr(int32(), Binary{BinaryOp::BitAnd, id, minus(h, intLit(1))})), low);
  EXPECT_EQ(values.powersOfTwo.size(), 1u);
  values.limits.clear();
  const ExprPtr wide = coord(CoordKind::ThreadIdx, 0);
  EXPECT_TRUE(values.of(times(wide, intLit(2, uint32()))));
  ASSERT_EQ(values.limits.size(), 1u);
  EXPECT_EQ(values.limits[0].most, int64_t{UINT32_MAX});
  EXPECT_FALSE(values.of(minus(wide, intLit(1, uint32()))));
}

}  // namespace hone::passes
