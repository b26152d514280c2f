#include "ir/NormalForm.h"

#include <map>
#include <random>

#include "ir/Compare.h"
#include "ir/Integers.h"
#include "ir/ShortIr.h"

namespace hone::ir::test {

namespace {

TypePtr whole(unsigned bits, bool isSigned) { return intType(bits, isSigned); }

ExprPtr normal(const ExprPtr& e, StmtList before = {}) {
  before.push_back(declare(local("result", e->type), e));
  const StmtPtr body = normalForm(block(std::move(before)));
  return as<Block>(body)->stmts.back()->as<Declare>()->init;
}

std::string normalText(const ExprPtr& e) { return dump(normal(e)); }

// Trees of conversions, choices and arithmetic over variables of all widths.
class RandomTree {
 public:
  explicit RandomTree(unsigned seed) : engine(seed) {
    for (unsigned bits : {8u, 16u, 32u, 64u})
      for (bool isSigned : {false, true}) variables.push_back(local("v", whole(bits, isSigned)));
  }
  ExprPtr tree(unsigned depth) {
    if (depth == 0) return below(3) ? ref(variables[below(8)]) : intLit(int64_t(below(200)), anyType());
    switch (below(4)) {
      case 0:
      case 1: return convert(tree(depth - 1), anyType(), below(2));
      case 2: {
        const TypePtr type = anyType();
        return makeExpr(type, Select{lt(tree(depth - 1), tree(depth - 1)), convert(tree(depth - 1), type),
                                     convert(tree(depth - 1), type)});
      }
      default:
        return below(2) ? add(tree(depth - 1), tree(depth - 1)) : mul(tree(depth - 1), tree(depth - 1));
    }
  }
  std::optional<int64_t> value(const ExprPtr& e) const {
    return integerValue(e, [&](const ExprPtr& part) -> std::optional<int64_t> {
      const auto* v = as<VarRef>(part);
      return v ? std::optional(values.at(v->var.get())) : std::nullopt;
    });
  }
  void draw() {
    for (const VarPtr& v : variables) values[v.get()] = wrapped(engine(), *v->type);
  }

 private:
  std::mt19937_64 engine;
  std::vector<VarPtr> variables;
  std::map<const Variable*, int64_t> values;

  unsigned below(unsigned count) { return unsigned(engine() % count); }
  TypePtr anyType() { return whole(8u << below(4), below(2)); }
};

}  // namespace

TEST(NormalForm, constantsCountUnderTheTypeTheyAreUsedIn) {
  EXPECT_EQ(normalText(convert(lit(3), uint64())), "3:u64");
  EXPECT_EQ(normalText(convert(lit(-1), uint32())), "4294967295:u32");
  EXPECT_EQ(normalText(convert(intLit(256, uint32()), f32())), normalText(convert(lit(256), f32())));
  EXPECT_EQ(normalText(convert(floatLit(0.5), f64())), "0.5:f64");
  // What the type does not hold exactly stays a conversion.
  EXPECT_TRUE(normal(convert(lit(16777217), f32()))->is<Cast>());
  EXPECT_TRUE(normal(convert(floatLit(0.1, f64()), f32()))->is<Cast>());
}

TEST(NormalForm, namesOfNumbersAreTheNumbers) {
  auto name = variable("kRotate", int32());
  name->isConstexpr = true;
  EXPECT_EQ(dump(normal(convert(ref(name), uint64()), {declare(name, lit(3))})), "3:u64");
}

TEST(NormalForm, conversionsThatAnotherOneMakesNeedlessGo) {
  const VarPtr narrow = local("q", whole(16, true)), wide = local("m", int64());
  EXPECT_EQ(normalText(convert(convert(ref(narrow), int32()), uint64())),
            normalText(convert(ref(narrow), uint64())));
  EXPECT_EQ(normalText(convert(convert(ref(wide), int32()), whole(8, false))),
            normalText(convert(ref(wide), whole(8, false))));
  // A sign is extended in the first step or not at all.
  EXPECT_NE(normalText(convert(convert(ref(narrow), uint32()), uint64())),
            normalText(convert(ref(narrow), uint64())));
  EXPECT_NE(normalText(convert(convert(ref(wide), whole(8, false)), int32())),
            normalText(convert(ref(wide), int32())));
  EXPECT_NE(normalText(convert(convert(ref(wide), f32()), int32())), normalText(convert(ref(wide), int32())));
}

TEST(NormalForm, aChoiceIsConvertedInItsArms) {
  const VarPtr a = local("a", whole(8, false));
  const ExprPtr cond = lt(lit(0), ref(local("n")));
  const ExprPtr asText = makeExpr(int32(), Select{cond, convert(ref(a), int32()), lit(0)});
  const ExprPtr asMade = makeExpr(a->type, Select{cond, ref(a), intLit(0, a->type)});
  EXPECT_EQ(normalText(convert(asText, a->type)), dump(asMade));
}

TEST(NormalForm, anIndexCountsByItsValue) {
  const VarPtr array = local("p", ptr(f32())), i = local("i", whole(8, false));
  EXPECT_EQ(normalText(at(array, convert(ref(i), int32()))), normalText(at(array, ref(i))));
  EXPECT_EQ(normalText(at(array, lit(0))), normalText(at(array, intLit(0, int64()))));
  const VarPtr n = local("n"), u = local("u", uint32());
  EXPECT_EQ(normalText(at(array, unary(UnaryOp::Neg, convert(ref(n), int64())))),
            normalText(at(array, unary(UnaryOp::Neg, ref(n)))));
  EXPECT_FALSE(equal(normal(at(array, unary(UnaryOp::Neg, convert(ref(u), int64())))),
                     normal(at(array, unary(UnaryOp::Neg, ref(u))))));
  EXPECT_NE(normalText(at(array, convert(ref(n), uint32()))), normalText(at(array, ref(n))));
}

TEST(NormalForm, computesTheSame) {
  unsigned compared = 0;
  for (unsigned seed = 0; seed < 400; ++seed) {
    RandomTree random(seed);
    const ExprPtr before = random.tree(5), after = normal(before);
    for (unsigned i = 0; i < 20; ++i) {
      random.draw();
      const auto wanted = random.value(before);
      if (!wanted) continue;  // it overflows, of which C says nothing
      ++compared;
      ASSERT_EQ(random.value(after), wanted) << dump(before) << "\n" << dump(after);
    }
  }
  EXPECT_GT(compared, 2000u);
}

}  // namespace hone::ir::test
