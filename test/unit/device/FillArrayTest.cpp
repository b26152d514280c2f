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

// The short way for rows of one scalar, against the one for any element.
TEST(FillArray, rowsOfScalars) {
  using worker::Scalar;
  unsigned rows = 0;
  for (const Scalar type : {Scalar::Bool, Scalar::I8, Scalar::U16, Scalar::I32, Scalar::U32, Scalar::I64,
                            Scalar::F16, Scalar::F32, Scalar::F64})
    for (const uint32_t perElement : {1u, 3u})
      for (unsigned how = 0; how < 64; ++how) {
        worker::Fill fill;
        fill.kind = how & 1 ? worker::FillKind::Range : worker::FillKind::Values;
        fill.range = how & 1 ? 100 : 0;
        fill.positive = how & 2, fill.fraction = how & 4, fill.nonZero = how & 8;
        fill.whole = how & 16, fill.bits = how & 32;
        const uint32_t bytes = worker::sizeOf(type);
        std::vector<worker::Leaf> leaves;
        for (uint32_t l = 0; l < perElement; ++l) leaves.push_back({type, l * bytes});
        ASSERT_TRUE(worker::isRowOfScalars(leaves, uint64_t(perElement) * bytes, fill));
        std::vector<uint8_t> a(600), b(600);
        const uint64_t from = uint64_t(bytes) * 7, to = from + 501;
        worker::fillBytes(a.data(), from, to, leaves, uint64_t(perElement) * bytes, fill);
        worker::fillScalars(b.data(), from, to, type, fill);
        ASSERT_EQ(a, b) << "scalar " << unsigned(type) << " how " << how;
        ++rows;
      }
  EXPECT_EQ(rows, 9u * 2 * 64);
  const worker::Leaf gap[] = {{Scalar::I32, 0}, {Scalar::I32, 8}},
                     mixed[] = {{Scalar::I32, 0}, {Scalar::F32, 4}};
  EXPECT_FALSE(worker::isRowOfScalars(gap, 8, {}));
  EXPECT_FALSE(worker::isRowOfScalars(mixed, 8, {}));
  EXPECT_FALSE(worker::isRowOfScalars(std::span(gap, 1), 4, {.kind = worker::FillKind::Offsets}));
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
