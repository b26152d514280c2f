#include "passes/sequence/MemberLoops.h"

#include <gtest/gtest.h>

#include "ir/Build.h"

namespace hone::passes {
namespace {

using affine::Poly;

ByMember numbers(size_t count, const std::function<int64_t(int64_t)>& of) {
  ByMember out;
  for (size_t m = 0; m < count; ++m) out.push_back(of(int64_t(m)));
  return out;
}

using Counts = std::vector<int64_t>;

TEST(MemberLoops, OneDigitWhereAllIsLinear) {
  const auto digits = memberDigits(16, {numbers(16, [](int64_t m) { return 4 * m + 3; })});
  ASSERT_TRUE(digits);
  EXPECT_EQ(digits->counts, Counts{16});
  EXPECT_EQ(digits->fitted(numbers(16, [](int64_t m) { return 4 * m + 3; })),
            Poly::atom(MemberDigits::atom(0), 4) + 3);
}

TEST(MemberLoops, SplitsAtWhatWraps) {
  // k + 8 * h with k = m % 4 and h = m / 4, beside something linear.
  const auto slots = numbers(16, [](int64_t m) { return m % 4 + 8 * (m / 4); });
  const auto digits = memberDigits(16, {numbers(16, [](int64_t m) { return 2 * m; }), slots});
  ASSERT_TRUE(digits);
  EXPECT_EQ(digits->counts, (Counts{4, 4}));
  EXPECT_EQ(digits->fitted(slots), Poly::atom(MemberDigits::atom(0)) + Poly::atom(MemberDigits::atom(1), 8));
}

TEST(MemberLoops, TriesPrimesInEveryOrder) {
  EXPECT_EQ(memberDigits(6, {numbers(6, [](int64_t m) { return m % 3 + 5 * (m / 3); })})->counts,
            (Counts{3, 2}));
  EXPECT_EQ(memberDigits(6, {numbers(6, [](int64_t m) { return m % 2 + 5 * (m / 2); })})->counts,
            (Counts{2, 3}));
}

TEST(MemberLoops, RefusesWhatIsNoSumOfDigits) {
  EXPECT_FALSE(memberDigits(4, {numbers(4, [](int64_t m) { return m * m; })}));
  EXPECT_FALSE(memberDigits(3, {numbers(3, [](int64_t m) { return m == 2; })}));
  // Each of them has digits, but not the same.
  EXPECT_FALSE(memberDigits(
      6, {numbers(6, [](int64_t m) { return m % 3; }), numbers(6, [](int64_t m) { return m % 2; })}));
}

TEST(MemberLoops, OneMemberHasNoDigits) {
  const auto digits = memberDigits(1, {{Poly(7)}});
  ASSERT_TRUE(digits);
  EXPECT_TRUE(digits->counts.empty());
  EXPECT_EQ(digits->fitted({Poly(7)}), Poly(7));
  EXPECT_TRUE(memberDigits(1, {})->counts.empty());
}

}  // namespace
}  // namespace hone::passes
