#include "ir/Compare.h"
#include "ir/ShortIr.h"

namespace hone::ir::test {

TEST(Expr, binaryConvertsOperands) {
  VarPtr i = local("i"), n = local("n", uint64()), c = local("c", intType(8, false)), x = local("x", f32());
  EXPECT_EQ(dump(lt(ref(i), ref(n))), "(u64(i) < n)");
  EXPECT_EQ(dump(add(ref(c), ref(c))), "(i32(c) + i32(c))");
  EXPECT_EQ(dump(mul(ref(i), ref(x))), "(f32(i) * x)");
  EXPECT_EQ(dump(binary(BinaryOp::Shl, ref(c), ref(n))), "(i32(c) << n)");
  EXPECT_EQ(dump(binary(BinaryOp::LogicalAnd, ref(i), lt(ref(i), lit(3)))), "(bool(i) && (i < 3))");
  EXPECT_EQ(str(*lt(ref(x), ref(x))->type), "bool");
}

TEST(Expr, binaryOfVectorsWidensScalars) {
  VarPtr v = local("v", vectorType(f32(), 4));
  EXPECT_EQ(dump(mul(ref(v), lit(2))), "(v * f32x4(2))");
  EXPECT_EQ(str(*lt(ref(v), ref(v))->type), "i32x4");
}

TEST(Expr, pointerArithmeticIsAnAddress) {
  VarPtr p = param("p", ptr(f32())), q = param("q", ptr(f32())), u = local("u", uint32());
  EXPECT_EQ(dump(add(ref(p), lit(3))), "&p[3]");
  EXPECT_EQ(dump(add(lit(3), ref(p))), "&p[3]");
  EXPECT_EQ(dump(binary(BinaryOp::Sub, ref(p), ref(u))), "&p[-i64(u)]")
      << "an unsigned index must not wrap at 32 bits";
  ExprPtr difference = binary(BinaryOp::Sub, ref(p), ref(q));
  EXPECT_EQ(dump(difference), "(p ptrdiff q)");
  EXPECT_EQ(str(*difference->type), "i64");
}

TEST(Expr, convertMakesNoNodeForTheSameType) {
  ExprPtr i = ref(local("i"));
  EXPECT_EQ(convert(i, withSpelling(int32(), "index_t")), i);
  EXPECT_NE(convert(i, uint32()), i);
  ExprPtr p = ref(param("p", pointerType(f32(), Space::Global, true)));
  EXPECT_EQ(convert(p, ptr(f32())), p);
  ExprPtr unconst = convert(p, ptr(f32()), true);
  EXPECT_TRUE(unconst->is<Cast>()) << "C needs this cast written";
}

TEST(Expr, subscriptsOfArraysMerge) {
  VarPtr t = shared("t", arrayType(arrayType(f32(), 17), 16)), i = local("i"), j = local("j");
  ExprPtr row = subscript(ref(t), {ref(i)});
  EXPECT_EQ(dump(subscript(row, {ref(j)})), "t[i, j]");
  ExprPtr decayed = addressOf(subscript(row, {lit(0)}), Space::Shared);
  EXPECT_EQ(dump(subscript(decayed, {ref(j)})), "t[i, j]");
  EXPECT_EQ(str(*subscript(row, {ref(j)})->type), "f32");
}

TEST(Expr, subscriptsThroughPointersStayApart) {
  VarPtr pp = param("pp", ptr(ptr(f32()))), i = local("i"), j = local("j");
  EXPECT_EQ(dump(subscript(at(pp, ref(i)), {ref(j)})), "pp[i][j]");
}

TEST(Expr, derefAndAddressOfCancel) {
  VarPtr p = param("p", ptr(f32())), i = local("i"), x = local("x", f32());
  EXPECT_EQ(dump(addressOf(deref(ref(p)), Space::Global)), "p");
  EXPECT_EQ(dump(addressOf(at(p, lit(0)), Space::Global)), "p");
  EXPECT_EQ(dump(deref(addressOf(ref(x), Space::Private))), "x");
  EXPECT_EQ(dump(deref(add(ref(p), ref(i)))), "p[i]");
  EXPECT_EQ(dump(subscript(add(ref(p), ref(i)), {lit(0)})), "p[i]");
  EXPECT_EQ(dump(subscript(add(ref(p), ref(i)), {lit(2)})), "&p[i][2]")
      << "widths could differ: stays nested";
  VarPtr a = local("a", arrayType(f32(), 4));
  ExprPtr decay = addressOf(at(a, lit(0)), Space::Private);
  EXPECT_EQ(dump(decay), "&a[0]");
  EXPECT_EQ(dump(deref(decay)), "a[0]");
}

TEST(Expr, addressesCarryQualifiersOfThePlace) {
  VarPtr p = param("p", pointerType(f32(), Space::Global, true));
  EXPECT_EQ(str(*add(ref(p), lit(1))->type), "ptr<global const f32>");
  auto c = variable("c", arrayType(f32(), 4), Storage::Global, Space::Constant);
  c->isConst = true;
  EXPECT_EQ(str(*addressOf(at(c, lit(1)), Space::Constant)->type), "ptr<constant const f32>");
}

TEST(Expr, constantsFoldInTheirTypes) {
  EXPECT_EQ(constantValue(add(lit(3), mul(lit(4), lit(5)))), 23);
  EXPECT_EQ(constantValue(unary(UnaryOp::Neg, lit(1))), -1);
  EXPECT_EQ(constantValue(intLit(-1, uint32())), 4294967295);
  EXPECT_EQ(constantValue(convert(lit(300), intType(8, false))), 44);
  EXPECT_EQ(constantValue(convert(lit(200), intType(8, true))), -56);
  EXPECT_EQ(constantValue(binary(BinaryOp::Sub, intLit(1, uint32()), intLit(2, uint32()))), 4294967295);
  EXPECT_EQ(constantValue(binary(BinaryOp::Shr, lit(-8), lit(1))), -4);
  EXPECT_EQ(constantValue(lt(lit(-1), intLit(1, uint32()))), 0) << "the comparison is unsigned";
  EXPECT_EQ(constantValue(makeExpr(int32(), Select{boolLit(true), lit(7), ref(local("x"))})), 7);
}

TEST(Expr, constantsWithoutAValueDoNotFold) {
  EXPECT_EQ(constantValue(binary(BinaryOp::Div, lit(1), lit(0))), std::nullopt);
  EXPECT_EQ(constantValue(binary(BinaryOp::Shl, lit(1), lit(32))), std::nullopt);
  EXPECT_EQ(constantValue(add(lit(2147483647), lit(1))), std::nullopt);
  EXPECT_EQ(constantValue(intLit(-1, uint64())), std::nullopt);
  EXPECT_EQ(constantValue(ref(local("i"))), std::nullopt);
  EXPECT_EQ(constantValue(convert(floatLit(1.5), int32())), std::nullopt);
}

TEST(Expr, rootVariable) {
  auto record = std::make_shared<Record>();
  record->name = "S";
  record->fields = {{"data", ptr(f32())}, {"x", f32()}};
  VarPtr s = param("s", structType(record)), p = param("p", ptr(structType(record))),
         a = param("a", ptr(f32()));
  EXPECT_EQ(rootVariable(at(a, lit(1))), a);
  EXPECT_EQ(rootVariable(deref(convert(add(ref(a), lit(4)), ptr(vectorType(f32(), 4))))), a);
  EXPECT_EQ(rootVariable(member(at(p, lit(1)), 1)), p);
  EXPECT_EQ(rootVariable(subscript(member(ref(s), 0), {lit(1)})), s);
  EXPECT_EQ(rootVariable(subscript(member(at(p, lit(1)), 0), {lit(1)})), nullptr)
      << "the pointer comes from memory";
}

TEST(Expr, placesAreWhatCanBeAssigned) {
  VarPtr p = param("p", ptr(vectorType(f32(), 4)));
  ExprPtr lane = makeExpr(f32(), Swizzle{at(p, lit(0)), {1}});
  EXPECT_TRUE(isPlace(*lane));
  EXPECT_FALSE(isPlace(*add(lit(1), lit(2))));
  ExprPtr made = makeExpr(vectorType(f32(), 2), Construct{{floatLit(1), floatLit(2)}});
  EXPECT_FALSE(isPlace(*makeExpr(f32(), Swizzle{made, {1}})));
}

}  // namespace hone::ir::test
