// Whole modules, printed in their own language and in the other.
#include <gtest/gtest.h>

#include "emit/Build.h"
#include "emit/Translate.h"

namespace hone {
namespace {

using namespace ir;
using test::declare;
using test::use;
using test::variable;

std::string whole(const Module& m, Language to) {
  emit::EmitOptions options;
  options.language = to;
  emit::EmitResult r = emit::emitModule(m, options);
  return r.ok() ? r.text : "error: " + r.errors[0].reason;
}

Module moduleWith(Language language, std::vector<VarPtr> params, StmtList body) {
  auto k = std::make_shared<Kernel>();
  k->name = "k";
  k->language = language;
  k->params = std::move(params);
  k->body = block(std::move(body));
  Module m;
  m.language = language;
  m.kernels = {k};
  return m;
}

VarPtr shared(std::string name, TypePtr type, bool dynamic) {
  auto v = std::make_shared<Variable>(*variable(std::move(name), std::move(type), Space::Shared));
  v->isDynamicShared = dynamic;
  return v;
}

TEST(Modules, DynamicSharedMemoryIsAnArgumentInOpenCL) {
  VarPtr a = test::param("a", test::floatPointer()), s = shared("s", arrayType(floatType(32), -1), true);
  ExprPtr tid = coord(CoordKind::ThreadIdx, 0);
  Module m = moduleWith(Language::Cuda, {a},
                        {declare(s), assign(subscript(use(s), {tid}), subscript(use(a), {tid}))});
  EXPECT_EQ(whole(m, Language::Cuda),
            "__global__ void k(float* a) {\n  extern __shared__ float s[];\n  s[threadIdx.x] = "
            "a[threadIdx.x];\n}\n");
  EXPECT_EQ(whole(m, Language::OpenCL),
            "// the last argument, __local s, takes the size of the dynamic shared memory.\n"
            "__kernel void k(__global float* a, __local float* s) {\n"
            "  s[(uint)get_local_id(0)] = a[(uint)get_local_id(0)];\n}\n");
}

TEST(Modules, LocalArgumentsAreDynamicSharedMemoryInCuda) {
  VarPtr a = test::param("a", test::floatPointer());
  VarPtr s = test::param("s", pointerType(floatType(32), Space::Shared)),
         q = test::param("q", pointerType(int32(), Space::Shared));
  Module one = moduleWith(Language::OpenCL, {a, s}, {assign(subscript(use(s), {intLit(1)}), floatLit(2))});
  EXPECT_EQ(whole(one, Language::Cuda),
            "// the __local argument 's' is the dynamic shared memory of the launch.\n"
            "__global__ void k(float* a) {\n  extern __shared__ float s[];\n  s[1] = 2.0f;\n}\n");
  Module two = moduleWith(Language::OpenCL, {a, s, q}, {assign(subscript(use(q), {intLit(1)}), intLit(2))});
  EXPECT_EQ(whole(two, Language::Cuda),
            "// 's' lies in the dynamic shared memory, at its beginning.\n"
            "// 'q' lies in the dynamic shared memory, at the byte given as 'q_offset'.\n"
            "__global__ void k(float* a, unsigned int q_offset) {\n"
            "  extern __shared__ __align__(16) unsigned char shared_memory[];\n"
            "  float* s = (float*)shared_memory;\n"
            "  int* q = (int*)&shared_memory[q_offset];\n"
            "  q[1] = 2;\n}\n");
}

TEST(Modules, NestedSharedVariablesMoveToTheKernelsScope) {
  VarPtr n = test::param("n", int32()), s = shared("s", arrayType(int32(), 4), false);
  Module m = moduleWith(
      Language::Cuda, {n},
      {makeStmt(If{binary(BinaryOp::Gt, use(n), intLit(0)),
                   block({declare(s), assign(subscript(use(s), {intLit(0)}), use(n))}), nullptr})});
  EXPECT_EQ(whole(m, Language::OpenCL),
            "__kernel void k(int n) {\n  __local int s[4];\n  if (n > 0) {\n    s[0] = n;\n  }\n}\n");
}

TEST(Modules, VectorsAreTakenApartForCuda) {
  TypePtr f4 = vectorType(floatType(32), 4);
  VarPtr v = test::param("v", pointerType(f4, Space::Global));
  ExprPtr at = subscript(use(v), {intLit(0)});
  ExprPtr sum = makeExpr(f4, Binary{BinaryOp::Mul, at, convert(floatLit(2), f4)});
  Module m = moduleWith(Language::OpenCL, {v}, {assign(at, sum)});
  EXPECT_EQ(whole(m, Language::OpenCL), "__kernel void k(__global float4* v) {\n  v[0] = v[0] * 2.0f;\n}\n");
  EXPECT_EQ(whole(m, Language::Cuda),
            "__global__ void k(float4* v) {\n"
            "  v[0] = make_float4(v[0].x * 2.0f, v[0].y * 2.0f, v[0].z * 2.0f, v[0].w * 2.0f);\n}\n");
}

TEST(Modules, ShiftsKeepOpenCLsMeaning) {
  VarPtr a = test::param("a", test::intPointer()), n = test::param("n", int32());
  ExprPtr at = subscript(use(a), {intLit(0)});
  Module m = moduleWith(
      Language::OpenCL, {a, n},
      {assign(at, binary(BinaryOp::Shl, at, use(n))), assign(at, binary(BinaryOp::Shl, at, intLit(3)))});
  EXPECT_EQ(whole(m, Language::Cuda),
            "__global__ void k(int* a, int n) {\n  a[0] = a[0] << (n & 31);\n  a[0] = a[0] << 3;\n}\n");
}

TEST(Modules, MethodsAndConstructorsAreFunctions) {
  auto pair = std::make_shared<Record>();
  pair->name = "ns::Pair<int>";
  pair->fields = {{"a", int32()}, {"b", int32()}};
  pair->size = 8;
  pair->align = 4;
  pair->offsets = {0, 4};
  TypePtr type = structType(pair);
  auto self = test::param("this", pointerType(type, Space::Generic));
  auto first = test::param("first", int32());
  auto make = std::make_shared<Function>();
  make->name = "ns::Pair<int>::Pair";
  make->kind = FunctionKind::Constructor;
  make->returnType = voidType();
  make->params = {self, first};
  make->body = block({assign(member(deref(use(self)), 0), use(first))});
  auto get = std::make_shared<Function>();
  auto self2 = test::param("this", pointerType(type, Space::Generic, true));
  get->name = "ns::Pair<int>::operator()";
  get->kind = FunctionKind::Operator;
  get->returnType = int32();
  get->params = {self2};
  get->body = block({makeStmt(Return{member(deref(use(self2)), 1)})});
  VarPtr out = test::param("out", test::intPointer()), p = variable("p", type);
  ExprPtr made = makeExpr(type, Call{nullptr, make, {intLit(7)}, "", {}});
  ExprPtr got = makeExpr(int32(), Call{nullptr, get, {addressOf(use(p), Space::Private)}, "", {}});
  Module m =
      moduleWith(Language::Cuda, {out}, {declare(p, made), assign(subscript(use(out), {intLit(0)}), got)});
  m.functions = {make, get};
  m.records = {pair};
  EXPECT_EQ(whole(m, Language::Cuda),
            "struct ns_Pair_int;\n\nstruct ns_Pair_int {\n  int a;\n  int b;\n};\n\n"
            "__device__ ns_Pair_int ns_Pair_int_Pair(int first) {\n  ns_Pair_int object;\n  object.a = "
            "first;\n  return object;\n}\n\n"
            "__device__ int ns_Pair_int_call(const ns_Pair_int* self) {\n  return self->b;\n}\n\n"
            "__global__ void k(int* out) {\n  ns_Pair_int p = ns_Pair_int_Pair(7);\n  out[0] = "
            "ns_Pair_int_call(&p);\n}\n");
  const std::string cl = whole(m, Language::OpenCL);
  EXPECT_NE(cl.find("int ns_Pair_int_call(__private const ns_Pair_int* self)"), std::string::npos) << cl;
}

TEST(Modules, RefusalsSayWhy) {
  auto reason = [](VarPtr p) {
    return whole(moduleWith(Language::Cuda, {std::move(p)}, {}), Language::OpenCL);
  };
  EXPECT_EQ(reason(test::param("flag", boolType())), "error: OpenCL kernels take no bool arguments ('flag')");
  EXPECT_EQ(reason(test::param("pp", pointerType(test::floatPointer(), Space::Global))),
            "error: OpenCL kernels take no pointers to pointers ('pp')");
  VarPtr v = test::param("v", pointerType(vectorType(floatType(32), 3), Space::Global));
  EXPECT_EQ(whole(moduleWith(Language::OpenCL, {v}, {}), Language::Cuda),
            "error: vectors of three take the room of four in OpenCL and of three in CUDA ('v')");
  VarPtr wide = variable("w", vectorType(floatType(32), 8));
  EXPECT_EQ(whole(moduleWith(Language::OpenCL, {}, {declare(wide)}), Language::Cuda),
            "error: CUDA has no vectors of 8 elements");
  auto table = std::make_shared<Variable>(*variable("table", arrayType(floatType(32), 4), Space::Constant));
  table->storage = Storage::Global;
  VarPtr a = test::param("a", test::floatPointer()), t = table;
  Module m = moduleWith(Language::Cuda, {a},
                        {assign(subscript(use(a), {intLit(0)}), subscript(use(t), {intLit(1)}))});
  m.globals = {t};
  EXPECT_EQ(whole(m, Language::OpenCL),
            "error: __constant__ 'table' is filled by the host; in OpenCL it would be an argument");
}

TEST(Modules, NamedConstantsAreDefined) {
  VarPtr a = test::param("a", test::intPointer());
  Expr tile = *intLit(16);
  std::get<IntLiteral>(tile.node).name = "TILE";
  Module m =
      moduleWith(Language::Cuda, {a}, {assign(subscript(use(a), {std::make_shared<Expr>(tile)}), intLit(1))});
  EXPECT_EQ(whole(m, Language::Cuda),
            "constexpr int TILE = 16;\n\n__global__ void k(int* a) {\n  a[TILE] = 1;\n}\n");
  EXPECT_EQ(whole(m, Language::OpenCL),
            "#define TILE 16\n\n__kernel void k(__global int* a) {\n  a[TILE] = 1;\n}\n");
}

}  // namespace
}  // namespace hone
