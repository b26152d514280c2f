#include "ir/ShortIr.h"
#include "ir/TripCount.h"

namespace hone::ir::test {

namespace {

class CountedLoop : public ::testing::Test {
 protected:
  VarPtr i = local("i"), n = local("n"), s = local("s"), x = local("x", f32());
  VarPtr a = param("a", ptr(f32())), rows = param("rows", ptr(int32()));

  StmtPtr step(BinaryOp op, ExprPtr by) { return update(ref(i), op, std::move(by)); }
  StmtPtr quiet() { return update(ref(x), BinaryOp::Add, at(a, ref(i))); }
  StmtPtr store() { return assign(at(a, ref(i)), floatLit(0)); }

  std::optional<Counted> count(ExprPtr cond, StmtList steps, StmtList body, ExprPtr begin = nullptr) {
    StmtPtr loop =
        forLoop({declare(i, begin ? begin : lit(0))}, std::move(cond), std::move(steps), std::move(body));
    return counted(*loop->as<For>());
  }

  using Values = std::vector<int64_t>;
  std::optional<Values> values(ExprPtr cond, StmtPtr next, ExprPtr begin) {
    const StmtPtr loop =
        forLoop({declare(i, std::move(begin))}, std::move(cond), {std::move(next)}, {quiet()});
    const auto count = counted(*loop->as<For>());
    EXPECT_TRUE(count);
    const auto found = count ? iterationValues(*loop->as<For>(), *count, 100) : std::nullopt;
    const auto trips = count ? tripCount(*loop->as<For>(), *count) : std::nullopt;
    if (found) EXPECT_EQ(trips, static_cast<int64_t>(found->size()));
    return found;
  }
};

TEST_F(CountedLoop, additive) {
  auto c = count(lt(ref(i), ref(n)), {step(BinaryOp::Add, lit(1))}, {quiet()});
  ASSERT_TRUE(c);
  EXPECT_EQ(c->var, i);
  EXPECT_TRUE(c->declares);
  EXPECT_EQ(dump(c->begin), "0");
  EXPECT_EQ(c->compare, BinaryOp::Lt);
  EXPECT_EQ(dump(c->end), "n");
  EXPECT_EQ(c->op, BinaryOp::Add);
  EXPECT_EQ(dump(c->step), "1");
}

TEST_F(CountedLoop, downwards) {
  auto c = count(binary(BinaryOp::Ge, ref(i), lit(0)), {step(BinaryOp::Sub, lit(2))}, {quiet()}, ref(n));
  ASSERT_TRUE(c);
  EXPECT_EQ(c->op, BinaryOp::Sub);
  EXPECT_EQ(c->compare, BinaryOp::Ge);
}

TEST_F(CountedLoop, iterationsOfNumbers) {
  EXPECT_EQ(values(lt(ref(i), lit(7)), step(BinaryOp::Add, lit(3)), lit(1)), (Values{1, 4}));
  EXPECT_EQ(values(binary(BinaryOp::Le, ref(i), lit(7)), step(BinaryOp::Add, lit(3)), lit(1)),
            (Values{1, 4, 7}));
  EXPECT_EQ(values(binary(BinaryOp::Ge, ref(i), lit(0)), step(BinaryOp::Sub, lit(2)), lit(3)),
            (Values{3, 1}));
  EXPECT_EQ(values(binary(BinaryOp::Gt, ref(i), lit(0)), step(BinaryOp::Div, lit(2)), lit(9)),
            (Values{9, 4, 2, 1}));
  EXPECT_EQ(values(binary(BinaryOp::Gt, lit(20), ref(i)), step(BinaryOp::Shl, lit(1)), lit(5)),
            (Values{5, 10}));
  EXPECT_EQ(values(lt(ref(i), lit(1)), step(BinaryOp::Add, lit(1)), lit(1)), Values{});
  EXPECT_EQ(values(lt(ref(i), ref(n)), step(BinaryOp::Add, lit(1)), lit(0)), std::nullopt);
  EXPECT_EQ(values(lt(ref(i), lit(101)), step(BinaryOp::Add, lit(1)), lit(0)), std::nullopt);  // too many
  // A test of the variable itself.
  EXPECT_EQ(values(convert(ref(i), boolType()), step(BinaryOp::Sub, lit(1)), lit(2)), (Values{2, 1}));
}

TEST_F(CountedLoop, comparesInTheTypeOfTheCondition) {
  // -1 is more than 5u.
  EXPECT_EQ(values(lt(ref(i), intLit(5, uint32())), step(BinaryOp::Add, lit(1)), lit(-1)), Values{});
  // (unsigned char)256 is 0.
  EXPECT_EQ(values(lt(convert(ref(i), intType(8, false)), lit(3)), step(BinaryOp::Add, lit(1)), lit(256)),
            (Values{256, 257, 258}));
}

TEST_F(CountedLoop, variablesThatLeaveTheirTypeHaveNoTripCount) {
  i = local("i", intType(8, false));
  EXPECT_EQ(values(lt(ref(i), lit(300)), assign(ref(i), convert(add(ref(i), lit(100)), i->type)),
                   intLit(0, i->type)),
            std::nullopt);
  i = local("i", int64());
  EXPECT_EQ(values(binary(BinaryOp::Ne, ref(i), intLit(0, int64())), step(BinaryOp::Shl, lit(62)),
                   intLit(3, int64())),
            std::nullopt);
  i = local("i");
  EXPECT_EQ(
      values(binary(BinaryOp::Ge, ref(i), intLit(-2147483648LL)), step(BinaryOp::Sub, lit(1 << 30)), lit(0)),
      std::nullopt);
}

TEST_F(CountedLoop, mirroredConditionAndWrittenOutStep) {
  StmtPtr next = assign(ref(i), add(lit(4), ref(i)));
  auto c = count(binary(BinaryOp::Gt, ref(n), ref(i)), {next}, {quiet()});
  ASSERT_TRUE(c);
  EXPECT_EQ(c->compare, BinaryOp::Lt);
  EXPECT_EQ(c->op, BinaryOp::Add);
  EXPECT_EQ(dump(c->step), "4");
}

TEST_F(CountedLoop, narrowVariableWithConversions) {
  VarPtr c8 = local("c", intType(8, false));
  StmtPtr loop = forLoop({declare(c8, intLit(0, c8->type))}, lt(ref(c8), lit(10)),
                         {assign(ref(c8), add(ref(c8), lit(1)))}, {});
  auto c = counted(*loop->as<For>());
  ASSERT_TRUE(c);
  EXPECT_EQ(c->var, c8);
  EXPECT_EQ(dump(c->step), "1");
}

TEST_F(CountedLoop, geometric) {
  auto halving =
      count(binary(BinaryOp::Gt, ref(i), lit(0)), {step(BinaryOp::Shr, lit(1))}, {quiet()}, ref(n));
  ASSERT_TRUE(halving);
  EXPECT_EQ(halving->op, BinaryOp::Shr);
  auto doubling = count(lt(ref(i), ref(n)), {step(BinaryOp::Mul, lit(2))}, {quiet()}, lit(1));
  ASSERT_TRUE(doubling);
  EXPECT_EQ(doubling->op, BinaryOp::Mul);
}

TEST_F(CountedLoop, bareVariableAsCondition) {
  auto c = count(convert(ref(i), boolType()), {step(BinaryOp::Shr, lit(1))}, {quiet()}, ref(n));
  ASSERT_TRUE(c);
  EXPECT_EQ(c->compare, BinaryOp::Ne);
  EXPECT_EQ(constantValue(c->end), 0);
}

TEST_F(CountedLoop, stepKnownAtRunTimeOnly) {
  ExprPtr stride = convert(mul(coord(CoordKind::BlockDim, 0), coord(CoordKind::GridDim, 0)), int32());
  auto c = count(lt(ref(i), ref(n)), {step(BinaryOp::Add, stride)}, {store()});
  ASSERT_TRUE(c);
  EXPECT_EQ(dump(c->step), "i32((blockDim.x * gridDim.x))");
}

TEST_F(CountedLoop, variableSetBeforeTheLoop) {
  StmtPtr loop = forLoop({}, lt(ref(i), ref(n)), {step(BinaryOp::Add, lit(1))}, {quiet()});
  auto c = counted(*loop->as<For>());
  ASSERT_TRUE(c);
  EXPECT_FALSE(c->declares);
  EXPECT_EQ(c->begin, nullptr);
}

TEST_F(CountedLoop, endReadFromMemoryThatTheBodyOnlyReads) {
  EXPECT_TRUE(count(lt(ref(i), at(rows, lit(1))), {step(BinaryOp::Add, lit(1))}, {quiet()}));
}

TEST_F(CountedLoop, refusesAVariableAssignedInTheBody) {
  EXPECT_FALSE(count(lt(ref(i), ref(n)), {step(BinaryOp::Add, lit(1))},
                     {ifThen(lt(ref(x), floatLit(0)), {step(BinaryOp::Add, lit(1))})}));
}

TEST_F(CountedLoop, refusesAnEndChangedInTheBody) {
  EXPECT_FALSE(
      count(lt(ref(i), ref(n)), {step(BinaryOp::Add, lit(1))}, {update(ref(n), BinaryOp::Sub, lit(1))}));
}

TEST_F(CountedLoop, refusesAStepChangedInTheBody) {
  EXPECT_FALSE(
      count(lt(ref(i), ref(n)), {step(BinaryOp::Add, ref(s))}, {update(ref(s), BinaryOp::Mul, lit(2))}));
}

TEST_F(CountedLoop, refusesAnEndInMemoryThatTheBodyMayWrite) {
  EXPECT_FALSE(count(lt(ref(i), at(rows, lit(1))), {step(BinaryOp::Add, lit(1))}, {store()}));
  EXPECT_FALSE(count(lt(ref(i), at(rows, lit(1))), {step(BinaryOp::Add, lit(1))}, {makeStmt(Barrier{})}));
}

TEST_F(CountedLoop, refusesAnEscapedVariable) {
  FunctionPtr f = function("f", voidType(), {param("p", ptr(int32(), Space::Private))}, {});
  f->writesMemory = true;
  EXPECT_FALSE(count(lt(ref(i), ref(n)), {step(BinaryOp::Add, lit(1))},
                     {eval(call(f, {addressOf(ref(i), Space::Private)}))}));
  EXPECT_FALSE(count(lt(ref(i), ref(n)), {step(BinaryOp::Add, lit(1))},
                     {eval(call(f, {addressOf(ref(n), Space::Private)}))}));
}

TEST_F(CountedLoop, storesThroughAPointerToPrivateMemoryCount) {
  VarPtr p = local("p", ptr(int32(), Space::Private));
  StmtPtr loop = forLoop({declare(i, lit(0))}, lt(ref(i), ref(n)), {step(BinaryOp::Add, lit(1))},
                         {assign(at(p, lit(0)), lit(3))});
  EXPECT_FALSE(counted(*loop->as<For>())) << "p may point to n";
  std::set<const Variable*> none, some{n.get()};
  EXPECT_TRUE(counted(*loop->as<For>(), &none));
  EXPECT_FALSE(counted(*loop->as<For>(), &some));
}

TEST_F(CountedLoop, refusesStepsThatLeadAway) {
  VarPtr u = local("u", uint32());
  StmtPtr loop = forLoop({declare(u, ref(u))}, lt(ref(u), intLit(9, uint32())),
                         {update(ref(u), BinaryOp::Sub, intLit(1, uint32()))}, {});
  EXPECT_FALSE(counted(*loop->as<For>())) << "ends by wrapping around";
  EXPECT_FALSE(count(lt(ref(i), ref(n)), {step(BinaryOp::Add, lit(0))}, {quiet()}));
  EXPECT_FALSE(count(lt(ref(i), ref(n)), {step(BinaryOp::Shr, lit(1))}, {quiet()}));
  EXPECT_FALSE(count(lt(ref(i), ref(n)), {step(BinaryOp::Mul, lit(1))}, {quiet()}));
}

TEST_F(CountedLoop, refusesTwoSteps) {
  EXPECT_FALSE(
      count(lt(ref(i), ref(n)), {step(BinaryOp::Add, lit(1)), step(BinaryOp::Mul, lit(2))}, {quiet()}));
}

TEST_F(CountedLoop, keepsFurtherStepsApart) {
  auto c = count(lt(ref(i), ref(n)), {step(BinaryOp::Add, lit(1)), update(ref(s), BinaryOp::Add, lit(2))},
                 {quiet()});
  EXPECT_TRUE(c);
  EXPECT_FALSE(count(lt(ref(i), ref(n)), {step(BinaryOp::Add, lit(1)), update(ref(n), BinaryOp::Sub, lit(1))},
                     {quiet()}));
}

TEST_F(CountedLoop, refusesFloatingAndCompoundConditions) {
  EXPECT_FALSE(count(lt(ref(x), floatLit(1)), {step(BinaryOp::Add, lit(1))}, {quiet()}));
  ExprPtr both = binary(BinaryOp::LogicalAnd, lt(ref(i), ref(n)), lt(ref(s), ref(n)));
  EXPECT_FALSE(count(both, {step(BinaryOp::Add, lit(1))}, {quiet()}));
  EXPECT_FALSE(count(nullptr, {step(BinaryOp::Add, lit(1))}, {breakOut()}));
}

}  // namespace

}  // namespace hone::ir::test
