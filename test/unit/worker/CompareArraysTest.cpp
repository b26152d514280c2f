#include "worker/CompareArrays.h"

#include <gtest/gtest.h>

#include <cstring>
#include <limits>

namespace hone::worker {

namespace {

std::vector<uint8_t> bytesOf(const std::vector<double>& values) {
  std::vector<uint8_t> out(values.size() * sizeof(double));
  std::memcpy(out.data(), values.data(), out.size());
  return out;
}

ArrayComparison compared(const std::vector<double>& initial, const std::vector<double>& a,
                         const std::vector<double>& b) {
  const std::vector<Leaf> leaves = {{Scalar::F64, 0}};
  return compareArrays({a.size(), sizeof(double), leaves}, bytesOf(initial), bytesOf(a), bytesOf(b),
                       {true, 100, false});
}

}  // namespace

// Elements that nobody writes hold what marks them, a number of any size: it must not excuse differences of
// the others.
TEST(CompareArrays, whatWasNotWrittenExcusesNothing) {
  const double mark = -1e66;
  EXPECT_TRUE(compared({mark, mark, mark}, {mark, 2, 3}, {mark, 2.5, 3}).difference);
  EXPECT_FALSE(compared({mark, mark, mark}, {mark, 2, 3}, {mark, 2 + 1e-15, 3}).difference);
}

// A sum that cancels is off by as much as its terms let it be, which are as large as other results.
TEST(CompareArrays, resultsExcuseEachOther) {
  EXPECT_FALSE(compared({0, 0}, {1000, 1e-3}, {1000, 1e-3 + 1e-12}).difference);
  EXPECT_TRUE(compared({0, 0}, {1, 1e-3}, {1, 1e-3 + 1e-6}).difference);
}

TEST(CompareArrays, oneHugeResultExcusesNothing) {
  std::vector<double> initial(40, 0), a(40, 3), b(40, 3);
  a[0] = b[0] = 1e20;
  EXPECT_FALSE(compared(initial, a, b).difference);
  b[20] = 3.01;
  EXPECT_TRUE(compared(initial, a, b).difference);
}

TEST(CompareArrays, infinityIsNoNumber) {
  const double infinity = std::numeric_limits<double>::infinity();
  EXPECT_TRUE(compared({0, 0}, {infinity, 1}, {1, 1}).difference);
  EXPECT_TRUE(compared({0, 0}, {1, 1}, {infinity, 1}).difference);
  EXPECT_TRUE(compared({0, 0}, {infinity, 1}, {-infinity, 1}).difference);
  EXPECT_FALSE(compared({0, 0}, {infinity, 1}, {infinity, 1}).difference);
}

TEST(CompareArrays, longNumbersAreShownWhole) {
  const std::vector<int64_t> before = {0}, left = {9007199254740993}, right = {9007199254740992};
  const auto bytes = [](const std::vector<int64_t>& v) {
    return std::span(reinterpret_cast<const uint8_t*>(v.data()), v.size() * sizeof(int64_t));
  };
  const std::vector<Leaf> leaves = {{Scalar::I64, 0}};
  const ArrayComparison one =
      compareArrays({1, sizeof(int64_t), leaves}, bytes(before), bytes(left), bytes(right), {});
  ASSERT_TRUE(one.difference);
  EXPECT_EQ(one.difference->message, "9007199254740993 and 9007199254740992");
}

}  // namespace hone::worker
