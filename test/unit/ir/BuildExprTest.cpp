// What ir/Build.h makes of random operands has the value and the type of the plain operator.
#include "ir/Build.h"

#include <limits>
#include <random>

#include "EvaluateExpr.h"

namespace hone::ir {
namespace {

struct Pair {
  ExprPtr plain, built;
};

class BuildExprTest : public ::testing::Test {
 protected:
  std::mt19937_64 engine{20'261};
  std::vector<VarPtr> variables;
  Evaluator evaluator;

  void SetUp() override {
    const std::pair<const char*, TypePtr> all[] = {
        {"i", int32()},  {"j", int32()},           {"u", uint32()},      {"l", int64()},
        {"m", uint64()}, {"s", intType(16, true)}, {"f", floatType(32)}, {"g", floatType(32)}};
    for (const auto& [name, type] : all) {
      auto var = std::make_shared<Variable>();
      var->name = name;
      var->type = type;
      variables.push_back(var);
    }
  }

  int64_t pick(int64_t low, int64_t high) {
    return low + static_cast<int64_t>(engine() % static_cast<uint64_t>(high - low + 1));
  }

  void drawValues() {
    static constexpr int64_t edges[] = {0, 1, -1, 2, INT32_MAX, INT32_MIN, INT64_MAX, INT64_MIN, 255, 65'536};
    for (const VarPtr& var : variables) {
      const int64_t value = pick(0, 2) == 0 ? edges[pick(0, 9)] : pick(-40, 40);
      const double real =
          pick(0, 5) == 0 ? std::numeric_limits<double>::quiet_NaN() : 0.5 * static_cast<double>(pick(-4, 4));
      evaluator.values[var.get()] =
          var->type->isFloating() ? ofFloat(real, *var->type) : ofInt(value, *var->type);
    }
  }

  Pair leaf() {
    if (pick(0, 2) == 0) {
      static const TypePtr types[] = {int32(), int32(), uint32(), int64(), uint64()};
      const ExprPtr number = intLit(pick(0, 3) == 0 ? pick(-70, 70) : pick(-2, 3), types[pick(0, 4)]);
      return {number, number};
    }
    const ExprPtr value = ref(variables[static_cast<size_t>(pick(0, 5))]);
    return {value, value};
  }

  Pair number(int depth) {
    if (depth == 0) return leaf();
    const Pair a = number(depth - 1), b = number(static_cast<int>(pick(0, depth - 1)));
    const int64_t k = pick(1, 9);
    switch (pick(0, 8)) {
      case 0:
      case 1: return {binary(BinaryOp::Add, a.plain, b.plain), plus(a.built, b.built)};
      case 2:
      case 3: return {binary(BinaryOp::Sub, a.plain, b.plain), minus(a.built, b.built)};
      case 4: return {binary(BinaryOp::Mul, a.plain, b.plain), times(a.built, b.built)};
      case 5: return {binary(BinaryOp::Div, a.plain, intLit(k)), over(a.built, intLit(k))};
      case 6: return {binary(BinaryOp::Rem, a.plain, intLit(k)), remainder(a.built, intLit(k))};
      case 7: {
        const TypePtr type = usualArithmetic(a.plain->type, b.plain->type);
        const ExprPtr x = convert(a.plain, type), y = convert(b.plain, type);
        return {makeExpr(type, Select{binary(BinaryOp::Lt, x, y), x, y}), least(a.built, b.built)};
      }
      default: {
        const TypePtr type = usualArithmetic(a.plain->type, b.plain->type);
        const Pair c = condition(depth - 1);
        return {makeExpr(type, Select{c.plain, convert(a.plain, type), convert(b.plain, type)}),
                makeExpr(type, Select{c.built, convert(a.built, type), convert(b.built, type)})};
      }
    }
  }

  Pair condition(int depth) {
    static constexpr BinaryOp comparisons[] = {BinaryOp::Lt, BinaryOp::Le, BinaryOp::Gt,
                                               BinaryOp::Ge, BinaryOp::Eq, BinaryOp::Ne};
    const BinaryOp op = comparisons[pick(0, 5)];
    switch (depth == 0 ? pick(0, 2) : pick(0, 6)) {
      case 0: {
        const ExprPtr constant = boolLit(pick(0, 1) == 1);
        return {constant, constant};
      }
      case 1: {
        const ExprPtr real = binary(op, ref(variables[6]), ref(variables[7]));
        return {real, real};
      }
      case 3: {
        const Pair a = condition(depth - 1), b = condition(depth - 1);
        return {binary(BinaryOp::LogicalAnd, a.plain, b.plain), andAlso(a.built, b.built)};
      }
      case 4: {
        const Pair a = condition(depth - 1), b = condition(depth - 1);
        return {binary(BinaryOp::LogicalOr, a.plain, b.plain), orElse(a.built, b.built)};
      }
      case 5:
      case 6: {
        const Pair a = condition(depth - 1);
        return {unary(UnaryOp::Not, a.plain), negated(a.built)};
      }
      default: {
        const Pair a = number(std::max(0, depth - 1)), b = number(0);
        return {binary(op, a.plain, b.plain), binary(op, a.built, b.built)};
      }
    }
  }

  void expectSame(const ExprPtr& plain, const ExprPtr& made, const char* what) {
    ASSERT_TRUE(sameType(plain->type, made->type)) << what << "\n" << dump(plain) << "\n" << dump(made);
    for (int point = 0; point < 6; ++point) {
      drawValues();
      ASSERT_EQ(evaluator.eval(plain).i, evaluator.eval(made).i) << what << "\n"
                                                                 << dump(plain) << "\n"
                                                                 << dump(made);
    }
  }
};

TEST_F(BuildExprTest, RandomArithmeticKeepsValueAndType) {
  for (int i = 0; i < 800; ++i) {
    const Pair e = number(static_cast<int>(pick(1, 4)));
    expectSame(e.plain, e.built, "built");
    expectSame(e.plain, simplified(e.plain), "simplified");
    expectSame(e.plain, simplified(e.built), "built and simplified");
  }
}

TEST_F(BuildExprTest, RandomConditionsKeepTheirMeaning) {
  for (int i = 0; i < 800; ++i) {
    const Pair e = condition(static_cast<int>(pick(1, 4)));
    expectSame(e.plain, e.built, "built");
    expectSame(e.plain, simplified(e.plain), "simplified");
    expectSame(unary(UnaryOp::Not, e.plain), negated(e.plain), "negated");
  }
}

TEST_F(BuildExprTest, CeilDivRoundsUp) {
  for (const TypePtr& type : {int32(), uint32(), int64(), uint64()})
    for (int64_t a = 0; a < 40; ++a)
      for (int64_t b = 1; b < 9; ++b) {
        auto var = std::make_shared<Variable>();
        var->type = type;
        evaluator.values[var.get()] = ofInt(a, *type);
        const int64_t wanted = (a + b - 1) / b;
        EXPECT_EQ(evaluator.eval(ceilDiv(ref(var), intLit(b, type))).i[0], wanted);
        EXPECT_EQ(evaluator.eval(ceilDiv(intLit(a, type), intLit(b, type))).i[0], wanted);
        auto divisor = std::make_shared<Variable>(*var);
        evaluator.values[divisor.get()] = ofInt(b, *type);
        EXPECT_EQ(evaluator.eval(ceilDiv(ref(var), ref(divisor))).i[0], wanted);
      }
}

TEST_F(BuildExprTest, NamedConstantsKeepTheirNames) {
  const ExprPtr tile = named(16, {RoleKind::OriginalExtent});
  const ExprPtr sum = simplified(plus(times(ref(variables[0]), tile), intLit(0)));
  const auto* product = as<Binary>(sum);
  ASSERT_TRUE(product);
  ASSERT_TRUE(as<IntLiteral>(product->rhs));
  EXPECT_EQ(as<IntLiteral>(product->rhs)->role, ConstantRole{RoleKind::OriginalExtent});
}

TEST(BuildStmt, CountingLoops) {
  auto var = std::make_shared<Variable>();
  var->name = "i";
  var->type = uint32();
  const StmtPtr plain = countingLoop({.var = var, .end = intLit(8, uint32()), .body = block({})});
  const auto count = counted(*as<For>(plain));
  ASSERT_TRUE(count);
  EXPECT_EQ(count->var, var);
  EXPECT_TRUE(count->declares);
  EXPECT_EQ(constantValue(count->begin), 0);
  EXPECT_TRUE(sameType(count->begin->type, uint32()));
  EXPECT_EQ(constantValue(count->end), 8);
  EXPECT_EQ(constantValue(count->step), 1);
  EXPECT_TRUE(as<Assign>(as<For>(plain)->step[0])->incrementStyle);
  const StmtPtr strided = countingLoop({.var = var,
                                        .begin = intLit(2, uint32()),
                                        .end = intLit(8, uint32()),
                                        .step = intLit(3, uint32()),
                                        .body = block({}),
                                        .unroll = -1});
  const auto& loop = *as<For>(strided);
  EXPECT_EQ(loop.unroll, -1);
  EXPECT_FALSE(as<Assign>(loop.step[0])->incrementStyle);
  EXPECT_EQ(constantValue(counted(loop)->begin), 2);
  EXPECT_EQ(constantValue(counted(loop)->step), 3);
}

}  // namespace
}  // namespace hone::ir
