#include "ir/InferSpaces.h"

#include "ir/ShortIr.h"

namespace hone::ir::test {

namespace {

TypePtr anywhere(TypePtr element = f32()) { return ptr(std::move(element), Space::Generic); }

// Infers, checks that the result is well formed, and gives the dump.
std::string inferred(std::vector<KernelPtr> kernels, std::vector<FunctionPtr> functions = {}) {
  Module module;
  module.kernels = std::move(kernels);
  module.functions = std::move(functions);
  inferSpaces(module);
  std::string text = dump(module);
  for (const KernelPtr& k : module.kernels) EXPECT_EQ(joinLines(verify(*k)), "") << text;
  for (const FunctionPtr& f : module.functions) EXPECT_EQ(joinLines(verify(*f)), "") << text;
  inferSpaces(module);
  EXPECT_EQ(dump(module), text) << "a second time changes nothing";
  return text;
}

}  // namespace

TEST(InferSpaces, kernelParametersAreGlobalAndLocalsFollow) {
  VarPtr a = param("a", anywhere()), p = local("p", anywhere()), i = local("i");
  KernelPtr k = kernel(
      {a}, {declare(p, addressOf(at(a, lit(4)), Space::Generic)), declare(i, lit(0)),
            assign(ref(p), addressOf(at(p, ref(i)), Space::Generic)), assign(at(p, lit(1)), floatLit(1))});
  EXPECT_EQ(inferred({k}),
            "kernel k(a: ptr<global f32>)\n"
            "  decl p: ptr<global f32> = &a[4]\n"
            "  decl i: i32 = 0\n"
            "  p = &p[i]\n"
            "  p[1] = 1:f32\n");
}

TEST(InferSpaces, sharedArraysAndCarvedPieces) {
  VarPtr s = shared("s", arrayType(intType(8, false), -1)), p = local("p", anywhere()),
         q = local("q", anywhere(int32()));
  ExprPtr start = addressOf(at(s, lit(0)), Space::Shared);
  KernelPtr k =
      kernel({}, {declare(s), declare(p, convert(start, anywhere(), true)),
                  declare(q, convert(addressOf(at(p, lit(64)), Space::Generic), anywhere(int32()), true))});
  EXPECT_EQ(inferred({k}),
            "kernel k()\n"
            "  decl s: shared arr<? x u8>\n"
            "  decl p: ptr<shared f32> = ptr<shared f32>[explicit](&s[0])\n"
            "  decl q: ptr<shared i32> = ptr<shared i32>[explicit](&p[64])\n");
}

TEST(InferSpaces, implicitConversionsToGenericGoAway) {
  VarPtr s = shared("s", arrayType(f32(), 4)), p = local("p", anywhere());
  KernelPtr k =
      kernel({}, {declare(s), declare(p, convert(addressOf(at(s, lit(0)), Space::Shared), anywhere()))});
  EXPECT_EQ(inferred({k}), "kernel k()\n  decl s: shared arr<4 x f32>\n  decl p: ptr<shared f32> = &s[0]\n");
}

TEST(InferSpaces, whatMixesStaysGeneric) {
  VarPtr a = param("a", anywhere()), n = param("n"), s = shared("s", arrayType(f32(), 4)),
         p = local("p", anywhere());
  KernelPtr k =
      kernel({a, n}, {declare(s), declare(p, ref(a)),
                      ifThen(lt(ref(n), lit(1)), {assign(ref(p), addressOf(at(s, lit(0)), Space::Shared))})});
  EXPECT_EQ(inferred({k}),
            "kernel k(a: ptr<global f32>, n: i32)\n"
            "  decl s: shared arr<4 x f32>\n"
            "  decl p: ptr<generic f32> = ptr<generic f32>(a)\n"
            "  if (n < 1)\n"
            "    p = ptr<generic f32>(&s[0])\n");
}

TEST(InferSpaces, selections) {
  VarPtr a = param("a", anywhere()), b = param("b", anywhere()), n = param("n"), p = local("p", anywhere());
  ExprPtr pick = makeExpr(anywhere(), Select{lt(ref(n), lit(1)), ref(a), ref(b)});
  EXPECT_EQ(inferred({kernel({a, b, n}, {declare(p, pick)})}),
            "kernel k(a: ptr<global f32>, b: ptr<global f32>, n: i32)\n"
            "  decl p: ptr<global f32> = ((n < 1) ? a : b)\n");
}

TEST(InferSpaces, nullJoinsWithAnything) {
  VarPtr a = param("a", anywhere()), p = local("p", anywhere());
  KernelPtr k = kernel({a}, {declare(p, makeExpr(anywhere(), NullPointer{})), assign(ref(p), ref(a))});
  EXPECT_EQ(inferred({k}), "kernel k(a: ptr<global f32>)\n  decl p: ptr<global f32> = null\n  p = a\n");
}

TEST(InferSpaces, functionParametersJoinOverCalls) {
  auto make = [](bool mixed) {
    VarPtr fp = param("p", anywhere());
    FunctionPtr f = function("read", f32(), {fp}, {ret(at(fp, lit(1)))});
    f->readsMemory = true;
    VarPtr a = param("a", anywhere()), s = shared("s", arrayType(f32(), 4)), x = local("x", f32());
    ExprPtr arg = mixed ? addressOf(at(s, lit(0)), Space::Shared) : ref(a);
    return inferred(
        {kernel({a}, {declare(s), declare(x, call(f, {ref(a)})), assign(ref(x), call(f, {arg}))})}, {f});
  };
  EXPECT_EQ(make(false).substr(0, 39), "function read(p: ptr<global f32>) -> f3");
  std::string mixed = make(true);
  EXPECT_NE(mixed.find("function read(p: ptr<generic f32>)"), std::string::npos) << mixed;
  EXPECT_NE(mixed.find("x = read(ptr<generic f32>(&s[0]))"), std::string::npos) << mixed;
}

TEST(InferSpaces, returnedPointersAndPrivateObjects) {
  VarPtr fp = param("p", anywhere()), fi = param("i");
  FunctionPtr next =
      function("next", anywhere(), {fp, fi}, {ret(addressOf(at(fp, ref(fi)), Space::Generic))});
  VarPtr a = param("a", anywhere()), q = local("q", anywhere());
  std::string text = inferred({kernel({a}, {declare(q, call(next, {ref(a), lit(3)}))})}, {next});
  EXPECT_EQ(text,
            "function next(p: ptr<global f32>, i: i32) -> ptr<global f32>\n"
            "  return &p[i]\n"
            "kernel k(a: ptr<global f32>)\n"
            "  decl q: ptr<global f32> = next(a, 3)\n");

  VarPtr self = param("this", anywhere());
  FunctionPtr get = function("get", f32(), {self}, {ret(deref(ref(self)))});
  VarPtr obj = local("obj", f32()), x = local("x", f32());
  text = inferred(
      {kernel({}, {declare(obj, floatLit(1)), declare(x, call(get, {addressOf(ref(obj), Space::Private)}))})},
      {get});
  EXPECT_NE(text.find("function get(this: ptr<private f32>)"), std::string::npos) << text;
}

TEST(InferSpaces, aPointerWhoseAddressIsTakenKeepsItsType) {
  VarPtr a = param("a", anywhere()), p = local("p", anywhere()), pp = local("pp", anywhere(anywhere()));
  KernelPtr k = kernel({a}, {declare(p, ref(a)), declare(pp, addressOf(ref(p), Space::Private)),
                             assign(deref(ref(pp)), ref(a))});
  EXPECT_EQ(inferred({k}),
            "kernel k(a: ptr<global f32>)\n"
            "  decl p: ptr<generic f32> = ptr<generic f32>(a)\n"
            "  decl pp: ptr<private ptr<generic f32>> = &p\n"
            "  pp[0][*] = ptr<generic f32>(a)\n");
}

TEST(InferSpaces, uncalledFunctionsAndMembersStayGeneric) {
  auto record = std::make_shared<Record>();
  record->name = "S";
  record->fields = {{"data", anywhere()}};
  VarPtr s = param("s", structType(record)), p = local("p", anywhere()), fp = param("p", anywhere());
  FunctionPtr unused = function("unused", f32(), {fp}, {ret(at(fp, lit(0)))});
  std::string text = inferred({kernel({s}, {declare(p, member(ref(s), 0))})}, {unused});
  EXPECT_NE(text.find("function unused(p: ptr<generic f32>)"), std::string::npos) << text;
  EXPECT_NE(text.find("decl p: ptr<generic f32> = s.data"), std::string::npos) << text;
}

}  // namespace hone::ir::test
