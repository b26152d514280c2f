#include "affine/Poly.h"

#include <gtest/gtest.h>

#include "affine/Cond.h"

namespace hone::affine {
namespace {

const Poly x = Poly::atom(0), y = Poly::atom(1), z = Poly::atom(2);

TEST(Poly, SumsAndProductsAreInOneForm) {
  EXPECT_EQ((x + y) * (x - y), x * x - y * y);
  EXPECT_EQ((x + 1) * 4 - 4, x * 4);
  EXPECT_TRUE((x * y - y * x).isZero());
  EXPECT_EQ(x - x, Poly(0));
  Poly p = x;
  p += p;
  EXPECT_EQ(p, x * 2);
  p -= p;
  EXPECT_TRUE(p.isZero());
}

TEST(Poly, KnowsItsParts) {
  const Poly p = x * y * 3 + x * 2 + z - 7;
  EXPECT_EQ(p.coefficient(0), y * 3 + 2);
  EXPECT_EQ(p.coefficient(2), Poly(1));
  EXPECT_EQ(p.without(0), z - 7);
  EXPECT_EQ(p.constantPart(), -7);
  EXPECT_FALSE(p.constant());
  EXPECT_EQ(Poly(5).constant(), 5);
  EXPECT_EQ(Poly().constant(), 0);
  EXPECT_EQ(p.degree(), 2u);
  EXPECT_TRUE(p.mentions(1));
  EXPECT_FALSE(p.mentions(3));
  EXPECT_EQ(p.atoms(), (std::vector<AtomId>{0, 1, 2}));
  EXPECT_EQ((x * x * 5 + x).coefficient(0), x * 5 + 1);  // a higher power counts by what is left
}

TEST(Poly, ContentAndExactQuotients) {
  const Poly p = x * 12 - y * 8 + 20;
  EXPECT_EQ(p.content(), 4);
  EXPECT_EQ(Poly().content(), 0);
  EXPECT_TRUE(p.isDivisible(-2));
  EXPECT_FALSE(p.isDivisible(8));
  EXPECT_FALSE(p.isDivisible(0));
  EXPECT_EQ(p.dividedExactly(4), x * 3 - y * 2 + 5);
  EXPECT_EQ(p.dividedExactly(-1), -p);
}

TEST(Poly, NumbersPast64BitsThrow) {
  EXPECT_THROW(Poly(INT64_MAX) + 1, TooLarge);
  EXPECT_THROW(x * INT64_MAX * 2, TooLarge);
  EXPECT_THROW(-Poly(INT64_MIN), TooLarge);
}

TEST(Poly, QuotientsRoundDown) {
  EXPECT_EQ(floorDiv(-1, 4), -1);
  EXPECT_EQ(floorDiv(-4, 4), -1);
  EXPECT_EQ(floorDiv(7, 4), 1);
  EXPECT_EQ(floorMod(-1, 4), 3);
}

TEST(Cond, FoldsWhatIsKnown) {
  EXPECT_EQ(atLeast0(3)->kind, CondKind::True);
  EXPECT_EQ(atLeast0(-1)->kind, CondKind::False);
  EXPECT_EQ(isZero(x * 2 + 1)->kind, CondKind::False);  // an even number is not odd
  EXPECT_EQ(isNotZero(x * 2 + 1)->kind, CondKind::True);
  EXPECT_EQ(atLeast0(x * 4 - 3)->value, x - 1);  // over the integers
  EXPECT_TRUE(sameCond(isZero(x - y), isZero(y - x)));
}

TEST(Cond, JoinsAreFlatAndShort) {
  const CondPtr a = atLeast0(x), b = atLeast0(y), c = atLeast0(z);
  const CondPtr all = allOf({a, both(b, c), always(), a});
  ASSERT_EQ(all->kind, CondKind::And);
  EXPECT_EQ(all->parts.size(), 3u);
  EXPECT_EQ(allOf({})->kind, CondKind::True);
  EXPECT_EQ(anyOf({})->kind, CondKind::False);
  EXPECT_EQ(both(a, never())->kind, CondKind::False);
  EXPECT_EQ(anyOf({a, always()})->kind, CondKind::True);
  EXPECT_EQ(both(a, always()), a);
  EXPECT_EQ(both(a, atLeast0(-x - 1))->kind, CondKind::False);
  EXPECT_EQ(anyOf({a, atLeast0(-x)})->kind, CondKind::True);
  EXPECT_TRUE(sameCond(both(a, atLeast0(-x)), isZero(x)));
  EXPECT_TRUE(sameCond(both(a, b), both(b, a)));
  EXPECT_FALSE(sameCond(both(a, b), anyOf({a, b})));
}

TEST(Cond, NegationTurnsEachPart) {
  EXPECT_TRUE(sameCond(negation(atLeast0(x - y)), atLeast0(y - x - 1)));
  EXPECT_TRUE(sameCond(negation(negation(isZero(x))), isZero(x)));
  const CondPtr c = both(atLeast0(x), isZero(y));
  EXPECT_TRUE(sameCond(negation(negation(c)), c));
}

TEST(Cond, AnUnknownExcludesItsNegation) {
  const CondPtr u = unknownCond("depends on flags[i]", {}, 4);
  EXPECT_EQ(both(u, negation(u))->kind, CondKind::False);
  EXPECT_EQ(anyOf({u, negation(u)})->kind, CondKind::True);
  EXPECT_EQ(both(u, unknownCond("another", {}, 5))->kind, CondKind::And);
  const CondPtr mixed = both(atLeast0(x), u);
  EXPECT_TRUE(hasUnknown(mixed));
  EXPECT_EQ(unknownReason(mixed), "depends on flags[i]");
  EXPECT_FALSE(hasUnknown(atLeast0(x)));
  EXPECT_EQ(unknownReason(atLeast0(x)), "");
}

}  // namespace
}  // namespace hone::affine
