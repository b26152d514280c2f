// Reasons that only IR made by passes leads to: what the importer makes never looks like this.
#include <gtest/gtest.h>

#include "emit/Build.h"

namespace hone {
namespace {

using namespace ir;
using test::bodyText;
using test::declare;
using test::use;
using test::variable;

TEST(Refusals, CallsNeedAModuleInTheOtherLanguage) {
  auto twice = std::make_shared<Function>();
  twice->name = "twice";
  twice->returnType = int32();
  twice->params = {test::param("v", int32())};
  twice->body = block({makeStmt(Return{use(twice->params[0])})});
  auto x = variable("x", int32());
  StmtPtr set = declare(x, makeExpr(int32(), Call{nullptr, twice, {intLit(1)}, "", {}}));
  EXPECT_EQ(bodyText({set}), "int x = twice(1);\n");
  EXPECT_EQ(bodyText({set}, {}, Language::OpenCL), "error: a call of twice outside a whole module");
}

TEST(Refusals, Vectors) {
  TypePtr four = vectorType(int32(), 4), two = vectorType(int32(), 2);
  auto v = variable("v", four), w = variable("w", four), pair = variable("p", two);
  EXPECT_EQ(bodyText({declare(pair, makeExpr(two, Swizzle{use(v), {0, 1}}))}),
            "error: CUDA has no swizzles of several lanes");
  EXPECT_EQ(bodyText({declare(v, makeExpr(four, Construct{{use(pair), use(pair)}}))}),
            "error: CUDA builds vectors of scalars only");
  EXPECT_EQ(bodyText({declare(v, makeExpr(four, Construct{{use(pair), use(pair)}}))}, {}, Language::OpenCL),
            "int4 v = (int4)(p, p);\n");
  EXPECT_EQ(bodyText({declare(v, makeExpr(four, Select{use(w), use(v), use(w)}))}, {}, Language::OpenCL),
            "error: a choice by a vector has no text but select()");
}

TEST(Refusals, Types) {
  EXPECT_EQ(bodyText({declare(variable("x", intType(24, true)))}), "error: no integer type of 24 bits");
  EXPECT_EQ(bodyText({declare(variable("x", intType(128, true)))}), "__int128 x;\n");
  EXPECT_EQ(bodyText({declare(variable("x", intType(128, true)))}, {}, Language::OpenCL),
            "error: no integer type of 128 bits");
  EXPECT_EQ(bodyText({declare(variable("x", vectorType(boolType(), 4)))}, {}, Language::OpenCL),
            "error: no vector type of bool");
  EXPECT_EQ(bodyText({declare(variable("x", intType(128, true)), intLit(1, intType(128, true)))}),
            "error: a constant of more than 64 bits");
}

TEST(Refusals, Statements) {
  auto made = std::make_shared<Variable>(*variable("r", test::intPointer()));
  made->isReference = true;
  EXPECT_EQ(bodyText({declare(made, makeExpr(made->type, Construct{}))}),
            "error: a reference to a temporary");
  auto a = variable("a", arrayType(int32(), 2));
  EXPECT_EQ(bodyText({assign(use(a), makeExpr(a->type, Construct{{intLit(1), intLit(2)}}))}),
            "error: an array cannot be assigned");
  EXPECT_EQ(bodyText({makeStmt(For{{}, nullptr, {makeStmt(Break{})}, block({}), 0})}),
            "error: a loop step that is neither an assignment nor a call");
  EXPECT_EQ(bodyText({makeStmt(Barrier{SyncScope::Device, nullptr, true, true})}),
            "error: a barrier among more than a grid");
}

}  // namespace
}  // namespace hone
