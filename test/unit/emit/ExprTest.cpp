#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "emit/Build.h"

namespace hone {
namespace {

using namespace ir;
using test::bodyText;
using test::text;
using test::use;
using test::variable;

ExprPtr var(const char* name, TypePtr type = int32()) { return use(variable(name, std::move(type))); }
ExprPtr spelled(ExprPtr e, const char* spelling) {
  Expr copy = *e;
  if (auto* i = std::get_if<IntLiteral>(&copy.node)) i->spelling = spelling;
  if (auto* f = std::get_if<FloatLiteral>(&copy.node)) f->spelling = spelling;
  return std::make_shared<Expr>(copy);
}

TEST(Literals, KeepASpellingThatMeansTheSame) {
  EXPECT_EQ(text(spelled(intLit(255), "0xff")), "0xff");
  EXPECT_EQ(text(spelled(intLit(254), "0xff")), "254");
  EXPECT_EQ(text(spelled(intLit(255, uint32()), "0xffu")), "0xffu");
  EXPECT_EQ(text(spelled(intLit(1000000), "1'000'000")), "1'000'000");
  EXPECT_EQ(text(spelled(intLit(0777), "0777")), "0777");
  EXPECT_EQ(text(spelled(intLit('a', charType()), "'a'")), "'a'");
  EXPECT_EQ(text(spelled(floatLit(0.1f), "0.1f")), "0.1f");
  EXPECT_EQ(text(spelled(floatLit(0.5f), "0.1f")), "0.5f");
  EXPECT_EQ(text(spelled(floatLit(0.0625, floatType(64)), "0x1p-4")), "0x1p-4");
  EXPECT_EQ(text(spelled(intLit(7, int64()), "7LL"), Language::OpenCL), "7l");
}

TEST(Literals, GetTheSuffixOfTheirType) {
  EXPECT_EQ(text(intLit(3)), "3");
  EXPECT_EQ(text(intLit(3, uint32())), "3u");
  EXPECT_EQ(text(intLit(-3)), "-3");
  EXPECT_EQ(text(intLit(3, int64())), "3ll");
  EXPECT_EQ(text(intLit(-1, uint64())), "18446744073709551615ull");
  EXPECT_EQ(text(intLit(3, uint64()), Language::OpenCL), "3ul");
  EXPECT_EQ(text(intLit(std::numeric_limits<int>::min())), "-2147483647 - 1");
  EXPECT_EQ(text(boolLit(true)), "true");
}

TEST(Literals, FloatsRoundTrip) {
  EXPECT_EQ(text(floatLit(1)), "1.0f");
  EXPECT_EQ(text(floatLit(0.1f)), "0.1f");
  EXPECT_EQ(text(floatLit(0.1, floatType(64))), "0.1");
  EXPECT_EQ(text(floatLit(1e30f)), "1e+30f");
  EXPECT_EQ(text(floatLit(-2.5f)), "-2.5f");
  EXPECT_EQ(text(floatLit(INFINITY)), "__int_as_float(0x7f800000)");
  EXPECT_EQ(text(floatLit(INFINITY), Language::OpenCL), "as_float(0x7f800000)");
  EXPECT_EQ(text(floatLit(-INFINITY, floatType(64))), "__longlong_as_double(0xfff0000000000000ll)");
}

TEST(Precedence, NoNeedlessParentheses) {
  ExprPtr a = var("a"), b = var("b"), c = var("c");
  auto bin = [](BinaryOp op, ExprPtr x, ExprPtr y) { return binary(op, std::move(x), std::move(y)); };
  EXPECT_EQ(text(bin(BinaryOp::Add, bin(BinaryOp::Mul, a, b), c)), "a * b + c");
  EXPECT_EQ(text(bin(BinaryOp::Mul, bin(BinaryOp::Add, a, b), c)), "(a + b) * c");
  EXPECT_EQ(text(bin(BinaryOp::Sub, a, bin(BinaryOp::Sub, b, c))), "a - (b - c)");
  EXPECT_EQ(text(bin(BinaryOp::Sub, bin(BinaryOp::Sub, a, b), c)), "a - b - c");
  EXPECT_EQ(text(bin(BinaryOp::Shl, bin(BinaryOp::Add, a, b), c)), "(a + b) << c");
  EXPECT_EQ(text(bin(BinaryOp::BitOr, bin(BinaryOp::Shl, a, b), c)), "a << b | c");
  EXPECT_EQ(text(bin(BinaryOp::BitOr, bin(BinaryOp::BitAnd, a, b), c)), "(a & b) | c");
  EXPECT_EQ(text(bin(BinaryOp::Ne, bin(BinaryOp::BitAnd, a, b), c)), "(a & b) != c");
  EXPECT_EQ(text(unary(UnaryOp::Neg, unary(UnaryOp::Neg, a))), "-(-a)");
  EXPECT_EQ(text(unary(UnaryOp::Neg, intLit(-3))), "-(-3)");
  EXPECT_EQ(text(bin(BinaryOp::Sub, a, intLit(-3))), "a - -3");
  EXPECT_EQ(text(bin(BinaryOp::Sub, a, intLit(std::numeric_limits<int>::min()))), "a - (-2147483647 - 1)");
  ExprPtr less = bin(BinaryOp::Lt, a, b), more = bin(BinaryOp::Gt, b, c);
  ExprPtr both = bin(BinaryOp::LogicalAnd, less, more);
  EXPECT_EQ(text(bin(BinaryOp::LogicalOr, both, less)), "(a < b && b > c) || a < b");
  EXPECT_EQ(text(unary(UnaryOp::Not, both)), "!(a < b && b > c)");
  ExprPtr choice = makeExpr(int32(), Select{less, a, b});
  EXPECT_EQ(text(makeExpr(int32(), Select{less, choice, choice})), "a < b ? (a < b ? a : b) : a < b ? a : b");
}

TEST(Casts, LeftOutWhereCRecreatesThem) {
  ExprPtr i = var("i"), u = var("u", uint32()), l = var("l", int64()), f = var("f", floatType(32)),
          d = var("d", floatType(64)), c = var("c", charType());
  EXPECT_EQ(text(binary(BinaryOp::Add, i, u)), "i + u");
  EXPECT_EQ(text(binary(BinaryOp::Mul, f, i)), "f * i");
  EXPECT_EQ(text(binary(BinaryOp::Add, c, c)), "c + c");
  // Both casts dropped would compute in int.
  EXPECT_EQ(text(binary(BinaryOp::Mul, convert(i, int64()), convert(i, int64()))), "(long long)i * i");
  EXPECT_EQ(text(binary(BinaryOp::Mul, convert(i, int64(), true), i)), "(long long)i * i");
  EXPECT_EQ(text(binary(BinaryOp::Mul, convert(f, floatType(64)), convert(f, floatType(64)))),
            "(double)f * f");
  EXPECT_EQ(text(binary(BinaryOp::Lt, convert(l, int32()), i)), "(int)l < i");
  EXPECT_EQ(text(binary(BinaryOp::Div, convert(d, floatType(32)), f)), "(float)d / f");
  // The sum is of int in the IR, of unsigned in C without the cast.
  EXPECT_EQ(text(binary(BinaryOp::Shl, i, u)), "i << u");
  EXPECT_EQ(text(unary(UnaryOp::Neg, c)), "-c");
  EXPECT_EQ(text(unary(UnaryOp::Not, i)), "!i");
  // Arithmetic narrower than int is not C's.
  TypePtr byte = intType(8, false);
  ExprPtr b = var("b", byte);
  EXPECT_EQ(text(makeExpr(byte, Binary{BinaryOp::Add, b, b})), "(unsigned char)(b + b)");
}

TEST(Casts, InContexts) {
  auto f = variable("f", floatType(32));
  auto i = variable("i", int32());
  auto s = variable("s", intType(16, true));
  EXPECT_EQ(
      bodyText({test::declare(f, convert(intLit(0), floatType(32))),
                test::declare(i, convert(use(f), int32())), test::declare(s, intLit(5, intType(16, true)))}),
      "float f = 0;\nint i = f;\nshort s = 5;\n");
  EXPECT_EQ(bodyText({test::compound(use(f), BinaryOp::Add, convert(use(i), floatType(32))),
                      test::compound(use(s), BinaryOp::Add, floatLit(1.5f)),
                      test::compound(use(f), BinaryOp::Mul, floatLit(2, floatType(64))),
                      // Computed in float though both sides are wider in C: written out.
                      test::compound(use(i), BinaryOp::Add, convert(use(s), intType(8, true)))},
                     {}),
            "f += i;\ns += 1.5f;\nf *= 2.0;\ni = (signed char)((signed char)i + (signed char)s);\n");
}

TEST(Places, PointersAndArrays) {
  auto p = use(test::param("p", test::floatPointer()));
  auto t = use(variable("t", arrayType(arrayType(floatType(32), 17), 16), Space::Shared));
  auto i = var("i");
  EXPECT_EQ(text(subscript(p, {i})), "p[i]");
  EXPECT_EQ(text(deref(p)), "*p");
  EXPECT_EQ(text(addressOf(subscript(p, {i}), Space::Global)), "p + i");
  EXPECT_EQ(text(binary(BinaryOp::Sub, p, i)), "p - i");
  EXPECT_EQ(text(binary(BinaryOp::Sub, p, var("u", uint32()))), "p - u");
  EXPECT_EQ(text(binary(BinaryOp::Add, p, binary(BinaryOp::Add, i, intLit(1)))), "p + (i + 1)");
  EXPECT_EQ(text(addressOf(subscript(t, {i, intLit(0)}), Space::Shared)), "t[i]");
  EXPECT_EQ(text(addressOf(subscript(t, {intLit(0)}), Space::Shared)), "t");
  EXPECT_EQ(text(addressOf(subscript(t, {i, i}), Space::Shared)), "&t[i][i]");
  TypePtr view = pointerType(vectorType(floatType(32), 4), Space::Global);
  EXPECT_EQ(text(deref(convert(p, view, true))), "*(float4*)p");
  EXPECT_EQ(text(subscript(convert(p, view, true), {i})), "((float4*)p)[i]");
  EXPECT_EQ(text(subscript(convert(p, view, true), {i}), Language::OpenCL), "((__global float4*)p)[i]");
}

TEST(Places, References) {
  auto r = std::make_shared<Variable>(*variable("r", test::floatPointer()));
  r->isReference = true;
  VarPtr v = r;
  auto a = test::param("a", test::floatPointer());
  EXPECT_EQ(bodyText({test::declare(v, addressOf(subscript(use(a), {intLit(2)}), Space::Global)),
                      assign(subscript(use(v), {intLit(0)}), floatLit(1)),
                      assign(subscript(use(a), {intLit(0)}), subscript(use(v), {intLit(0)}))},
                     {a}),
            "float& r = a[2];\nr = 1.0f;\na[0] = r;\n");
  EXPECT_EQ(text(use(v)), "&r");
}

TEST(Coordinates, KeepTheTypeOfTheIR) {
  ExprPtr id = binary(BinaryOp::Add,
                      binary(BinaryOp::Mul, coord(CoordKind::BlockIdx, 0), coord(CoordKind::BlockDim, 0)),
                      coord(CoordKind::ThreadIdx, 0));
  EXPECT_EQ(text(id), "blockIdx.x * blockDim.x + threadIdx.x");
  EXPECT_EQ(text(id, Language::OpenCL),
            "(uint)get_group_id(0) * (uint)get_local_size(0) + (uint)get_local_id(0)");
  ExprPtr wide = coord(CoordKind::ThreadIdx, 1, uint64());
  EXPECT_EQ(text(binary(BinaryOp::Add, wide, wide)), "(unsigned long long)threadIdx.y + threadIdx.y");
  EXPECT_EQ(text(coord(CoordKind::GlobalId, 0, uint64())), "(size_t)blockIdx.x * blockDim.x + threadIdx.x");
}

TEST(Types, Declarators) {
  auto show = [](const TypePtr& t, Language l = Language::Cuda) { return emit::emitType(t, l); };
  EXPECT_EQ(show(pointerType(floatType(32), Space::Global, true, false, true)), "const float* __restrict__");
  EXPECT_EQ(show(pointerType(floatType(32), Space::Global, true, false, true), Language::OpenCL),
            "__global const float* restrict");
  EXPECT_EQ(show(pointerType(arrayType(floatType(32), 4), Space::Shared)), "float (*)[4]");
  EXPECT_EQ(show(pointerType(pointerType(int32(), Space::Global), Space::Private), Language::OpenCL),
            "__global int* __private*");
  EXPECT_EQ(show(vectorType(intType(8, false), 4)), "uchar4");
  EXPECT_EQ(show(vectorType(uint64(), 2)), "ulonglong2");
  EXPECT_EQ(show(vectorType(uint64(), 2), Language::OpenCL), "ulong2");
}

TEST(Calls, IntrinsicsByType) {
  ExprPtr f = var("f", floatType(32)), d = var("d", floatType(64));
  const Intrinsic& root = intrinsic("sqrt");
  EXPECT_EQ(text(makeExpr(floatType(32), Call{&root, nullptr, {f}, "", {}})), "sqrtf(f)");
  EXPECT_EQ(text(makeExpr(floatType(64), Call{&root, nullptr, {d}, "", {}})), "sqrt(d)");
  EXPECT_EQ(text(makeExpr(floatType(32), Call{&root, nullptr, {f}, "", {}}), Language::OpenCL), "sqrt(f)");
}

}  // namespace
}  // namespace hone
