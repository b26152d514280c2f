#include "ir/Integers.h"

#include <limits>

#include "ir/ShortIr.h"

namespace hone::ir::test {

namespace {

using enum BinaryOp;
using Value = std::optional<int64_t>;

constexpr int64_t least32 = std::numeric_limits<int32_t>::min(),
                  least64 = std::numeric_limits<int64_t>::min();

Value result(BinaryOp op, int64_t a, int64_t b, const TypePtr& type, Overflow overflow = Overflow::Unknown) {
  return integerResult(op, a, b, *type, *(isComparison(op) ? boolType() : type), overflow);
}

TEST(Integers, wrapToTheirType) {
  EXPECT_EQ(wrapped(300, *intType(8, false)), 44);
  EXPECT_EQ(wrapped(200, *intType(8, true)), -56);
  EXPECT_EQ(wrapped(0xffffffff, *int32()), -1);
  EXPECT_EQ(wrapped(0xffffffff, *uint32()), 4294967295);
  EXPECT_EQ(wrapped(~uint64_t{0}, *uint64()), -1);
  EXPECT_EQ(wrapped(256, *boolType()), 1);
  EXPECT_TRUE(fits(-128, *intType(8, true)));
  EXPECT_FALSE(fits(128, *intType(8, true)));
  EXPECT_FALSE(fits(-1, *uint32()));
}

TEST(Integers, arithmeticInItsType) {
  EXPECT_EQ(result(Add, 4294967295, 1, uint32()), 0);
  EXPECT_EQ(result(Sub, 0, 1, uint32()), 4294967295);
  EXPECT_EQ(result(Mul, 65536, 65536, uint32()), 0);
  EXPECT_EQ(result(Div, -7, 2, int32()), -3);
  EXPECT_EQ(result(Rem, -7, 2, int32()), -1);
  EXPECT_EQ(result(Div, -1, 2, uint64()), std::numeric_limits<int64_t>::max());
  EXPECT_EQ(result(Lt, -1, 0, int64()), 1);
  EXPECT_EQ(result(Lt, -1, 0, uint64()), 0);
  EXPECT_EQ(result(Shr, -8, 1, int32()), -4);
  EXPECT_EQ(result(Shr, 4294967288, 1, uint32()), 2147483644);
  EXPECT_EQ(result(Shl, 1, 31, int32()), least32);
}

TEST(Integers, signedOverflowIsUnknownOrWraps) {
  EXPECT_EQ(result(Add, 2147483647, 1, int32()), Value());
  EXPECT_EQ(result(Add, 2147483647, 1, int32(), Overflow::Wraps), least32);
  EXPECT_EQ(result(Mul, least64, 2, int64()), Value());
  EXPECT_EQ(result(Mul, least64, 2, int64(), Overflow::Wraps), 0);
  EXPECT_EQ(integerResult(UnaryOp::Neg, least32, *int32(), *int32()), Value());
  EXPECT_EQ(integerResult(UnaryOp::Neg, least32, *int32(), *int32(), Overflow::Wraps), least32);
  EXPECT_EQ(integerResult(UnaryOp::Neg, 1, *uint32(), *uint32()), 4294967295);
}

// What machines do differently: one traps, another gives 0 or the number itself.
TEST(Integers, whatMachinesDecideIsUnknown) {
  for (const Overflow overflow : {Overflow::Unknown, Overflow::Wraps})
    for (const BinaryOp op : {Div, Rem}) {
      EXPECT_EQ(result(op, 1, 0, int32(), overflow), Value());
      EXPECT_EQ(result(op, 1, 0, uint32(), overflow), Value());
      EXPECT_EQ(result(op, least32, -1, int32(), overflow), Value());
      EXPECT_EQ(result(op, least64, -1, int64(), overflow), Value());
    }
  for (const BinaryOp op : {Shl, Shr}) {
    EXPECT_EQ(result(op, 1, 32, int32()), Value());
    EXPECT_EQ(result(op, 1, 64, uint64()), Value());
    EXPECT_EQ(result(op, 1, -1, int64()), Value());
    EXPECT_TRUE(result(op, 1, 31, int32()));
  }
}

TEST(Integers, ofNumbersWithFractions) {
  EXPECT_EQ(integerOf(-3.7, *int32()), -3);
  EXPECT_EQ(integerOf(2147483647.5, *int32()), 2147483647);
  EXPECT_EQ(integerOf(2147483648.0, *int32()), Value());
  EXPECT_EQ(integerOf(-2147483648.9, *int32()), least32);
  EXPECT_EQ(integerOf(-1.0, *uint32()), Value());
  EXPECT_EQ(integerOf(-0.9, *uint32()), 0);
  EXPECT_EQ(integerOf(0x1p63, *int64()), Value());
  EXPECT_EQ(integerOf(0x1p63, *uint64()), least64);
  EXPECT_EQ(integerOf(0x1p64, *uint64()), Value());
  EXPECT_EQ(integerOf(std::numeric_limits<double>::quiet_NaN(), *int32()), Value());
  EXPECT_EQ(integerOf(0.5, *boolType()), 1);
}

TEST(Integers, exactlyOrNotAtAll) {
  EXPECT_EQ(exactly(Shl, 3, 61), int64_t{3} << 61);
  EXPECT_EQ(exactly(Shl, 4, 61), Value());
  EXPECT_EQ(exactly(Shl, -1, 63), least64);
  EXPECT_EQ(exactly(Shl, 1, 64), Value());
  EXPECT_EQ(exactly(Shr, -9, 1), -5);
  EXPECT_EQ(exactly(Add, std::numeric_limits<int64_t>::max(), 1), Value());
  EXPECT_EQ(exactly(Div, least64, -1), Value());
}

TEST(Integers, expressionsWithKnownVariables) {
  const VarPtr n = local("n"), u = local("u", uint32());
  const KnownIntegers known = [&](const ExprPtr& e) -> Value {
    const auto* r = as<VarRef>(e);
    return r && r->var == n ? Value(-5) : r && r->var == u ? Value(3) : Value();
  };
  EXPECT_EQ(integerValue(add(ref(n), lit(2)), known), -3);
  EXPECT_EQ(integerValue(add(ref(n), ref(u)), known), 4294967294);  // in unsigned arithmetic
  EXPECT_EQ(integerValue(lt(ref(n), ref(u)), known), 0);
  EXPECT_EQ(integerValue(convert(ref(n), intType(8, false)), known), 251);
  EXPECT_EQ(integerValue(binary(Div, ref(u), lit(0)), known), Value());
  EXPECT_EQ(integerValue(add(ref(local("m")), lit(1)), known), Value());
  // What is known need not be a variable.
  const ExprPtr sum = add(ref(n), lit(1));
  EXPECT_EQ(integerValue(mul(sum, lit(2)), [&](const ExprPtr& e) { return e == sum ? Value(7) : Value(); }),
            14);
}

}  // namespace

}  // namespace hone::ir::test
