#include "affine/Extremes.h"

#include <gtest/gtest.h>
#include <isl/aff.h>
#include <isl/set.h>

#include "affine/IslBudget.h"

namespace hone::affine {
namespace {

isl::set setOf(const IslBudget& budget, const char* text) {
  return isl::manage(isl_set_read_from_str(budget.ctx().get(), text));
}

isl::pw_aff functionOf(const IslBudget& budget, const char* text) {
  return isl::manage(isl_pw_aff_read_from_str(budget.ctx().get(), text));
}

bool isSame(const isl::pw_aff& a, const isl::pw_aff& b) {
  return isl_pw_aff_is_equal(a.get(), b.get()) == isl_bool_true;
}

// Parameters of all kinds of names, of which some are names of the memo's own; dimensions with names.
isl::set renamed(isl::set s, const std::vector<std::string>& names) {
  isl_set* out = s.release();
  for (unsigned i = 0; i < names.size(); ++i)
    out = isl_set_set_dim_id(out, isl_dim_param, i,
                             isl_id_alloc(isl_set_get_ctx(out), names[i].c_str(), nullptr));
  return isl::manage(out);
}

const char* const sets[] = {
    "[n, g] -> { [i] : 0 <= i < n and i < 32g and n <= 2147483647 }",
    "[n, g] -> { [i, j] : 0 <= i < n and 0 <= j <= i and j < g }",
    "[n, g] -> { [i] : exists (e : i = 4e + 1 and 0 <= e <= 255 and 4e < n) or (i = g and n < 0) }",
    "[n, g] -> { [i] : i = 3*floor(n/5) + (g mod 7) }",
    "[n, g] -> { [t] : 4*floor(t/4) < n - (n mod 4) and 0 <= t < 1024g }",
    "[n, g] -> { [i] : n < 0 and n > 0 and i = 0 }",
};

TEST(Extremes, AreThoseOfIslTheFirstTimeAndTheSecond) {
  for (const char* text : sets)
    for (int turn = 0; turn < 2; ++turn) {
      const IslBudget budget;
      const isl::set s = setOf(budget, text);
      const auto low = leastOf(s, 0), high = greatestOf(s, 0);
      ASSERT_TRUE(low && high) << text;
      EXPECT_TRUE(isSame(*low, isl::manage(isl_set_dim_min(s.copy(), 0)))) << text;
      EXPECT_TRUE(isSame(*high, isl::manage(isl_set_dim_max(s.copy(), 0)))) << text;
    }
}

TEST(Extremes, OfTheSameSetOfOtherParametersAreAskedOnce) {
  const IslBudget budget;
  const isl::set s = setOf(budget, sets[0]);
  ASSERT_TRUE(greatestOf(s, 0));
  const size_t kept = keptExtremes();
  for (const std::vector<std::string>& names :
       {std::vector<std::string>{"p1", "p0"}, {"a.b [x]", "and"}, {"g", "n"}, {"i0", "i1"}}) {
    const isl::set other = renamed(s, names);
    const auto high = greatestOf(other, 0);
    ASSERT_TRUE(high);
    EXPECT_TRUE(isSame(*high, isl::manage(isl_set_dim_max(other.copy(), 0)))) << names[0];
  }
  EXPECT_EQ(keptExtremes(), kept);
}

TEST(Extremes, OfOtherSetsDimensionsAndSidesAreApart) {
  const IslBudget budget;
  const isl::set s = setOf(budget, sets[1]);
  const auto a = greatestOf(s, 0), b = greatestOf(s, 1), c = leastOf(s, 1);
  ASSERT_TRUE(a && b && c);
  EXPECT_FALSE(isSame(*a, *b));
  EXPECT_FALSE(isSame(*b, *c));
}

TEST(Extremes, ThereAreNoneWithoutBound) {
  const IslBudget budget;
  const isl::set s = setOf(budget, "[n] -> { [i] : i >= n }");
  EXPECT_TRUE(leastOf(s, 0));
  EXPECT_FALSE(greatestOf(s, 0));
}

TEST(Extremes, TellMinimaFromMaximaAndFromNeither) {
  const IslBudget budget;
  auto choice = [&](const char* text) { return choiceOf(functionOf(budget, text)); };
  EXPECT_EQ(choice("[n, g] -> { [(n)] : n <= g; [(g)] : g < n }"), PieceChoice::Minimum);
  EXPECT_EQ(choice("[n, g] -> { [(n)] : n >= g; [(g)] : g > n }"), PieceChoice::Maximum);
  EXPECT_EQ(choice("[n, g] -> { [(n)] : n < 5; [(g)] : n >= 5 }"), PieceChoice::Neither);
  // A minimum of three, and nearly one.
  EXPECT_EQ(
      choice("[a, b, c] -> { [(a)] : a <= b and a <= c; [(b)] : b < a and b <= c; [(c)] : c < a and c < b }"),
      PieceChoice::Minimum);
  EXPECT_EQ(choice("[a, b, c] -> { [(a)] : a <= b and a <= c; [(b)] : b < a and b <= c + 1; [(c)] : c < a "
                   "and c < b - 1 }"),
            PieceChoice::Neither);
  // Over a tuple, as conditions on iterations are.
  EXPECT_EQ(choice("[n] -> { [i] -> [(i)] : i <= n; [i] -> [(n)] : i > n }"), PieceChoice::Minimum);
}

}  // namespace
}  // namespace hone::affine
