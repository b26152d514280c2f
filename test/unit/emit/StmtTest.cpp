#include <gtest/gtest.h>

#include "emit/Build.h"

namespace hone {
namespace {

using namespace ir;
using test::bodyText;
using test::compound;
using test::declare;
using test::use;
using test::variable;

StmtPtr loop(StmtList init, ExprPtr cond, StmtList step, StmtList body, int unroll = 0) {
  return makeStmt(For{std::move(init), std::move(cond), std::move(step), block(std::move(body)), unroll});
}

TEST(Loops, ForHeaders) {
  auto i = variable("i", int32()), j = variable("j", int32()), n = test::param("n", int32());
  auto p = variable("p", test::floatPointer()), a = test::param("a", test::floatPointer());
  ExprPtr cond = binary(BinaryOp::Lt, use(i), use(n));
  StmtPtr up = compound(use(i), BinaryOp::Add, intLit(1), true);
  EXPECT_EQ(bodyText({loop({declare(i, intLit(0))}, cond, {up}, {}, -1)}, {n}),
            "#pragma unroll\nfor (int i = 0; i < n; ++i) {\n}\n");
  EXPECT_EQ(bodyText({loop({declare(i, intLit(0)), declare(j, use(n))}, cond,
                           {up, compound(use(j), BinaryOp::Sub, intLit(2))}, {})},
                     {n}),
            "for (int i = 0, j = n; i < n; ++i, j -= 2) {\n}\n");
  EXPECT_EQ(bodyText({loop({}, nullptr, {}, {makeStmt(Break{})})}), "for (;;) {\n  break;\n}\n");
  // Variables of different base types cannot share a declaration.
  auto f = variable("f", floatType(32));
  EXPECT_EQ(bodyText({loop({declare(i, intLit(0)), declare(f, floatLit(1))}, cond, {up}, {})}, {n}),
            "{\n  int i = 0;\n  float f = 1.0f;\n  for (; i < n; ++i) {\n  }\n}\n");
  EXPECT_EQ(bodyText({loop({declare(p, use(a))},
                           binary(BinaryOp::Lt, use(p), binary(BinaryOp::Add, use(a), use(n))),
                           {assign(use(p), binary(BinaryOp::Add, use(p), intLit(1)))},
                           {assign(use(p), binary(BinaryOp::Add, use(p), use(n)))})},
                     {a, n}),
            "for (float* p = a; p < a + n; ++p) {\n  p += n;\n}\n");
}

TEST(Branches, ChainsAndSwitch) {
  auto x = variable("x", int32()), y = variable("y", int32());
  ExprPtr zero = binary(BinaryOp::Eq, use(x), intLit(0));
  StmtPtr set = assign(use(x), intLit(1));
  StmtPtr inner = makeStmt(If{convert(use(x), boolType()), block({set}), block({set})});
  EXPECT_EQ(bodyText({makeStmt(If{zero, block({set}), block({inner})})}),
            "if (x == 0) {\n  x = 1;\n} else if (x) {\n  x = 1;\n} else {\n  x = 1;\n}\n");
  Switch s{use(x), {}};
  s.cases.push_back({{intLit(1), intLit(2)}, false, {declare(y, intLit(3)), makeStmt(Break{})}});
  s.cases.push_back({{}, true, {set}});
  EXPECT_EQ(
      bodyText({makeStmt(s)}),
      "switch (x) {\n  case 1:\n  case 2: {\n    int y = 3;\n    break;\n  }\n  default:\n    x = 1;\n}\n");
}

TEST(Names, InnerDoesNotHideWhatItUses) {
  auto outer = variable("x", int32()), inner = variable("x", int32()), twin = variable("x", int32());
  EXPECT_EQ(bodyText({declare(outer, intLit(1)),
                      block({declare(inner, use(outer)), assign(use(outer), use(inner))}),
                      declare(twin, intLit(2))}),
            "int x = 1;\n{\n  int x_2 = x;\n  x = x_2;\n}\nint x_3 = 2;\n");
  // Hiding is fine where the outer one is not used.
  EXPECT_EQ(bodyText({declare(outer, intLit(1)), block({declare(inner, intLit(2))})}),
            "int x = 1;\n{\n  int x = 2;\n}\n");
}

// A variable that was meant to be called `wanted`, under a name that is free everywhere.
VarPtr meantToBe(const std::string& wanted, const std::string& name) {
  auto v = std::make_shared<Variable>();
  v->name = name;
  v->wanted = wanted;
  v->type = int32();
  return v;
}

TEST(Names, WhatWasMeantWhereItIsFree) {
  auto e = variable("e", int32()), e2 = meantToBe("e", "e2"), e3 = meantToBe("e", "e3");
  const auto braces = [](const VarPtr& v) { return block({declare(v, intLit(1))}); };
  EXPECT_EQ(bodyText({braces(e), braces(e2)}), "{\n  int e = 1;\n}\n{\n  int e = 1;\n}\n") << "side by side";
  EXPECT_EQ(bodyText({declare(e, intLit(0)), braces(e2)}), "int e = 0;\n{\n  int e2 = 1;\n}\n") << "inside";
  EXPECT_EQ(bodyText({declare(e2, intLit(0)), braces(e)}), "int e2 = 0;\n{\n  int e = 1;\n}\n") << "around";
  EXPECT_EQ(bodyText({declare(e2, intLit(0)), declare(e3, intLit(0))}), "int e = 0;\nint e3 = 0;\n")
      << "one of two";
  EXPECT_EQ(bodyText({makeStmt(Comment{"e2 counts."}), declare(e2, intLit(0))}),
            "// e2 counts.\nint e2 = 0;\n")
      << "a comment knows it";
}

TEST(Names, WordsOfTheOtherLanguage) {
  auto k = variable("kernel", int32()), t = variable("template", int32());
  EXPECT_EQ(bodyText({declare(k, intLit(1))}), "int kernel = 1;\n");
  EXPECT_EQ(bodyText({declare(k, intLit(1))}, {}, Language::OpenCL), "int kernel_2 = 1;\n");
  EXPECT_EQ(bodyText({declare(t, intLit(1))}, {}, Language::Cuda, Language::OpenCL), "int template_2 = 1;\n");
}

TEST(Names, FunctionsThatAreCalledStayVisible) {
  auto m = variable("sqrtf", floatType(32));
  ExprPtr root = makeExpr(floatType(32), Call{&intrinsic("sqrt"), nullptr, {use(m)}, "sqrtf", {}});
  EXPECT_EQ(bodyText({declare(m, floatLit(2)), assign(use(m), root)}),
            "float sqrtf_2 = 2.0f;\nsqrtf_2 = sqrtf(sqrtf_2);\n");
}

TEST(Barriers, InBothLanguages) {
  StmtPtr block = makeStmt(Barrier{}), local = makeStmt(Barrier{SyncScope::Block, nullptr, true, false}),
          fence = makeStmt(Fence{SyncScope::Block, true, true});
  EXPECT_EQ(bodyText({block, fence}), "__syncthreads();\n__threadfence_block();\n");
  EXPECT_EQ(bodyText({block, local}, {}, Language::OpenCL),
            "barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);\nbarrier(CLK_LOCAL_MEM_FENCE);\n");
  StmtPtr grid = makeStmt(Barrier{SyncScope::Grid, nullptr, true, true});
  EXPECT_EQ(bodyText({grid}), "cooperative_groups::this_grid().sync();\n");
  EXPECT_EQ(bodyText({grid}, {}, Language::OpenCL), "hone_grid_sync();\n");
}

TEST(Declarations, StorageAndLists) {
  auto s = variable("s", arrayType(arrayType(floatType(32), 17), 16), Space::Shared);
  auto a = variable("a", arrayType(int32(), 3));
  ExprPtr list = makeExpr(a->type, Construct{{intLit(1), intLit(2), intLit(3)}});
  EXPECT_EQ(bodyText({declare(s), declare(a, list)}), "__shared__ float s[16][17];\nint a[3] = {1, 2, 3};\n");
  EXPECT_EQ(bodyText({declare(s)}, {}, Language::OpenCL), "__local float s[16][17];\n");
  auto c = std::make_shared<Variable>(*variable("c", test::intPointer()));
  c->isConst = true;
  EXPECT_EQ(bodyText({declare(c, makeExpr(c->type, NullPointer{}))}), "int* const c = nullptr;\n");
}

TEST(Printf, DefaultPromotions) {
  auto f = variable("f", floatType(32)), c = variable("c", charType());
  EXPECT_EQ(bodyText({makeStmt(
                Printf{"a\n%f \"%d\"", {convert(use(f), floatType(64)), convert(use(c), int32())}})}),
            "printf(\"a\\n%f \\\"%d\\\"\", f, c);\n");
}

TEST(Comments, AreWrapped) {
  EXPECT_EQ(bodyText({makeStmt(Comment{"staged"}), makeStmt(Return{})}), "// staged\nreturn;\n");
}

TEST(Formatting, TabsAndNewlines) {
  Kernel k;
  k.body = block({makeStmt(If{boolLit(true), block({makeStmt(Return{})}), nullptr})});
  emit::EmitOptions options;
  options.useTabs = true;
  options.indent = 4;
  options.newline = "\r\n";
  EXPECT_EQ(emit::emitBody(k, options).text, "{\r\n\tif (true) {\r\n\t\treturn;\r\n\t}\r\n}");
}

}  // namespace
}  // namespace hone
