#include "ir/Compare.h"

#include "ir/ShortIr.h"

namespace hone::ir::test {

namespace {

// for (i < n) { t = a[i] * factor; b[i] = t; } with names, a literal and a store to choose.
KernelPtr scale(const std::string& suffix, double factor = 2, bool swapped = false) {
  VarPtr a = param("a" + suffix, ptr(f32())), b = param("b" + suffix, ptr(f32())), n = param("n" + suffix);
  VarPtr i = local("i" + suffix), t = local("t" + suffix, f32());
  StmtPtr loop = forLoop(
      {declare(i, lit(0))}, lt(ref(i), ref(n)), {update(ref(i), BinaryOp::Add, lit(1))},
      {declare(t, mul(at(a, ref(i)), floatLit(factor))), assign(at(swapped ? a : b, ref(i)), ref(t))});
  return kernel({a, b, n}, {loop}, "k" + suffix);
}

void expectEqual(const Kernel& a, const Kernel& b) {
  std::string why;
  EXPECT_TRUE(equal(a, b, &why)) << why;
  EXPECT_EQ(hash(a), hash(b)) << "equal kernels hash alike";
}

std::string difference(const Kernel& a, const Kernel& b) {
  std::string why;
  EXPECT_FALSE(equal(a, b, &why));
  EXPECT_FALSE(equal(b, a));
  EXPECT_NE(hash(a), hash(b));
  EXPECT_EQ(why.find('\n'), std::string::npos);
  return why;
}

}  // namespace

TEST(Compare, namesDoNotCount) { expectEqual(*scale(""), *scale("_renamed")); }

TEST(Compare, differencesAreNamed) {
  EXPECT_EQ(difference(*scale(""), *scale("", 3)), "`2:f32` against `3:f32`");
  EXPECT_EQ(difference(*scale(""), *scale("", 2, true)), "`b` against `a`");
}

TEST(Compare, whySaysTheLine) {
  VarPtr x = local("x"), y = local("y");
  auto make = [](const VarPtr& v, int value, unsigned line) {
    return kernel(
        {}, {declare(v), makeStmt(Assign{ref(v), std::nullopt, intLit(value, int32(), lineOf(line)), false},
                                  lineOf(line))});
  };
  EXPECT_EQ(difference(*make(x, 1, 3), *make(y, 2, 9)), "test.cu:3 and test.cu:9: `1` against `2`");
}

TEST(Compare, renamingMustBeOneToOne) {
  VarPtr x = local("x"), y = local("y"), u = local("u"), v = local("v");
  KernelPtr two = kernel({}, {declare(x), declare(y), assign(ref(x), ref(y))});
  KernelPtr one = kernel({}, {declare(u), declare(v), assign(ref(u), ref(u))});
  difference(*two, *one);
}

TEST(Compare, hintsAndCommentsDoNotCount) {
  VarPtr p = param("p", ptr(int32())),
         q = param("q", pointerType(withSpelling(int32(), "index_t"), Space::Global, true));
  ExprPtr named = makeExpr(int32(), IntLiteral{16, "0x10", "TILE"});
  VarPtr u = local("u"), v = local("v");
  KernelPtr plain = kernel({p}, {declare(u, lit(16)), assign(ref(u), subscript(ref(p), {lit(0)}))});
  KernelPtr hinted = kernel({q}, {declare(v, named), makeStmt(Comment{"hello"}, lineOf(3)),
                                  makeStmt(Assign{ref(v), std::nullopt, deref(ref(q)), true}, lineOf(4))});
  expectEqual(*plain, *hinted);
}

TEST(Compare, aReferenceEqualsItsPointer) {
  auto r = variable("r", ptr(f32(), Space::Private), Storage::Local);
  r->isReference = true;
  VarPtr x = local("x", f32()), p = local("p", ptr(f32(), Space::Private)), y = local("y", f32());
  KernelPtr a = kernel({}, {declare(x), declare(r, addressOf(ref(x), Space::Private)),
                            assign(deref(ref(VarPtr(r))), floatLit(1))});
  KernelPtr b = kernel(
      {}, {declare(y), declare(p, addressOf(ref(y), Space::Private)), assign(deref(ref(p)), floatLit(1))});
  expectEqual(*a, *b);
}

TEST(Compare, emptyElseIsNone) {
  VarPtr x = param("x"), y = param("y");
  KernelPtr a = kernel({x}, {ifThen(lt(ref(x), lit(1)), {ret()})});
  KernelPtr b = kernel({y}, {ifElse(lt(ref(y), lit(1)), {ret()}, {makeStmt(Comment{"nothing"})})});
  expectEqual(*a, *b);
}

TEST(Compare, qualifiersThatMatter) {
  KernelPtr plain = kernel({param("p", pointerType(f32(), Space::Global))}, {});
  KernelPtr restricted = kernel({param("p", pointerType(f32(), Space::Global, false, false, true))}, {});
  KernelPtr isVolatile = kernel({param("p", pointerType(f32(), Space::Global, false, true))}, {});
  KernelPtr isConst = kernel({param("p", pointerType(f32(), Space::Global, true))}, {});
  EXPECT_EQ(difference(*plain, *restricted), "parameter p: restrict on one side only");
  difference(*plain, *isVolatile);
  expectEqual(*plain, *isConst);
  difference(*plain, *kernel({param("p", pointerType(f32(), Space::Shared))}, {}));
}

TEST(Compare, launchBoundsAndUnrollCount) {
  auto a = std::make_shared<Kernel>(*scale(""));
  a->launchBounds = LaunchBounds{256, 0, 0};
  EXPECT_EQ(difference(*scale(""), *a), "launch bounds differ");
  auto b = std::make_shared<Kernel>(*scale(""));
  b->requiredBlock = {8, 8, 1};
  EXPECT_EQ(difference(*scale(""), *b), "required block shapes differ");
  VarPtr x = param("x");
  StmtPtr loop = whileLoop(lt(ref(x), lit(1)), {breakOut()});
  StmtPtr unrolled = makeStmt(While{as<While>(loop)->cond, as<While>(loop)->body, 4});
  difference(*kernel({x}, {loop}), *kernel({x}, {unrolled}));
}

TEST(Compare, functionsByTheirBodies) {
  auto square = [](const std::string& name, double factor) {
    VarPtr x = param("x_" + name, f32());
    return function(name, f32(), {x}, {ret(mul(mul(ref(x), ref(x)), floatLit(factor)))});
  };
  auto use = [](const FunctionPtr& f) {
    VarPtr y = local("y", f32());
    return kernel({}, {declare(y, call(f, {floatLit(2)}))});
  };
  expectEqual(*use(square("sq", 1)), *use(square("ns::square", 1)));
  EXPECT_EQ(difference(*use(square("sq", 1)), *use(square("sq", 3))),
            "in function sq: `1:f32` against `3:f32`");
}

TEST(Compare, recursiveFunctionsEnd) {
  auto make = [] {
    VarPtr n = param("n");
    FunctionPtr f = function("f", int32(), {n}, {});
    f->body =
        block({ifThen(lt(ref(n), lit(2)), {ret(lit(1))}), ret(mul(ref(n), call(f, {add(ref(n), lit(-1))})))});
    return f;
  };
  FunctionPtr f = make(), g = make();
  EXPECT_TRUE(equal(*f, *g));
  VarPtr x = local("x"), y = local("y");
  expectEqual(*kernel({}, {declare(x, call(f, {lit(3)}))}), *kernel({}, {declare(y, call(g, {lit(3)}))}));
  f->body = g->body = nullptr;  // breaks the cycles of ownership
}

TEST(Compare, globalsByName) {
  auto use = [](const std::string& name) {
    VarPtr g = variable(name, arrayType(f32(), 4), Storage::Global, Space::Constant), y = local("y", f32());
    return kernel({}, {declare(y, at(g, lit(1)))});
  };
  expectEqual(*use("table"), *use("table"));
  difference(*use("table"), *use("other"));
}

TEST(Compare, recordsByTheirFields) {
  auto use = [](const std::string& recordName, const std::string& field) {
    auto record = std::make_shared<Record>();
    record->name = recordName;
    record->fields = {{field, f32()}, {"next", nullptr}};
    record->fields[1].type = pointerType(structType(record), Space::Global);
    VarPtr p = param("p", ptr(structType(record))), y = local("y", f32());
    KernelPtr k = kernel({p}, {declare(y, member(at(p, lit(0)), 0))});
    return std::pair(k, record);
  };
  auto [a, ra] = use("A", "x");
  auto [b, rb] = use("B", "x");
  auto [c, rc] = use("A", "y");
  expectEqual(*a, *b);
  difference(*a, *c);
  for (const RecordPtr& r : {ra, rb, rc}) r->fields.clear();
}

TEST(Compare, expressionsOverFreeVariables) {
  VarPtr x = local("x"), other = local("x");
  EXPECT_TRUE(equal(add(ref(x), lit(1)), add(ref(x), lit(1))));
  EXPECT_EQ(hash(add(ref(x), lit(1))), hash(add(ref(x), lit(1))));
  EXPECT_FALSE(equal(add(ref(x), lit(1)), add(ref(other), lit(1)))) << "another variable of that name";
  EXPECT_FALSE(equal(add(ref(x), lit(1)), add(ref(x), lit(2))));
  EXPECT_FALSE(equal(intLit(1), intLit(1, uint32())));
  EXPECT_FALSE(equal(floatLit(0.0), floatLit(-0.0)));
}

TEST(Compare, plans) {
  PlanPtr a = originalPlan(scale("")), b = originalPlan(scale("_renamed"));
  std::string why;
  EXPECT_TRUE(equal(*a, *b, &why)) << why;
  EXPECT_EQ(hash(*a), hash(*b));
  auto c = std::make_shared<Plan>(*b);
  std::get<LaunchStep>(c->steps[0]).block[0] = intLit(64, uint32());
  EXPECT_FALSE(equal(*a, *c, &why));
  EXPECT_NE(hash(*a), hash(*c));
  EXPECT_EQ(why, "`blockDim.x` against `64:u32`");
}

}  // namespace hone::ir::test
