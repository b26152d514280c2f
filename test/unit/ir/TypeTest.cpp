#include "ir/ShortIr.h"

namespace hone::ir::test {

TEST(Type, promotesNarrowIntegersToInt) {
  EXPECT_EQ(str(*promoted(boolType())), "i32");
  EXPECT_EQ(str(*promoted(charType())), "i32");
  EXPECT_EQ(str(*promoted(intType(8, false))), "i32");
  EXPECT_EQ(str(*promoted(intType(16, false))), "i32");
  EXPECT_EQ(str(*promoted(uint32())), "u32");
  EXPECT_EQ(str(*promoted(uint64())), "u64");
  EXPECT_EQ(str(*promoted(floatType(16))), "f16");
}

TEST(Type, usualArithmeticConversions) {
  const std::vector<std::tuple<TypePtr, TypePtr, std::string>> table = {
      {charType(), charType(), "i32"},
      {boolType(), boolType(), "i32"},
      {intType(16, false), intType(8, true), "i32"},
      {int32(), uint32(), "u32"},
      {uint32(), int64(), "i64"},
      {int64(), uint64(), "u64"},
      {uint32(), uint64(), "u64"},
      {int32(), int32(), "i32"},
      {f32(), int64(), "f32"},
      {f32(), f64(), "f64"},
      {floatType(16), f32(), "f32"},
      {floatType(16), floatType(16), "f16"},
      {floatType(16), int32(), "f16"},
      {bfloatType(), bfloatType(), "bf16"},
      {bfloatType(), floatType(16), "f32"},
      {bfloatType(), f64(), "f64"},
      {vectorType(f32(), 4), f32(), "f32x4"},
      {int32(), vectorType(intType(8, false), 2), "u8x2"},
  };
  for (const auto& [a, b, expected] : table) {
    EXPECT_EQ(str(*usualArithmetic(a, b)), expected) << str(*a) << " with " << str(*b);
    EXPECT_EQ(str(*usualArithmetic(b, a)), expected) << str(*b) << " with " << str(*a);
  }
}

TEST(Type, sameTypeLeavesHintsAndQualifiersAside) {
  EXPECT_TRUE(sameType(withSpelling(uint32(), "uint"), uint32()));
  EXPECT_TRUE(sameType(pointerType(f32(), Space::Global, true, true, true), ptr(f32())));
  EXPECT_FALSE(sameType(ptr(f32(), Space::Shared), ptr(f32(), Space::Global)));
  EXPECT_FALSE(sameType(ptr(f32()), ptr(int32())));
  EXPECT_FALSE(sameType(arrayType(f32(), 4), arrayType(f32(), 5)));
  EXPECT_FALSE(sameType(charType(), intType(8, true)));
  EXPECT_FALSE(sameType(handleType("sampler_t"), handleType("image2d_t")));
}

TEST(Type, sizesFollowTheLanguage) {
  TypePtr three = vectorType(f32(), 3);
  EXPECT_EQ(sizeOf(*three), 12u);
  EXPECT_EQ(alignOf(*three), 4u);
  EXPECT_EQ(sizeOf(*three, true), 16u);
  EXPECT_EQ(alignOf(*three, true), 16u);
  EXPECT_EQ(alignOf(*vectorType(f64(), 4)), 16u);
  EXPECT_EQ(alignOf(*vectorType(f64(), 4), true), 32u);
  EXPECT_EQ(sizeOf(*arrayType(arrayType(f32(), 17), 16)), 16u * 17 * 4);
  EXPECT_EQ(sizeOf(*arrayType(f32(), -1)), 0u);
}

TEST(Type, printsShortNames) {
  EXPECT_EQ(str(*pointerType(f32(), Space::Global, true)), "ptr<global const f32>");
  EXPECT_EQ(str(*pointerType(int32(), Space::Generic, false, false, true)), "ptr<generic i32> restrict");
  EXPECT_EQ(str(*arrayType(arrayType(f32(), 17), 16)), "arr<16 x arr<17 x f32>>");
  EXPECT_EQ(str(*arrayType(f32(), -1)), "arr<? x f32>");
  EXPECT_EQ(str(*vectorType(intType(16, false), 8)), "u16x8");
}

}  // namespace hone::ir::test
