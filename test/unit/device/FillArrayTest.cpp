#include "device/FillArray.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>

namespace hone::device {

namespace {

template <class T> std::vector<T> filled(const ir::TypePtr& type, uint64_t count, const Fill& fill) {
  std::vector<T> out(count);
  fillElements(reinterpret_cast<uint8_t*>(out.data()), 0, count, typeLeaves(type, false), sizeof(T), fill);
  return out;
}

}  // namespace

TEST(FillArray, valuesAreTheSameHoweverLong) {
  Fill fill;
  std::vector<float> longer = filled<float>(ir::floatType(32), 1000, fill),
                     shorter = filled<float>(ir::floatType(32), 10, fill);
  EXPECT_TRUE(std::equal(shorter.begin(), shorter.end(), longer.begin()));
  EXPECT_TRUE(std::all_of(longer.begin(), longer.end(), [](float x) { return std::fabs(x) < 4; }));
  EXPECT_TRUE(std::any_of(longer.begin(), longer.end(), [](float x) { return x < 0; }));
  EXPECT_TRUE(std::any_of(longer.begin(), longer.end(), [](float x) { return x == 0; }));
  fill.positive = true;
  std::vector<float> positive = filled<float>(ir::floatType(32), 1000, fill);
  EXPECT_TRUE(std::all_of(positive.begin(), positive.end(), [](float x) { return x >= 0.25F; }));
  fill.seed = 2;
  EXPECT_NE(filled<float>(ir::floatType(32), 1000, fill), positive);
}

TEST(FillArray, bits) {
  Fill fill;
  fill.bits = true;
  uint32_t ones = 0, zeros = 0;
  for (const int x : filled<int>(ir::int32(), 1000, fill)) ones |= uint32_t(x), zeros |= ~uint32_t(x);
  EXPECT_EQ(ones, UINT32_MAX);
  EXPECT_EQ(zeros, UINT32_MAX);
  fill.positive = true;
  for (const int x : filled<int>(ir::int32(), 1000, fill)) EXPECT_GT(x, 0);
}

TEST(FillArray, subscripts) {
  Fill fill;
  fill.kind = FillKind::Range;
  fill.range = 37;
  for (int x : filled<int>(ir::int32(), 1000, fill)) EXPECT_TRUE(x >= 0 && x < 37);
  fill.kind = FillKind::Permutation;
  for (int64_t range : {1, 2, 64, 97, 1000}) {
    fill.range = range;
    std::vector<int> p = filled<int>(ir::int32(), static_cast<uint64_t>(range), fill);
    std::sort(p.begin(), p.end());
    for (int i = 0; i < range; ++i) EXPECT_EQ(p[static_cast<size_t>(i)], i);
  }
  fill.kind = FillKind::Offsets;
  fill.range = 0;
  std::vector<int> rows = filled<int>(ir::int32(), 1000, fill);
  EXPECT_TRUE(std::is_sorted(rows.begin(), rows.end()));
  EXPECT_LT(rows[0], 4);
  const std::vector<int64_t> longRows = filled<int64_t>(ir::int64(), 1000, fill);
  EXPECT_EQ(longRows, std::vector<int64_t>(rows.begin(), rows.end()));
  std::vector<uint64_t> natural = filled<uint64_t>(ir::intType(64, false), 1000, fill);
  EXPECT_EQ(natural, std::vector<uint64_t>(rows.begin(), rows.end()));
  // A narrow type ends at its largest number.
  std::vector<int8_t> narrow = filled<int8_t>(ir::intType(8, true), 100, fill);
  EXPECT_TRUE(std::is_sorted(narrow.begin(), narrow.end()));
  EXPECT_EQ(narrow.back(), 127);
  fill.range = 4;
  const std::vector<int> ends = filled<int>(ir::int32(), 1000, fill);
  for (size_t i = 0; i < ends.size(); ++i) EXPECT_EQ(ends[i], rows[i] + 4);
}

TEST(FillArray, everyTypeHoldsItsNumbers) {
  for (const ir::TypePtr& type :
       {ir::floatType(16), ir::floatType(32), ir::floatType(64), ir::bfloatType(), ir::intType(8, true),
        ir::intType(16, false), ir::int64(), ir::boolType()}) {
    uint8_t bytes[8] = {};
    storeNumber(bytes, *type, 1, 1);
    EXPECT_EQ(loadNumber(bytes, *type), 1) << ir::str(*type);
  }
  uint8_t bytes[8] = {};
  storeNumber(bytes, *ir::intType(16, true), -3, -3);
  EXPECT_EQ(loadNumber(bytes, *ir::intType(16, true)), -3);
  storeNumber(bytes, *ir::floatType(16), 0.333, 0);
  EXPECT_NEAR(loadNumber(bytes, *ir::floatType(16)), 0.333, 1e-3);
}

}  // namespace hone::device
