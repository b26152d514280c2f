// Polynomials and conditions have the same values as expressions.
#include "affine/ToExpr.h"

#include "HandModel.h"
#include "ModelOf.h"
#include "RandomExpr.h"
#include "ir/EvaluateExpr.h"

namespace hone::affine {
namespace {

class ToExprTest : public ::testing::Test {
 protected:
  HandModel hand{{16, 4, 1}};
  std::vector<Poly> leaves;
  std::vector<ir::VarPtr> variables;
  ir::TypePtr type = ir::int64();

  Poly unknown(const std::string& name, int64_t low) {
    auto var = std::make_shared<ir::Variable>();
    var->name = name;
    var->type = type;
    variables.push_back(var);
    leaves.push_back(hand.model.atoms->symbol(name, nullptr, low, 1000));
    return leaves.back();
  }

  ToExpr converter() {
    ToExpr out(hand.model, type);
    for (size_t i = 0; i < leaves.size(); ++i) out.stands(leaves[i].atoms().front(), ir::ref(variables[i]));
    return out;
  }

  // Values of the unknowns for both sides.
  AtomValues draw(RandomExprs& random, ir::Evaluator& evaluator, int64_t least) {
    AtomValues at;
    for (size_t i = 0; i < leaves.size(); ++i) {
      const int64_t value = random.pick(i + 1 == leaves.size() ? 1 : least, 40);
      at[leaves[i].atoms().front()] = value;
      evaluator.values[variables[i].get()] = ir::ofInt(value, *type);
    }
    return at;
  }
};

TEST_F(ToExprTest, RandomPolynomialsEvaluateAlike) {
  unknown("x", -100), unknown("y", -100), unknown("i", 0);
  const Poly pitch = unknown("w", 1);
  unsigned compared = 0;
  for (unsigned seed = 1; seed <= 1500; ++seed) {
    RandomExprs random(*hand.model.atoms, leaves, pitch, seed);
    const RandomExpr e = random.expr(static_cast<int>(random.pick(1, 4)));
    ToExpr to = converter();
    const auto made = to.of(e.poly);
    ASSERT_TRUE(made) << hand.model.atoms->str(e.poly);
    ASSERT_TRUE(ir::sameType((*made)->type, type));
    ir::Evaluator evaluator;
    for (int point = 0; point < 5; ++point) {
      AtomValues at = draw(random, evaluator, -40);
      at[leaves[2].atoms().front()] = std::abs(at[leaves[2].atoms().front()]);
      evaluator.values[variables[2].get()] = ir::ofInt(at[leaves[2].atoms().front()], *type);
      const int64_t wanted = e.direct(at);
      if (wanted > (int64_t{1} << 50) || wanted < -(int64_t{1} << 50)) continue;
      ASSERT_EQ(evaluator.eval(*made).i[0], wanted)
          << "seed " << seed << ": " << hand.model.atoms->str(e.poly) << "\n"
          << ir::dump(*made);
      ++compared;
    }
  }
  EXPECT_GT(compared, 5000u);
}

TEST_F(ToExprTest, RandomConditionsHoldAlike) {
  unknown("x", -100), unknown("y", -100);
  const Poly pitch = unknown("w", 1);
  unsigned held = 0, failed = 0;
  for (unsigned seed = 1; seed <= 1500; ++seed) {
    RandomExprs random(*hand.model.atoms, leaves, pitch, seed);
    const auto c = random.cond(static_cast<int>(random.pick(0, 2)));
    ToExpr to = converter();
    const auto made = to.of(c.first);
    ASSERT_TRUE(made) << hand.model.atoms->str(c.first);
    ir::Evaluator evaluator;
    for (int point = 0; point < 5; ++point) {
      const AtomValues at = draw(random, evaluator, -40);
      const bool wanted = c.second(at);
      ASSERT_EQ(evaluator.eval(*made).i[0] != 0, wanted)
          << "seed " << seed << ": " << hand.model.atoms->str(c.first) << "\n"
          << ir::dump(*made);
      (wanted ? held : failed) += 1;
    }
  }
  EXPECT_GT(held, 500u);
  EXPECT_GT(failed, 500u);
}

// A symbol is what the launch hands over: a parameter that the kernel assigns does not hold it any more.
TEST(ToExprOfKernels, ParametersThatTheKernelAssigns) {
  const KernelModel model = modelOf(
      "struct P { int w; };\n__global__ void k(float* a, int n, int m, P p) {\n"
      "  n = n + 2; a[(p.w * m + n) * 2 + threadIdx.x] = 1.0f; }\n");
  auto written = [&](const char* name) {
    const auto symbol = model.atoms->findSymbol(name);
    EXPECT_TRUE(symbol) << name;
    return symbol && ToExpr(model).of(Poly::atom(*symbol)).has_value();
  };
  EXPECT_TRUE(written("m"));
  EXPECT_TRUE(written("p.w"));
  EXPECT_FALSE(written("n"));
}

}  // namespace
}  // namespace hone::affine
