#include "ir/Verify.h"

#include "ir/ShortIr.h"

namespace hone::ir::test {

namespace {

using Rules = std::vector<int>;

class Verifying : public ::testing::Test {
 protected:
  VarPtr a = param("a", ptr(f32())), n = param("n");
  VarPtr x = local("x"), f = local("f", f32());

  std::vector<std::string> violations(StmtList body) { return verify(*kernel({a, n}, std::move(body))); }
  Rules broken(StmtList body) { return rules(violations(std::move(body))); }
  // The body after declarations of x and f.
  Rules brokenAfterDeclarations(StmtList body) {
    body.insert(body.begin(), {declare(x, lit(0)), declare(f, floatLit(0))});
    return broken(std::move(body));
  }
  static StmtPtr rawAssign(ExprPtr place, ExprPtr value, std::optional<BinaryOp> op = {}) {
    return makeStmt(Assign{std::move(place), op, std::move(value), false});
  }
  static ExprPtr raw(TypePtr type, Expr::Node node) { return makeExpr(std::move(type), std::move(node)); }
};

TEST_F(Verifying, acceptsAKernel) {
  VarPtr i = local("i"), tile = shared("tile", arrayType(arrayType(f32(), 17), 16)),
         old = local("old", f32());
  auto r = variable("r", ptr(f32()));
  r->isReference = true;
  VarPtr reference = r;
  StmtList body = {
      declare(tile),
      declare(i, convert(globalId(), int32())),
      ifThen(binary(BinaryOp::Ge, ref(i), ref(n)), {ret()}),
      declare(reference, add(ref(a), ref(i))),
      assign(subscript(ref(tile), {lit(1), lit(2)}), deref(ref(reference))),
      makeStmt(Barrier{}),
      declare(old, call("atomic_add", f32(), {ref(a), floatLit(1)})),
      forLoop({declare(x, lit(0))}, lt(ref(x), lit(3)), {update(ref(x), BinaryOp::Add, lit(1))},
              {ifThen(lt(ref(x), lit(2)), {makeStmt(Continue{})}),
               update(at(a, ref(i)), BinaryOp::Mul, floatLit(2))}),
      makeStmt(Switch{ref(i), {{{lit(1)}, false, {breakOut()}}, {{}, true, {ret()}}}}),
  };
  EXPECT_EQ(joinLines(violations(body)), "");
}

TEST_F(Verifying, messagesNameRuleSubjectAndLine) {
  StmtPtr s = makeStmt(Return{lit(1)}, lineOf(12));
  EXPECT_EQ(violations({s}), std::vector<std::string>{"test.cu:12: k: rule 22: a value is returned"});
}

TEST_F(Verifying, rule1NothingIsMissing) {
  EXPECT_EQ(broken({makeStmt(If{boolLit(true), ret(), nullptr})}), Rules{1});
  EXPECT_EQ(broken({makeStmt(While{nullptr, block({}), 0})}), Rules{1});
  EXPECT_EQ(broken({nullptr}), Rules{1});
  EXPECT_EQ(
      brokenAfterDeclarations({rawAssign(ref(x), raw(int32(), Binary{BinaryOp::Add, lit(1), nullptr}))}),
      Rules{1});
}

TEST_F(Verifying, rule2ScopesEnd) {
  EXPECT_EQ(broken({assign(ref(x), lit(1))}), Rules{2});
  EXPECT_EQ(broken({block({declare(x, lit(0))}), assign(ref(x), lit(1))}), Rules{2});
  EXPECT_EQ(broken({declare(x, ref(x))}), Rules{2}) << "not yet there in its own initializer";
  StmtPtr loop =
      forLoop({declare(x, lit(0))}, lt(ref(x), lit(1)), {update(ref(x), BinaryOp::Add, lit(1))}, {});
  EXPECT_EQ(broken({loop, assign(ref(x), lit(1))}), Rules{2});
}

TEST_F(Verifying, rule3DeclaredOnce) {
  EXPECT_EQ(broken({declare(x, lit(0)), declare(x, lit(0))}), Rules{3});
  EXPECT_EQ(rules(verify(*kernel({n, n}, {}))), Rules{3});
}

TEST_F(Verifying, rule4TypeOfAVariable) {
  EXPECT_EQ(broken({declare(x, lit(0)), declare(f, raw(f32(), VarRef{x}))}), Rules{4});
}

TEST_F(Verifying, rule5Declarations) {
  EXPECT_EQ(broken({declare(local("v", voidType()))}), Rules{5});
  EXPECT_EQ(broken({declare(param("p"))}), Rules{5});
  EXPECT_EQ(broken({declare(shared("s", int32()), lit(1))}), Rules{5});
  EXPECT_EQ(broken({forLoop({declare(shared("s", int32()))}, boolLit(false), {}, {})}), Rules{5});
  auto r = variable("r", ptr(f32()));
  r->isReference = true;
  EXPECT_EQ(broken({declare(VarPtr(r))}), Rules{5});
}

TEST_F(Verifying, rule6Initializers) {
  EXPECT_EQ(broken({declare(x, floatLit(1))}), Rules{6});
  EXPECT_EQ(broken({declare(local("p", ptr(f32(), Space::Generic)), ref(a))}), Rules{})
      << "a pointer may forget its space";
  EXPECT_EQ(broken({declare(local("p", ptr(f32(), Space::Shared)), ref(a))}), Rules{6});
}

TEST_F(Verifying, rule7Assignments) {
  EXPECT_EQ(brokenAfterDeclarations({rawAssign(ref(x), floatLit(1))}), Rules{7});
  EXPECT_EQ(brokenAfterDeclarations({rawAssign(add(ref(x), lit(1)), lit(1))}), Rules{7});
  EXPECT_EQ(brokenAfterDeclarations({rawAssign(ref(f), lit(1), BinaryOp::Add)}), Rules{7})
      << "C computes in float";
  EXPECT_EQ(brokenAfterDeclarations({rawAssign(ref(x), floatLit(1), BinaryOp::Add)}), Rules{});
  EXPECT_EQ(brokenAfterDeclarations({rawAssign(ref(x), floatLit(1), BinaryOp::Shl)}), Rules{7});
  EXPECT_EQ(brokenAfterDeclarations({rawAssign(ref(x), lit(1), BinaryOp::Lt)}), Rules{7});
  auto c = variable("c", int32());
  c->isConst = true;
  VarPtr constant = c;
  EXPECT_EQ(broken({declare(constant, lit(1)), assign(ref(constant), lit(2))}), Rules{7});
  VarPtr v = local("v", vectorType(f32(), 4));
  ExprPtr twice = raw(vectorType(f32(), 2), Swizzle{ref(v), {0, 0}});
  ExprPtr pair = raw(vectorType(f32(), 2), Construct{{floatLit(1), floatLit(2)}});
  EXPECT_EQ(broken({declare(v), rawAssign(twice, pair)}), Rules{7});
}

TEST_F(Verifying, rule8Operands) {
  auto value = [&](ExprPtr e) { return brokenAfterDeclarations({declare(local("y", e->type), e)}); };
  EXPECT_EQ(value(raw(int32(), Binary{BinaryOp::Add, lit(1), intLit(1, uint32())})), Rules{8});
  EXPECT_EQ(value(raw(int32(), Binary{BinaryOp::Lt, lit(1), lit(2)})), Rules{8});
  EXPECT_EQ(value(raw(f32(), Binary{BinaryOp::Rem, floatLit(1), floatLit(2)})), Rules{8});
  EXPECT_EQ(value(raw(boolType(), Binary{BinaryOp::LogicalAnd, lit(1), lit(1)})), Rules{8});
  EXPECT_EQ(value(raw(a->type, Binary{BinaryOp::Add, ref(a), ref(a)})), Rules{8});
  EXPECT_EQ(value(raw(charType(), Binary{BinaryOp::Add, intLit(1, charType()), intLit(1, charType())})),
            Rules{8});
  EXPECT_EQ(value(raw(boolType(), Unary{UnaryOp::Not, lit(1)})), Rules{8});
  EXPECT_EQ(value(raw(f32(), Unary{UnaryOp::BitNot, floatLit(1)})), Rules{8});
  EXPECT_EQ(value(raw(uint32(), Binary{BinaryOp::Shl, lit(1), lit(1)})), Rules{8});
  EXPECT_EQ(value(raw(int32(), Binary{BinaryOp::PtrDiff, ref(a), ref(a)})), Rules{8});
}

TEST_F(Verifying, rule9Conversions) {
  EXPECT_EQ(broken({declare(local("p", ptr(f32())), raw(ptr(f32()), Cast{floatLit(1)}))}), Rules{9});
  VarPtr v2 = local("v2", vectorType(f32(), 2));
  EXPECT_EQ(broken({declare(v2),
                    declare(local("v4", vectorType(f32(), 4)), raw(vectorType(f32(), 4), Cast{ref(v2)}))}),
            Rules{9});
}

TEST_F(Verifying, rule10Selections) {
  EXPECT_EQ(broken({declare(x, raw(int32(), Select{lit(1), lit(2), lit(3)}))}), Rules{10});
  EXPECT_EQ(broken({declare(x, raw(int32(), Select{boolLit(true), lit(2), floatLit(3)}))}), Rules{10});
}

TEST_F(Verifying, rule11Calls) {
  FunctionPtr g = function("g", int32(), {param("p")}, {ret(lit(1))});
  EXPECT_EQ(broken({declare(x, call(g, {}))}), Rules{11});
  EXPECT_EQ(broken({declare(x, call(g, {floatLit(1)}))}), Rules{11});
  EXPECT_EQ(broken({declare(x, raw(int32(), Call{}))}), Rules{11});
  EXPECT_EQ(broken({declare(f, call("sqrt", f32(), {floatLit(1), floatLit(2)}))}), Rules{11});
}

TEST_F(Verifying, rule12EffectsAtTheRoot) {
  ExprPtr old = call("atomic_add", f32(), {ref(a), floatLit(1)});
  EXPECT_EQ(broken({declare(f, old)}), Rules{});
  EXPECT_EQ(broken({eval(old)}), Rules{});
  EXPECT_EQ(broken({declare(f, add(old, floatLit(1)))}), Rules{12});
  EXPECT_EQ(broken({ifThen(lt(old, floatLit(1)), {})}), Rules{12});
  EXPECT_EQ(brokenAfterDeclarations({rawAssign(ref(f), old, BinaryOp::Add)}), Rules{});
  EXPECT_EQ(broken({eval(lit(1))}), Rules{12});
}

TEST_F(Verifying, rule13Subscripts) {
  EXPECT_EQ(broken({declare(f, raw(f32(), Subscript{ref(a), {lit(1), lit(2)}}))}), Rules{13});
  EXPECT_EQ(broken({declare(f, raw(f32(), Subscript{ref(a), {floatLit(1)}}))}), Rules{13});
  EXPECT_EQ(broken({declare(x, raw(int32(), Subscript{ref(a), {lit(1)}}))}), Rules{13});
  EXPECT_EQ(broken({declare(f, raw(f32(), Subscript{ref(n), {lit(1)}}))}), Rules{13});
}

TEST_F(Verifying, rule14To17PartsOfValues) {
  auto record = std::make_shared<Record>();
  record->name = "S";
  record->fields = {{"x", f32()}};
  TypePtr type = structType(record);
  VarPtr s = local("s", type), v = local("v", vectorType(f32(), 4));
  EXPECT_EQ(broken({declare(s), declare(f, raw(f32(), Member{ref(s), 3}))}), Rules{14});
  EXPECT_EQ(broken({declare(s), declare(x, raw(int32(), Member{ref(s), 0}))}), Rules{14});
  EXPECT_EQ(broken({declare(v), declare(f, raw(f32(), Swizzle{ref(v), {4}}))}), Rules{15});
  EXPECT_EQ(broken({declare(v), declare(f, raw(f32(), Swizzle{ref(v), {0, 1}}))}), Rules{15});
  EXPECT_EQ(broken({declare(local("p", ptr(int32())), raw(ptr(int32()), AddressOf{add(ref(n), lit(1))}))}),
            Rules{16});
  EXPECT_EQ(broken({declare(local("p", ptr(f32())), raw(ptr(f32()), AddressOf{ref(n)}))}), Rules{16});
  EXPECT_EQ(broken({declare(v, raw(v->type, Construct{{floatLit(1)}}))}), Rules{17});
  EXPECT_EQ(broken({declare(s, raw(type, Construct{{lit(1)}}))}), Rules{17});
  EXPECT_EQ(broken({declare(s, raw(type, Construct{{floatLit(1), floatLit(2)}}))}), Rules{17});
}

TEST_F(Verifying, rule18And19Leaves) {
  EXPECT_EQ(broken({declare(local("c", intType(8, false)), raw(intType(8, false), IntLiteral{300, {}, {}}))}),
            Rules{18});
  EXPECT_EQ(broken({declare(f, raw(f32(), IntLiteral{1, {}, {}}))}), Rules{18});
  EXPECT_EQ(broken({declare(local("u", uint32()), coord(CoordKind::ThreadIdx, 3))}), Rules{19});
}

TEST_F(Verifying, rule20Conditions) {
  EXPECT_EQ(broken({makeStmt(If{ref(n), block({}), nullptr})}), Rules{20});
  EXPECT_EQ(broken({makeStmt(Assert{ref(n), "n"})}), Rules{20});
  EXPECT_EQ(broken({forLoop({}, ref(n), {}, {})}), Rules{20});
}

TEST_F(Verifying, rule21WaysOut) {
  EXPECT_EQ(broken({breakOut()}), Rules{21});
  EXPECT_EQ(broken({makeStmt(Switch{ref(n), {{{lit(1)}, false, {makeStmt(Continue{})}}}})}), Rules{21});
  EXPECT_EQ(broken({forLoop({}, nullptr, {breakOut()}, {})}), Rules{21});
  EXPECT_EQ(broken({whileLoop(boolLit(true), {forLoop({}, nullptr, {}, {breakOut()}), breakOut()})}),
            Rules{});
}

TEST_F(Verifying, rule22Returns) {
  VarPtr p = param("p");
  EXPECT_EQ(rules(verify(*function("g", int32(), {p}, {ret(floatLit(1))}))), Rules{22});
  EXPECT_EQ(rules(verify(*function("g", int32(), {p}, {ret()}))), Rules{22});
  EXPECT_EQ(rules(verify(*function("g", int32(), {p}, {ret(ref(p))}))), Rules{});
}

TEST_F(Verifying, rule23Switches) {
  EXPECT_EQ(broken({makeStmt(Switch{ref(n), {{{lit(1)}, false, {}}, {{lit(1)}, false, {}}}})}), Rules{23});
  EXPECT_EQ(broken({makeStmt(Switch{ref(n), {{{ref(n)}, false, {}}}})}), Rules{23});
  EXPECT_EQ(broken({makeStmt(Switch{ref(n), {{{}, true, {}}, {{}, true, {}}}})}), Rules{23});
  EXPECT_EQ(broken({makeStmt(Switch{floatLit(1), {}})}), Rules{23});
}

TEST_F(Verifying, rule24Barriers) {
  EXPECT_EQ(broken({makeStmt(Barrier{SyncScope::Block, ref(n), true, true})}), Rules{24});
  EXPECT_EQ(broken({makeStmt(Barrier{SyncScope::Warp, ref(n), true, true})}), Rules{});
}

TEST_F(Verifying, rule25FlagsOfFunctions) {
  VarPtr p = param("p", ptr(f32()));
  FunctionPtr writer = function("w", voidType(), {p}, {assign(at(p, lit(0)), floatLit(1))});
  EXPECT_EQ(rules(verify(*writer)), Rules{25});
  writer->writesMemory = true;
  EXPECT_EQ(rules(verify(*writer)), Rules{});
  FunctionPtr waiter = function("s", voidType(), {}, {makeStmt(Barrier{})});
  EXPECT_EQ(rules(verify(*waiter)), Rules{25});
}

TEST_F(Verifying, rule26Parameters) {
  EXPECT_EQ(rules(verify(*kernel({local("p")}, {}))), Rules{26});
  EXPECT_EQ(rules(verify(*kernel({param("p", arrayType(f32(), 4))}, {}))), Rules{26});
  EXPECT_EQ(rules(verify(*kernel({param("p", ptr(f32(), Space::Private))}, {}))), Rules{26});
  EXPECT_EQ(rules(verify(*function("g", voidType(), {param("p", ptr(f32(), Space::Private))}, {}))), Rules{});
}

TEST_F(Verifying, rule27Unrolling) {
  EXPECT_EQ(broken({makeStmt(While{boolLit(false), block({}), -2})}), Rules{27});
}

class VerifyingPlans : public ::testing::Test {
 protected:
  VarPtr a = param("a", ptr(f32())), n = param("n");
  KernelPtr k = kernel({a, n}, {});
  std::shared_ptr<Plan> plan = std::make_shared<Plan>(*originalPlan(k));
  LaunchStep& launch() { return std::get<LaunchStep>(plan->steps[0]); }
  Rules broken() { return rules(verify(*plan)); }
};

TEST_F(VerifyingPlans, acceptsTheOriginal) { EXPECT_EQ(joinLines(verify(*plan)), ""); }

TEST_F(VerifyingPlans, rule28Steps) {
  plan->steps.clear();
  EXPECT_EQ(broken(), Rules{28});
  plan->steps.emplace_back(BufferStep{local("b", ptr(f32())), lit(1)});
  EXPECT_EQ(broken(), Rules{28});
  plan->original = nullptr;
  EXPECT_EQ(broken(), Rules{28});
}

TEST_F(VerifyingPlans, rule29Launches) {
  launch().args.pop_back();
  EXPECT_EQ(broken(), Rules{29});
  launch().args.push_back(floatLit(1));
  EXPECT_EQ(broken(), Rules{29});
  launch().args.back() = lit(1);
  EXPECT_EQ(broken(), Rules{});
  launch().grid[2] = nullptr;
  EXPECT_EQ(broken(), Rules{29});
}

TEST_F(VerifyingPlans, rule30BuffersComeFirst) {
  VarPtr buffer = local("b", ptr(f32()));
  launch().args[0] = ref(buffer);
  EXPECT_EQ(broken(), Rules{2});
  plan->steps.insert(plan->steps.begin(), BufferStep{buffer, ref(n)});
  EXPECT_EQ(broken(), Rules{});
  std::get<BufferStep>(plan->steps[0]).count = floatLit(1);
  EXPECT_EQ(broken(), Rules{30});
}

TEST_F(VerifyingPlans, rule31Choices) {
  PlanPtr original = originalPlan(k);
  plan->steps = {ChoiceStep{lt(ref(n), lit(1)), original, original}};
  EXPECT_EQ(broken(), Rules{});
  plan->steps = {ChoiceStep{lit(1), original, original}};
  EXPECT_EQ(broken(), Rules{31});
  plan->steps = {ChoiceStep{boolLit(true), original, nullptr}};
  EXPECT_EQ(broken(), Rules{31});
  plan->steps = {ChoiceStep{boolLit(true), original, originalPlan(kernel({a, n}, {}))}};
  EXPECT_EQ(broken(), Rules{31});
}

TEST_F(VerifyingPlans, rule32Loops) {
  PlanPtr original = originalPlan(k);
  VarPtr s = local("s", int32());
  LoopStep loop{s, ref(n), lt(lit(0), ref(s)), binary(BinaryOp::Div, ref(s), lit(2)), original};
  plan->steps = {loop};
  EXPECT_EQ(broken(), Rules{});
  plan->steps = {loop, loop};
  EXPECT_EQ(broken(), Rules{});
  plan->steps = {LoopStep{s, ref(s), loop.cond, loop.next, original}};
  EXPECT_EQ(broken(), Rules{2});
  plan->steps = {LoopStep{s, ref(n), lit(1), loop.next, original}};
  EXPECT_EQ(broken(), Rules{32});
  plan->steps = {LoopStep{s, ref(n), loop.cond, loop.next, nullptr}};
  EXPECT_EQ(broken(), Rules{32});
}

TEST_F(VerifyingPlans, kernelsOfLaunchesAreVerified) {
  launch().kernel = kernel({a, n}, {breakOut()});
  EXPECT_EQ(broken(), Rules{21});
}

}  // namespace

}  // namespace hone::ir::test
