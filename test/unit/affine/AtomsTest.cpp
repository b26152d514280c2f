#include "affine/Atoms.h"

#include <gtest/gtest.h>

#include "RandomExpr.h"

namespace hone::affine {
namespace {

struct AtomsTest : testing::Test {
  Atoms atoms;
  Poly tx, bx, i, n, w;
  AtomsTest() {
    atoms.blockShape = {256, 4, 1};
    atoms.loopNames.add("i");
    tx = atoms.thread(0);
    bx = atoms.block(0);
    i = atoms.loop(LoopId(0));
    n = atoms.symbol("n", nullptr, 0, INT32_MAX);
    w = atoms.symbol("w", nullptr, 1, INT32_MAX);
  }
  std::string str(const Poly& p) const { return atoms.str(p); }
  std::string range(const Poly& p) const {
    const Range r = atoms.range(p);
    return (r.low == INT64_MIN ? "" : std::to_string(r.low)) + ".." +
           (r.high == INT64_MAX ? "" : std::to_string(r.high));
  }
};

TEST_F(AtomsTest, EachUnknownIsStoredOnce) {
  EXPECT_EQ(atoms.thread(0), tx);
  EXPECT_EQ(atoms.symbol("n", nullptr, 0, 5), n);
  EXPECT_EQ(atoms.div(tx + n, 8), atoms.div(n + tx, 8));
  EXPECT_NE(atoms.opaque("a[i]", "loaded index", {}), atoms.opaque("a[i]", "loaded index", {}));
  EXPECT_EQ(Poly::atom(*atoms.findSymbol("w")), w);
  EXPECT_FALSE(atoms.findSymbol("h"));
}

TEST_F(AtomsTest, GridIsNoSymbolOfItsName) {
  EXPECT_FALSE(atoms.findGridDim(1));
  const Poly grid = atoms.gridDim(1), field = atoms.symbol("gridDim.y", nullptr, 1, INT32_MAX);
  EXPECT_EQ(atoms.gridDim(1), grid);
  EXPECT_EQ(Poly::atom(*atoms.findGridDim(1)), grid);
  EXPECT_NE(atoms.gridDim(0), grid);
  EXPECT_NE(field, grid);
  EXPECT_EQ(Poly::atom(*atoms.findSymbol("gridDim.y")), field);
  EXPECT_EQ(str(grid), "gridDim.y");
  EXPECT_EQ(str(atoms.globalOffset(2)), "globalOffset.z");
}

TEST_F(AtomsTest, QuotientsByNumbers) {
  EXPECT_EQ(atoms.div(tx * 8 + 4, 4), tx * 2 + 1);
  EXPECT_EQ(str(atoms.div(n * 4 + i + 6, 4)), "n + ((i + 2) / 4) + 1");
  EXPECT_EQ(atoms.div(bx * 256 + tx, 256), bx);  // 0 <= threadIdx.x < 256
  EXPECT_EQ(atoms.mod(bx * 256 + tx, 256), tx);
  EXPECT_EQ(atoms.div(tx - 256, 256), Poly(-1));
  EXPECT_EQ(atoms.div(i * 2 + 1, 4), atoms.div(i, 2));
  EXPECT_EQ(atoms.div(atoms.div(i, 3), 5), atoms.div(i, 15));
  EXPECT_EQ(atoms.div(atoms.div(i, 3) + 2, 5), atoms.div(i + 6, 15));
}

TEST_F(AtomsTest, QuotientsBySymbols) {
  EXPECT_EQ(atoms.div(i * w, w), i);
  EXPECT_EQ(atoms.mod(i * w, w), Poly(0));
  EXPECT_EQ(str(atoms.div(i * w + n, w)), "i + (n / w)");
  EXPECT_EQ(atoms.div(i * (w + 2) + n * w * 3 + n * 6, w + 2), i + n * 3);
  EXPECT_EQ(atoms.div(w + 1, w + 2), Poly(0));
  EXPECT_EQ(atoms.div(tx, w + 255), Poly(0));  // w >= 1
  EXPECT_EQ(atoms.div(i * w * 256 + tx, w * 256), i);
  EXPECT_EQ(atoms.div(atoms.div(n, w), w), atoms.div(n, w * w));
}

TEST_F(AtomsTest, Choices) {
  EXPECT_EQ(atoms.choice(atLeast0(tx), n, w), n);
  EXPECT_EQ(atoms.choice(atLeast0(tx - 256), n, w), w);
  EXPECT_EQ(atoms.choice(atLeast0(i), n, n), n);
  EXPECT_EQ(str(atoms.choice(atLeast0(n - i - 1), i, n)), "(i < n ? i : n)");
}

TEST_F(AtomsTest, BitsThatAreSumsOrQuotients) {
  using enum ir::BinaryOp;
  EXPECT_EQ(atoms.bits(BitAnd, i, 31), atoms.mod(i, 32));
  EXPECT_EQ(atoms.bits(BitAnd, 31, tx), atoms.mod(tx, 32));
  EXPECT_EQ(atoms.bits(BitAnd, i, -32), i - atoms.mod(i, 32));
  EXPECT_EQ(atoms.bits(BitAnd, n, 0xFFFFFFFCll), n - atoms.mod(n, 4));
  EXPECT_EQ(atoms.bits(Shl, i, 3), i * 8);
  EXPECT_EQ(atoms.bits(Shr, i, 3), atoms.div(i, 8));
  EXPECT_EQ(atoms.bits(BitOr, bx * 256, tx), bx * 256 + tx);
  EXPECT_EQ(atoms.bits(BitXor, tx, 255), 255 - tx);
  EXPECT_EQ(atoms.bits(BitXor, i, -1), -i - 1);
  EXPECT_EQ(atoms.bits(BitXor, i, i), Poly(0));
  EXPECT_EQ(str(atoms.bits(BitXor, tx, 1)), "threadIdx.x ^ 1");
  EXPECT_EQ(atoms.bits(BitXor, 1, tx), atoms.bits(BitXor, tx, 1));
}

TEST_F(AtomsTest, Ranges) {
  EXPECT_EQ(range(tx * 4 - 8), "-8..1012");
  EXPECT_EQ(range(i), "..");
  atoms.bound(i.atoms().front(), 0, 9);
  EXPECT_EQ(range(tx * i), "0..2295");
  EXPECT_EQ(range(atoms.div(tx, 32)), "0..7");
  EXPECT_EQ(range(atoms.mod(n, 32)), "0..31");
  EXPECT_EQ(range(atoms.mod(n, 32) * 4 + 2), "2..126");
  EXPECT_EQ(range(atoms.mod(n, w)), "0..2147483646");
  EXPECT_EQ(range(n * n * n * n), "0..");
  EXPECT_EQ(range(atoms.bits(ir::BinaryOp::BitXor, tx, 1)), "0..255");
  EXPECT_EQ(range(atoms.bits(ir::BinaryOp::BitAnd, n, 5)), "0..5");
  // min(i, 4), max(n, 3)
  EXPECT_EQ(range(atoms.choice(atLeast0(4 - i), i, 4)), "0..4");
  EXPECT_EQ(range(atoms.choice(atLeast0(n - 3), n, 3)), "3..2147483647");
  // A ring: i + 5 wrapped at 10.
  EXPECT_EQ(range(atoms.choice(atLeast0(i + 5 - 10), i + 5 - 10, i + 5)), "0..9");
}

TEST_F(AtomsTest, Variation) {
  EXPECT_TRUE(atoms.variation(n * w + bx).isUniform());
  EXPECT_EQ(atoms.variation(bx).blockAxes, 1);
  EXPECT_EQ(atoms.variation(atoms.div(tx + n, 3)).threadAxes, 1);
  EXPECT_EQ(atoms.variation(atoms.thread(2)).threadAxes, 0);  // one thread along z
  EXPECT_EQ(atoms.variation(i).loops, 1u);
  Variation any;
  any.anyThread = true;
  const Poly loaded = atoms.opaque("a[j]", "loaded index", any);
  EXPECT_FALSE(atoms.variation(loaded * 4 + 1).isUniform());
  const Poly chosen = atoms.choice(unknownCond("depends on a[j]", any, 1), 1, 2);
  EXPECT_FALSE(atoms.variation(chosen).isUniform());
  EXPECT_FALSE(atoms.isLaunchUniform(chosen));
  EXPECT_TRUE(atoms.isLaunchUniform(atoms.div(n, w) * 2));
  EXPECT_FALSE(atoms.isLaunchUniform(n + bx));
}

TEST_F(AtomsTest, SubstitutionReachesInside) {
  const AtomId in = i.atoms().front();
  EXPECT_EQ(atoms.substitute(atoms.div(i + n, 4), {{in, n * 3}}), n);
  EXPECT_EQ(atoms.substitute(i * i, {{in, n + 1}}), n * n + n * 2 + 1);
  EXPECT_EQ(atoms.substitute(atoms.choice(atLeast0(i - 3), n, w), {{in, 2}}), w);
  EXPECT_EQ(atoms.substitute(atoms.bits(ir::BinaryOp::BitXor, i, 3), {{in, 5}}), Poly(6));
  EXPECT_EQ(atoms.substitute(both(atLeast0(i), isZero(i - n)), {{in, n}})->kind, CondKind::AtLeast0);
}

TEST_F(AtomsTest, TextAsOneWouldWriteIt) {
  EXPECT_EQ(str(tx + bx * 256), "256*blockIdx.x + threadIdx.x");
  EXPECT_EQ(str(atoms.div(i + 1, 2)), "(i + 1) / 2");
  EXPECT_EQ(str(atoms.mod(i, 32)), "i % 32");
  EXPECT_EQ(str(atoms.mod(i, 32) * 4 + n), "4*(i % 32) + n");
  EXPECT_EQ(str(w * bx + tx - 1), "blockIdx.x*w + threadIdx.x - 1");
  EXPECT_EQ(str(-i), "-i");
  EXPECT_EQ(str(n - i * w), "n - i*w");
  EXPECT_EQ(str(Poly(0)), "0");
  EXPECT_EQ(atoms.str(atLeast0(n - i - 1)), "i < n");
  EXPECT_EQ(atoms.str(atLeast0(i - n)), "i >= n");
  EXPECT_EQ(atoms.str(atLeast0(n - i - 2)), "i + 1 < n");
  EXPECT_EQ(atoms.str(atLeast0(15 - tx)), "threadIdx.x < 16");
  EXPECT_EQ(atoms.str(atLeast0(tx - 1)), "threadIdx.x > 0");
  EXPECT_EQ(atoms.str(isZero(atoms.mod(i, 2) - 1)), "i % 2 == 1");
  EXPECT_EQ(atoms.str(both(atLeast0(n - i - 1), isZero(tx))), "i < n and threadIdx.x == 0");
}

// Whatever is folded on the way, a polynomial has the value of the expression it was made of and lies in its
// range.
TEST(AtomsProperty, RandomExpressionsKeepTheirValue) {
  unsigned checked = 0;
  for (unsigned seed = 1; seed <= 4000; ++seed) {
    Atoms atoms;
    atoms.blockShape = {7, 1, 1};
    const Poly leaves[] = {atoms.thread(0), atoms.symbol("n", nullptr, -5, 30),
                           atoms.symbol("w", nullptr, 1, 12), atoms.loop(LoopId(0))};
    atoms.bound(leaves[3].atoms().front(), 0, 20);
    RandomExprs random(atoms, {std::begin(leaves), std::end(leaves)}, leaves[2], seed);
    const RandomExpr e = random.expr(static_cast<int>(random.pick(1, 4)));
    const auto [cond, holds] = random.cond(2);
    const Range range = atoms.range(e.poly);
    for (int trial = 0; trial < 20; ++trial) {
      AtomValues at;
      for (const Poly& leaf : leaves) {
        const Range r = atoms.range(leaf);
        at[leaf.atoms().front()] = random.pick(r.low, r.high);
      }
      const int64_t value = e.direct(at);
      ASSERT_EQ(plainValue(atoms, e.poly, at), value) << seed << ": " << atoms.str(e.poly);
      ASSERT_TRUE(range.low <= value && value <= range.high)
          << seed << ": " << atoms.str(e.poly) << " = " << value << ", said " << range.low << ".."
          << range.high;
      ASSERT_EQ(plainHolds(atoms, cond, at), holds(at)) << seed << ": " << atoms.str(cond);
      // Numbers for some of the atoms leave the same value.
      Atoms::Substitution some;
      for (const auto& [id, v] : at)
        if (random.pick(0, 1)) some[id] = v;
      ASSERT_EQ(plainValue(atoms, atoms.substitute(e.poly, some), at), value)
          << seed << ": " << atoms.str(e.poly);
      ASSERT_EQ(plainHolds(atoms, atoms.substitute(cond, some), at), holds(at))
          << seed << ": " << atoms.str(cond);
      ++checked;
    }
  }
  EXPECT_EQ(checked, 80000u);
}

}  // namespace
}  // namespace hone::affine
