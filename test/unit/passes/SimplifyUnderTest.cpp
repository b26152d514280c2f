#include "passes/edit/SimplifyUnder.h"

#include <gtest/gtest.h>

#include "ir/Build.h"
#include "ir/Compare.h"

namespace hone::passes {

using namespace ir;

namespace {

VarPtr variable(const char* name) {
  auto v = std::make_shared<Variable>();
  v->name = name;
  v->type = int32();
  v->storage = Storage::Param;
  return v;
}

class Simplifying : public ::testing::Test {
 protected:
  VarPtr n = variable("n"), m = variable("m");
  ExprPtr grid = coord(CoordKind::GridDim, 0), size = coord(CoordKind::BlockDim, 0);
  ExprPtr threads = times(convert(grid, int64()), size);
  ExprPtr raised =
      times(convert(ceilDiv(times(grid, size), intLit(16, uint32())), int64()), intLit(16, int64()));
  static ExprPtr wide(const VarPtr& v) { return convert(ref(v), int64()); }
  static ExprPtr atMost(const ExprPtr& a, const ExprPtr& b) { return binary(BinaryOp::Le, a, b); }
};

}  // namespace

TEST_F(Simplifying, whatFollowsIsLeftOut) {
  EXPECT_EQ(simplifiedUnder({atMost(wide(n), threads)}, atMost(wide(n), raised)), nullptr);
  EXPECT_EQ(simplifiedUnder({atMost(threads, intLit(1600, int64()))},
                            atMost(ceilDiv(times(grid, size), intLit(16, uint32())), intLit(100, uint32()))),
            nullptr);
  EXPECT_EQ(simplifiedUnder({atMost(threads, intLit(1600, int64()))}, atMost(threads, intLit(1700, int64()))),
            nullptr);
}

TEST_F(Simplifying, whatIsRoundedUpToWholeBlocksIsNoLess) {
  auto inBlocks = [&](const VarPtr& v) {
    return times(convert(ceilDiv(convert(ref(v), uint32()), size), int64()), convert(size, int64()));
  };
  EXPECT_EQ(simplifiedUnder({}, atMost(wide(n), inBlocks(n))), nullptr);
  EXPECT_NE(simplifiedUnder({}, atMost(wide(m), inBlocks(n))), nullptr);
  EXPECT_NE(simplifiedUnder({}, atMost(inBlocks(n), wide(n))), nullptr);
}

TEST_F(Simplifying, whatDoesNotFollowStays) {
  EXPECT_NE(simplifiedUnder({atMost(wide(m), threads)}, atMost(wide(n), raised)), nullptr);
  EXPECT_NE(simplifiedUnder({atMost(wide(n), raised)}, atMost(wide(n), threads)), nullptr);
  EXPECT_NE(simplifiedUnder({atMost(threads, intLit(1601, int64()))},
                            atMost(ceilDiv(times(grid, size), intLit(16, uint32())), intLit(100, uint32()))),
            nullptr);
  EXPECT_NE(simplifiedUnder({atMost(threads, intLit(1600, int64()))}, atMost(threads, intLit(1500, int64()))),
            nullptr);
}

TEST_F(Simplifying, choicesThatAreDecidedAreMade) {
  ExprPtr least = makeExpr(int64(), Select{atMost(wide(n), raised), wide(n), raised});
  ExprPtr found = simplifiedUnder({atMost(wide(n), threads)}, binary(BinaryOp::Lt, least, wide(m)));
  EXPECT_TRUE(equal(found, binary(BinaryOp::Lt, wide(n), wide(m))));
  EXPECT_TRUE(
      equal(simplifiedUnder({}, binary(BinaryOp::Lt, least, wide(m))), binary(BinaryOp::Lt, least, wide(m))));
}

TEST_F(Simplifying, equalTermsAreTakenTogether) {
  // m + m * (n - 1) is m * n
  ExprPtr sum = binary(BinaryOp::Add, wide(m),
                       binary(BinaryOp::Mul, wide(m), binary(BinaryOp::Sub, wide(n), intLit(1, int64()))));
  ExprPtr found = simplifiedUnder({}, atMost(sum, intLit(7, int64())));
  EXPECT_TRUE(equal(found, atMost(binary(BinaryOp::Mul, wide(m), wide(n)), intLit(7, int64()))));
}

}  // namespace hone::passes
