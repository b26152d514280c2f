// What a model knows as polynomials, as tests that the host makes before the launch.
#include "HostNumbers.h"
#include "ir/Build.h"
#include "passes/host/HostConditions.h"

namespace hone::passes {
namespace {

using affine::Poly;
using namespace ir;

constexpr int64_t most31 = INT32_MAX, most32 = UINT32_MAX;

// A kernel whose addresses are made of all its parameters, so that the model has a symbol for each.
std::string indexing(const std::string& parameters, const std::string& index) {
  return "__global__ void k(float* a, " + parameters + ") { a[" + index + "] = 1.0f; }\n";
}

// The distance in elements that the store of a kernel goes to, for the host.
ExprPtr elementOnHost(const ModelledLaunch& made) {
  const Poly& address = made.model.accesses.front().address;
  EXPECT_TRUE(address.isDivisible(4)) << made.model.atoms->str(address);
  return hostValue(made.launch, made.model, address.dividedExactly(4));
}

TEST(HostValues, SumsAndProductsHave64Bits) {
  const ModelledLaunch made(indexing("int n, int m, int k0", "(long long)n * m + 3 - k0"));
  const ExprPtr value = elementOnHost(made);
  ASSERT_TRUE(value);
  EXPECT_TRUE(sameType(value->type, int64()));
  EXPECT_EQ(valueOf(value, {{"n", 7}, {"m", 5}, {"k0", 40}}), -2);
  EXPECT_EQ(valueOf(value, {{"n", most31}, {"m", most31}, {"k0", -1}}), most31 * most31 + 4);
}

TEST(HostValues, SumsDoNotBeginWithAMinus) {
  const ModelledLaunch made(indexing("int n, int m", "7 - n + m"));
  EXPECT_EQ(textOf(elementOnHost(made)), "(long long)m - n + 7ll");
}

TEST(HostValues, OnlyTermsThatAreSubtracted) {
  const ModelledLaunch made(indexing("int n, int m", "-3 * n - m"));
  EXPECT_EQ(valueOf(elementOnHost(made), {{"n", 5}, {"m", 9}}), -24);
}

TEST(HostValues, UnsignedParametersStayUnsigned) {
  const ModelledLaunch made(indexing("unsigned n", "(long long)n * 2"));
  EXPECT_EQ(valueOf(elementOnHost(made), {{"n", most32}}), 2 * most32);
}

TEST(HostValues, NarrowParameters) {
  const ModelledLaunch made(indexing("short s, unsigned char c", "s * 256 + c"));
  EXPECT_EQ(valueOf(elementOnHost(made), {{"s", -2}, {"c", 255}}), -257);
}

TEST(HostValues, FieldsOfStructs) {
  const ModelledLaunch made("struct Size { int x, y; }; struct Image { Size size; unsigned pitch; };\n" +
                            indexing("Image p", "(long long)p.pitch * p.size.y + p.size.x"));
  const ExprPtr value = elementOnHost(made);
  EXPECT_EQ(valueOf(value, {{"p.pitch", most32}, {"p.size.y", 3}, {"p.size.x", 11}}), 3 * most32 + 11);
}

// The launch of another kernel in a plan hands over what it likes.
TEST(HostValues, ArgumentsStandForParameters) {
  ModelledLaunch made(indexing("int n, int m", "n * 4 + m"));
  made.launch.args[1] = times(ref(made.kernel->params[2]), intLit(10));
  made.launch.args[2] = intLit(6);
  EXPECT_EQ(valueOf(elementOnHost(made), {{"m", 3}}), 126);
}

TEST(HostValues, GridOfTheLaunch) {
  ModelledLaunch made(indexing("int n", "threadIdx.x + gridDim.y * n"));
  const Poly rows = made.model.atoms->gridDim(1) * made.symbol("n");
  EXPECT_EQ(valueOf(hostValue(made.launch, made.model, rows), {{"gridDim.y", 5}, {"n", -3}}), -15);
  made.launch.grid[1] = ceilDiv(made.launch.grid[1], intLit(2, uint32()));
  EXPECT_EQ(valueOf(hostValue(made.launch, made.model, rows), {{"gridDim.y", 5}, {"n", -3}}), -9);
}

// Where any block will do, the model's grid counts blocks of the model's own shape.
TEST(HostValues, GridOfAKernelThatTakesAnyBlock) {
  ModelledLaunch made(
      "__global__ void k(float* a, int n) {\n"
      "  int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) a[i] = 1.0f; }\n",
      {64, 1, 1});
  ASSERT_TRUE(mayHaveAnyBlock(made.launch));
  const Poly grid = made.model.atoms->gridDim(0);
  const HostNumbers numbers{{"gridDim.x", 5}, {"blockDim.x", 50}};
  EXPECT_EQ(valueOf(hostValue(made.launch, made.model, grid), numbers), 4);
  // 2^31 - 1 blocks of 1024 threads are not 32 bits.
  EXPECT_EQ(valueOf(hostValue(made.launch, made.model, grid), {{"gridDim.x", most31}, {"blockDim.x", 1024}}),
            most31 * 16);
  for (ExprPtr& extent : made.launch.block) extent = intLit(1, uint32());
  EXPECT_FALSE(mayHaveAnyBlock(made.launch));
  EXPECT_EQ(valueOf(hostValue(made.launch, made.model, grid), numbers), 5);
}

TEST(HostValues, GlobalOffsetOfOpenCl) {
  const ModelledLaunch made(
      "__kernel void k(__global float* a) { a[get_global_offset(1) * 8 + get_local_id(0)] = 1.0f; }\n",
      {64, 1, 1}, true);
  const Poly offset = made.model.atoms->globalOffset(1) * 8;
  const ExprPtr value = hostValue(made.launch, made.model, offset);
  EXPECT_EQ(valueOf(value, {{"globalOffset.y", 12}}), 96);
  EXPECT_TRUE(value && sameType(value->type, int64()));
}

TEST(HostValues, QuotientsThatAreNotNegative) {
  const ModelledLaunch made(indexing("unsigned n, int m", "n / 3 + m"));
  EXPECT_EQ(valueOf(elementOnHost(made), {{"n", 11}, {"m", -1}}), 2);
  // C rounds towards zero, the model towards minus infinity.
  const Poly quotient = made.model.atoms->div(made.symbol("m") - 1, 4);
  EXPECT_EQ(hostValue(made.launch, made.model, quotient), nullptr);
}

TEST(HostValues, ChoicesAndBits) {
  const ModelledLaunch made(indexing("unsigned short n, int m", "n * 2 + m"));
  const Poly n = made.symbol("n"), m = made.symbol("m");
  affine::Atoms& atoms = *made.model.atoms;
  const Poly least = atoms.choice(affine::atLeast0(m - n - 1), n, m);
  const ExprPtr value =
      hostValue(made.launch, made.model, least * 8 + atoms.bits(BinaryOp::BitAnd, n, Poly(12)));
  EXPECT_EQ(valueOf(value, {{"n", 5}, {"m", 7}}), 44);
  EXPECT_EQ(valueOf(value, {{"n", 31}, {"m", -2}}), -4);
  const ExprPtr shifted = hostValue(made.launch, made.model, atoms.bits(BinaryOp::Shl, Poly(1), n));
  EXPECT_EQ(valueOf(shifted, {{"n", 40}}), int64_t{1} << 40);
}

TEST(HostValues, WhatTheHostDoesNotHave) {
  const ModelledLaunch made(indexing("int n, const int* b", "threadIdx.x + n * 2 + b[3]"));
  const Poly n = made.symbol("n");
  EXPECT_NE(hostValue(made.launch, made.model, n), nullptr);
  EXPECT_EQ(hostValue(made.launch, made.model, n + made.model.atoms->thread(0)), nullptr);
  EXPECT_EQ(hostValue(made.launch, made.model, n + made.model.atoms->block(1)), nullptr);
  EXPECT_EQ(hostValue(made.launch, made.model, n * made.model.atoms->opaque("b[3]", "loaded", {})), nullptr);
  EXPECT_EQ(hostValue(made.launch, made.model, made.model.atoms->symbol("somewhere", nullptr, 0, 9)),
            nullptr);
}

TEST(HostValues, WhatWouldTakePagesIsNotWritten) {
  const ModelledLaunch made(indexing("int n, int m", "n + m"));
  Poly value = made.symbol("n");
  const Poly m = made.symbol("m");
  for (int depth = 1; depth < 5; ++depth)
    value = made.model.atoms->choice(affine::atLeast0(value - m * depth), value + depth, m - value);
  EXPECT_NE(hostValue(made.launch, made.model, value), nullptr);
  for (int depth = 5; depth < 12; ++depth)
    value = made.model.atoms->choice(affine::atLeast0(value - m * depth), value + depth, m - value);
  EXPECT_EQ(hostValue(made.launch, made.model, value), nullptr);
}

TEST(HostConditions, ComparisonsHaveNoDifferences) {
  const ModelledLaunch made(indexing("int n, int m", "n * 2 + m"));
  const Poly n = made.symbol("n"), m = made.symbol("m");
  auto text = [&](const affine::CondPtr& c) { return textOf(hostCondition(made.launch, made.model, c)); };
  EXPECT_EQ(text(affine::atLeast0(m - n - 3)), "n + 3ll <= m");
  EXPECT_EQ(text(affine::isZero(n * 2 - m)), "m == n * 2ll");
  const ExprPtr condition = hostCondition(made.launch, made.model, affine::atLeast0(m - n - 3));
  EXPECT_TRUE(holds(condition, {{"n", most31 - 3}, {"m", most31}}));
  EXPECT_FALSE(holds(condition, {{"n", most31}, {"m", most31}}));  // n + 3 has more than 32 bits
}

TEST(HostConditions, BothEitherAndNeither) {
  const ModelledLaunch made(indexing("int n, int m", "n * 2 + m"));
  const affine::CondPtr a = affine::atLeast0(made.symbol("n") - 4), b = affine::isZero(made.symbol("m"));
  const ExprPtr both = hostCondition(made.launch, made.model, affine::allOf({a, b}));
  const ExprPtr either = hostCondition(made.launch, made.model, affine::anyOf({a, b}));
  for (int64_t n : {3, 4})
    for (int64_t m : {0, 1}) {
      EXPECT_EQ(holds(both, {{"n", n}, {"m", m}}), n == 4 && m == 0);
      EXPECT_EQ(holds(either, {{"n", n}, {"m", m}}), n == 4 || m == 0);
    }
  EXPECT_TRUE(isTrue(hostCondition(made.launch, made.model, affine::always())));
  EXPECT_TRUE(isFalse(hostCondition(made.launch, made.model, affine::never())));
  const affine::CondPtr unknown = affine::unknownCond("depends on a[0]", {}, 1);
  EXPECT_EQ(hostCondition(made.launch, made.model, unknown), nullptr);
  EXPECT_EQ(hostCondition(made.launch, made.model, affine::anyOf({a, unknown})), nullptr);
}

const std::string unsignedRows =
    "__global__ void k(float* a, unsigned w) {\n"
    "  unsigned i = blockIdx.x * 256 + threadIdx.x; a[i * w] = 1.0f; }\n";

TEST(HostRequirements, HoldForTheLastThread) {
  const ModelledLaunch made(unsignedRows);
  const Result<ExprPtr> tests = testsFor(made.launch, made.model, made.allRequirements());
  ASSERT_TRUE(tests && *tests);
  // (4 * 256 - 1) * w must stay below 2^32.
  const int64_t width = most32 / 1023;
  EXPECT_TRUE(holds(*tests, {{"gridDim.x", 4}, {"blockDim.x", 256}, {"w", width}}));
  EXPECT_FALSE(holds(*tests, {{"gridDim.x", 4}, {"blockDim.x", 256}, {"w", width + 1}}));
  EXPECT_FALSE(holds(*tests, {{"gridDim.x", 5}, {"blockDim.x", 256}, {"w", width}}));
}

TEST(HostRequirements, HaveOneBitLessWhereTheyAreWrittenWithASign) {
  const ModelledLaunch made(unsignedRows);
  const Result<ExprPtr> tests = testsFor(made.launch, made.model, made.allRequirements(), WrittenAs::Signed);
  ASSERT_TRUE(tests && *tests);
  const int64_t width = most31 / 1023;
  EXPECT_TRUE(holds(*tests, {{"gridDim.x", 4}, {"blockDim.x", 256}, {"w", width}}));
  EXPECT_FALSE(holds(*tests, {{"gridDim.x", 4}, {"blockDim.x", 256}, {"w", width + 1}}));
}

TEST(HostRequirements, HoldInTheLastIterationOfALoop) {
  const ModelledLaunch made(
      "__global__ void k(float* a, int n, unsigned w) {\n"
      "  for (int i = 0; i < n; ++i) a[i * w + threadIdx.x] = 1.0f; }\n");
  const Result<ExprPtr> tests = testsFor(made.launch, made.model, made.allRequirements());
  ASSERT_TRUE(tests && *tests);
  // 9 * w + 255 must stay below 2^32.
  const int64_t width = (most32 - 255) / 9;
  EXPECT_TRUE(holds(*tests, {{"n", 10}, {"w", width}}));
  EXPECT_FALSE(holds(*tests, {{"n", 10}, {"w", width + 1}}));
  EXPECT_FALSE(holds(*tests, {{"n", 11}, {"w", width}}));
}

TEST(HostRequirements, LowEnds) {
  const ModelledLaunch made("__global__ void k(float* a, unsigned n) { a[n - threadIdx.x] = 1.0f; }\n");
  const Result<ExprPtr> tests = testsFor(made.launch, made.model, made.allRequirements());
  ASSERT_TRUE(tests && *tests);
  EXPECT_TRUE(holds(*tests, {{"n", 255}}));
  EXPECT_FALSE(holds(*tests, {{"n", 254}}));
}

// What multiplies a thread's id may have either sign: it is tested too.
TEST(HostRequirements, FactorsWithASignOfTheirOwn) {
  const ModelledLaunch made(indexing("long long n", "n * threadIdx.x"));
  const affine::Requirement least{made.symbol("n") * made.model.atoms->thread(0), INT64_MIN, 1000, "", {}};
  const ExprPtr condition = hostRequirement(made.launch, made.model, least);
  EXPECT_TRUE(holds(condition, {{"n", 3}}));
  EXPECT_FALSE(holds(condition, {{"n", 4}}));
  EXPECT_FALSE(holds(condition, {{"n", -1}}));
}

TEST(HostRequirements, WhatHoldsAnywayNeedsNoTest) {
  const ModelledLaunch made(indexing("unsigned char c", "c * 4u + threadIdx.x"));
  const Result<ExprPtr> tests = testsFor(made.launch, made.model, made.allRequirements());
  ASSERT_TRUE(tests);
  EXPECT_EQ(*tests, nullptr) << textOf(*tests);
  const affine::Requirement wide{made.symbol("c"), 0, 255, "", {}}, narrow{made.symbol("c"), 0, 254, "", {}};
  EXPECT_TRUE(isTrue(hostRequirement(made.launch, made.model, wide)));
  EXPECT_FALSE(isTrue(hostRequirement(made.launch, made.model, narrow)));
}

TEST(HostRequirements, WhatCannotBeMadeSureOf) {
  const ModelledLaunch made(
      "__global__ void k(float* a, const unsigned* b, unsigned w) {\n"
      "  a[b[threadIdx.x] * w] = 1.0f; }\n");
  const Result<ExprPtr> tests = testsFor(made.launch, made.model, made.allRequirements());
  ASSERT_FALSE(tests);
  EXPECT_EQ(tests.refusal().reason,
            "32-bit unsigned arithmetic must not wrap, which cannot be made sure of before the launch");
  EXPECT_EQ(tests.refusal().place.line, 2u);
}

// Whoever rounded the grid up made sure that ids fit.
TEST(HostRequirements, IdsOfGridsThatOvershoot) {
  ModelledLaunch made(
      "__global__ void k(float* a, unsigned n) {\n"
      "  unsigned i = blockIdx.x * 256 + threadIdx.x; if (i < n) a[i] = 1.0f; }\n");
  const Result<ExprPtr> tests = testsFor(made.launch, made.model, made.allRequirements());
  ASSERT_TRUE(tests && *tests);
  EXPECT_FALSE(holds(*tests, {{"gridDim.x", 1 << 25}, {"blockDim.x", 256}}));
  made.launch.mayOvershoot[0] = true;
  EXPECT_EQ(*testsFor(made.launch, made.model, made.allRequirements()), nullptr);
}

TEST(HostPointers, ParametersAndFields) {
  ModelledLaunch made(
      "struct Arrays { float* to; const float* from; };\n"
      "__global__ void k(Arrays s, float* a) { __shared__ float t[256]; t[threadIdx.x] = "
      "s.from[threadIdx.x];\n"
      "  s.to[threadIdx.x] = a[threadIdx.x] + t[255 - threadIdx.x]; }\n");
  EXPECT_EQ(textOf(hostPointer(made.launch, made.model, made.array("s.to"))), "s.to");
  EXPECT_EQ(textOf(hostPointer(made.launch, made.model, made.array("s.from"))), "s.from");
  EXPECT_EQ(hostPointer(made.launch, made.model, made.array("t")), nullptr);
  made.launch.args[1] = addressOf(subscript(made.launch.args[1], {intLit(16)}), Space::Global);
  EXPECT_EQ(valueOf(hostPointer(made.launch, made.model, made.array("a")), {{"a", 1000}}), 1064);
}

// Expressions of a kernel, by the variable that is declared with them.
class KernelExpressions : public ::testing::Test {
 protected:
  ModelledLaunch made{
      "__global__ void k(int* a, int n, unsigned char c) {\n"
      "  const int twice = n * 2;\n"
      "  int changing = n; changing += a[0];\n"
      "  int shape = gridDim.x * blockDim.y + twice;\n"
      "  int own = n + threadIdx.x;\n"
      "  int loaded = n + a[1];\n"
      "  int changed = changing + 1;\n"
      "  a[0] = shape + own + loaded + changed + c; }\n"};

  ExprPtr initOf(const std::string& name) const {
    ExprPtr found;
    walkStmts(made.kernel->body, [&](const Stmt& s) {
      if (const auto* d = s.as<Declare>(); d && d->var->name == name) found = d->init;
    });
    EXPECT_TRUE(found) << name;
    return found;
  }
  ExprPtr onHostOf(const std::string& name) const { return onHost(made.launch, initOf(name)).value; }
};

TEST_F(KernelExpressions, OverParametersAndGeometry) {
  EXPECT_EQ(valueOf(onHostOf("shape"), {{"n", 5}, {"gridDim.x", 7}, {"blockDim.y", 3}}), 31);
  made.launch.grid[0] = intLit(100, uint32());
  made.launch.args[1] = plus(made.launch.args[1], intLit(1));
  EXPECT_EQ(valueOf(onHostOf("shape"), {{"n", 5}, {"blockDim.y", 3}}), 312);
}

TEST_F(KernelExpressions, OverWhatOnlyTheKernelHas) {
  EXPECT_EQ(onHostOf("own"), nullptr);
  EXPECT_EQ(onHostOf("loaded"), nullptr);
  EXPECT_EQ(onHostOf("changed"), nullptr);
  EXPECT_NE(onHostOf("twice"), nullptr);
}

// By whose fault the host cannot work it out.
TEST_F(KernelExpressions, NameTheVariable) {
  const OnHost changed = onHost(made.launch, initOf("changed")), own = onHost(made.launch, initOf("own"));
  ASSERT_TRUE(changed.unknown);
  EXPECT_EQ(changed.unknown->name, "changing");
  EXPECT_FALSE(own.unknown);
}

TEST_F(KernelExpressions, OverVariablesOfThePlan) {
  VarPtr inKernel;
  walkStmts(made.kernel->body, [&](const Stmt& s) {
    if (const auto* d = s.as<Declare>(); d && d->var->name == "changing") inKernel = d->var;
  });
  const ExprPtr value = onHost(made.launch, initOf("changed"), {{inKernel, intLit(41)}}).value;
  EXPECT_EQ(valueOf(value, {}), 42);
}

// What the launch hands over is not what a parameter holds that the kernel assigns.
TEST(KernelExpressionsOfParameters, ThatTheKernelChanges) {
  const ModelledLaunch made(
      "__device__ void more(int* p) { *p += 1; }\n"
      "__global__ void k(int* a, int n, int m, int l) {\n"
      "  n = n / 2; more(&m); const int of_n = n + 1, of_m = m + 1, of_l = l + 1;\n"
      "  a[0] = of_n + of_m + of_l; }\n");
  std::map<std::string, OnHost> found;
  walkStmts(made.kernel->body, [&](const Stmt& s) {
    if (const auto* d = s.as<Declare>()) found[d->var->name] = onHost(made.launch, d->init);
  });
  ASSERT_TRUE(found["of_n"].unknown && found["of_m"].unknown);
  EXPECT_EQ(found["of_n"].unknown->name, "n");
  EXPECT_EQ(found["of_m"].unknown->name, "m");
  EXPECT_EQ(valueOf(found["of_l"].value, {{"l", 5}}), 6);
}

TEST(KernelExpressionsOfOpenCl, TakeTheSizeOfTheLaunchApart) {
  ModelledLaunch made(
      "__kernel void k(__global long* a) { const long size = get_global_size(1) * 2; a[0] = size; }\n",
      {64, 1, 1}, true);
  made.launch.grid[1] = intLit(3, uint32());
  ExprPtr init;
  walkStmts(made.kernel->body, [&](const Stmt& s) {
    if (const auto* d = s.as<Declare>()) init = d->init;
  });
  EXPECT_EQ(valueOf(onHost(made.launch, init).value, {{"blockDim.y", 7}}), 42);
}

TEST(KernelExpressionsOfOpenCl, KeepTheGlobalOffset) {
  const ModelledLaunch made(
      "__kernel void k(__global long* a, int n) { const long first = get_global_offset(0) + n; a[0] = first; "
      "}\n",
      {64, 1, 1}, true);
  ExprPtr init;
  walkStmts(made.kernel->body, [&](const Stmt& s) {
    if (const auto* d = s.as<Declare>()) init = d->init;
  });
  EXPECT_EQ(valueOf(onHost(made.launch, init).value, {{"globalOffset.x", int64_t{1} << 40}, {"n", 2}}),
            (int64_t{1} << 40) + 2);
}

}  // namespace
}  // namespace hone::passes
