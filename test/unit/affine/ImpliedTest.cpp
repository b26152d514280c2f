#include "affine/Implied.h"

#include <gtest/gtest.h>

namespace hone::affine {
namespace {

struct ImpliedTest : testing::Test {
  Atoms atoms;
  Poly tx, n, m;
  ImpliedTest() {
    atoms.blockShape = {32, 1, 1};
    tx = atoms.thread(0);
    n = atoms.symbol("n", nullptr, INT32_MIN, INT32_MAX);
    m = atoms.symbol("m", nullptr, 0, INT32_MAX);
  }
};

TEST_F(ImpliedTest, ConjunctsAreWhatMustHoldOneByOne) {
  const CondPtr a = atLeast0(n - tx), b = isZero(m - 3);
  EXPECT_TRUE(conjuncts(nullptr).empty());
  EXPECT_TRUE(conjuncts(always()).empty());
  EXPECT_EQ(conjuncts(a), std::vector<CondPtr>{a});
  EXPECT_EQ(conjuncts(both(a, b)), (std::vector<CondPtr>{a, b}));
  const CondPtr either = anyOf({a, b});
  EXPECT_EQ(conjuncts(either), std::vector<CondPtr>{either});
  ASSERT_EQ(conjuncts(never()).size(), 1u);
  EXPECT_EQ(conjuncts(never())[0]->kind, CondKind::False);
}

TEST_F(ImpliedTest, AComparisonMakesSureOfWhatIsNeverLess) {
  const CondPtr below = atLeast0(n - 1 - tx);  // threadIdx.x < n
  EXPECT_TRUE(makesSure(atoms, below, n - 1 - tx));
  EXPECT_TRUE(makesSure(atoms, below, n - 1));       // threadIdx.x is at least 0
  EXPECT_TRUE(makesSure(atoms, below, n + m - tx));  // so is m
  EXPECT_FALSE(makesSure(atoms, below, n - 2 - tx));
  EXPECT_FALSE(makesSure(atoms, below, n - 32));  // of thread 31 alone
  EXPECT_FALSE(makesSure(atoms, below, m - 1 - tx));
  EXPECT_FALSE(makesSure(atoms, below, n - m));
}

TEST_F(ImpliedTest, OtherConditionsMakeSureOfNothing) {
  EXPECT_FALSE(makesSure(atoms, always(), n));
  EXPECT_FALSE(makesSure(atoms, isZero(n), n));
  EXPECT_FALSE(makesSure(atoms, unknownCond("depends on flags[i]", {}, 1), n));
  EXPECT_FALSE(makesSure(atoms, anyOf({atLeast0(n), atLeast0(m - 5)}), n));
}

TEST_F(ImpliedTest, OneOfSeveralIsEnough) {
  const std::vector<CondPtr> known = conjuncts(both(atLeast0(m - 5), atLeast0(n - 1 - tx)));
  EXPECT_TRUE(makesSure(atoms, known, n - 1));
  EXPECT_TRUE(makesSure(atoms, known, m - 4));
  EXPECT_FALSE(makesSure(atoms, known, n - 33));
  EXPECT_FALSE(makesSure(atoms, std::vector<CondPtr>{}, m));
}

TEST_F(ImpliedTest, OfEqualComparisonsOneStays) {
  const CondPtr kept = withoutImplied(atoms, allOf({atLeast0(n - 1), atLeast0(n - 1 - tx), isZero(m - 3)}));
  ASSERT_EQ(kept->kind, CondKind::And);
  ASSERT_EQ(kept->parts.size(), 2u);
  EXPECT_EQ(kept->parts[0]->value, n - 1 - tx);
  EXPECT_EQ(kept->parts[1]->kind, CondKind::Zero);
  EXPECT_EQ(withoutImplied(atoms, nullptr), nullptr);
}

}  // namespace
}  // namespace hone::affine
