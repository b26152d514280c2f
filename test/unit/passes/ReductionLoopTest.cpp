// Which loops are sums, products, extrema and bit masks, whose iterations may be done in any order.
#include "passes/reduce/ReductionLoop.h"

#include <gtest/gtest.h>

#include "affine/ModelOf.h"
#include "emit/Emit.h"
#include "ir/intrinsics/Intrinsics.h"

namespace hone::passes {
namespace {

constexpr const char* reductionParams =
    "(const float* a, const int* b, const short* h, const unsigned char* u, float* c, int* d, int n, float "
    "f, "
    "double w, bool p)";

// "sum s, maximum m by fmax" with a ~ behind what depends on the order, or "refused: …" of the first loop.
std::string found(const ir::KernelPtr& kernel) {
  const affine::KernelModel model = affine::buildModel(kernel, {256, 1, 1});
  const Result<ReductionLoop> loop = reductionLoop(model, affine::LoopId(0));
  if (!loop) return "refused: " + loop.refusal().reason;
  std::set<std::string> sums;
  for (const Accumulator& sum : loop->sums)
    sums.insert(std::string(str(sum.how)) + " " + sum.var->name +
                (sum.call ? " by " + std::string(sum.call->id) : "") + (sum.isExact ? "" : "~"));
  std::string text;
  for (const std::string& sum : sums) text += (text.empty() ? "" : ", ") + sum;
  return text;
}

struct ReductionCase {
  std::string body, expected;
};

void expectAll(const std::vector<ReductionCase>& cases) {
  std::vector<std::string> bodies;
  for (const ReductionCase& one : cases) bodies.push_back(one.body);
  const auto kernels = affine::kernelsOf(reductionParams, bodies);
  ASSERT_EQ(kernels.size(), cases.size());
  for (size_t i = 0; i < cases.size(); ++i) EXPECT_EQ(found(kernels[i]), cases[i].expected) << cases[i].body;
}

// A loop over i with this body, after these declarations.
std::string loopOf(const std::string& before, const std::string& body) {
  return before + " for (int i = 0; i < n; ++i) { " + body + " }";
}

std::string iterations(const std::string& head) {
  const affine::KernelModel model = affine::modelOf(std::string("__global__ void k") + reductionParams +
                                                    " { int s = 0; " + head + " s += b[i]; d[0] = s; }");
  const Result<ReductionLoop> loop = reductionLoop(model, affine::LoopId(0));
  if (!loop) return "refused: " + loop.refusal().reason;
  const ir::ExprPtr times = iterationsOf(model, *loop);
  return times ? emit::emitExpr(times, ir::Language::Cuda) : "unknown";
}

TEST(ReductionLoop, SumsComeInTheOrderOfTheBody) {
  const affine::KernelModel model = affine::modelOf(
      std::string("__global__ void k") + reductionParams +
      " { float x1 = 0, x2 = 0, x3 = 0, x4 = 0, x5 = 0; for (int i = 0; i < n; ++i) { x3 += a[i]; x5 += a[i];"
      " x1 += a[i]; x4 += a[i]; x2 += a[i]; x3 += 1.0f; } }");
  const Result<ReductionLoop> loop = reductionLoop(model, affine::LoopId(0));
  ASSERT_TRUE(loop) << loop.refusal().reason;
  std::string order;
  for (const Accumulator& sum : loop->sums) order += sum.var->name;
  EXPECT_EQ(order, "x3x5x1x4x2");
}

TEST(ReductionLoop, FloatingSumsDependOnTheirOrder) {
  expectAll({{loopOf("float s = 0;", "s += a[i];"), "sum s~"},
             {loopOf("float s = 0;", "s = s + a[i];"), "sum s~"},
             {loopOf("float s = 0;", "s = a[i] + s;"), "sum s~"},
             {loopOf("float s = 0;", "s -= a[i];"), "sum s~"},
             {loopOf("float s = 0;", "s = fmaf(a[i], f, s);"), "sum s~"},
             {loopOf("float s = 1;", "s *= a[i];"), "product s~"}});
}

TEST(ReductionLoop, IntegersDoNot) {
  expectAll({{loopOf("int s = 0;", "s += b[i];"), "sum s"},
             {loopOf("int s = 1;", "s *= b[i];"), "product s"},
             {loopOf("int s = 0;", "s |= b[i];"), "disjunction s"},
             {loopOf("int s = -1;", "s &= b[i];"), "conjunction s"},
             {loopOf("int s = 0;", "s = b[i] ^ s;"), "exclusive or s"},
             {loopOf("unsigned s = 0;", "s += u[i];"), "sum s"}});
}

// What is subtracted from, divided or shifted goes on from what it was.
TEST(ReductionLoop, OtherOperatorsCarryTheirValue) {
  const std::string carries = "refused: L1 carries s from iteration to iteration";
  expectAll({{loopOf("float s = 0;", "s = a[i] - s;"), carries},
             {loopOf("float s = 1;", "s /= a[i];"), carries},
             {loopOf("int s = 1;", "s <<= 1;"), carries},
             {loopOf("int s = 1;", "s %= 7;"), carries},
             {loopOf("float s = 0;", "s = s * f + a[i];"), carries},
             {loopOf("float s = 0;", "s += s;"), carries},
             {loopOf("float s = 0;", "s = a[i];"), carries},
             {loopOf("float s = 0;", "s = fmaf(s, f, a[i]);"), carries}});
}

TEST(ReductionLoop, ExtremaByFunction) {
  expectAll(
      {{loopOf("float m = 0;", "m = fmaxf(m, a[i]);"), "maximum m by fmax"},
       {loopOf("float m = 0;", "m = fminf(a[i], m);"), "minimum m by fmin"},
       {loopOf("int m = 0;", "m = max(b[i], m);"), "maximum m by max"},
       {loopOf("float m = 0;", "m = fmaxf(m, m);"), "refused: L1 carries m from iteration to iteration"}});
}

// Of two zeros, and of numbers that are none, a comparison keeps the one that came first.
TEST(ReductionLoop, ExtremaByComparison) {
  const std::string carries = "refused: L1 carries m from iteration to iteration";
  expectAll({{loopOf("float m = 0;", "if (a[i] > m) m = a[i];"), "maximum m~"},
             {loopOf("float m = 0;", "if (m > a[i]) m = a[i];"), "minimum m~"},
             {loopOf("int m = 0;", "if (m <= b[i]) { m = b[i]; }"), "maximum m"},
             {loopOf("int m = 0;", "m = b[i] < m ? b[i] : m;"), "minimum m"},
             {loopOf("int m = 0;", "m = m < b[i] ? m : b[i];"), "minimum m"},
             {loopOf("int m = 0;", "if (m == b[i]) m = b[i];"), carries},
             {loopOf("int m = 0;", "if (b[i] > m) m = b[i] + 1;"), carries},
             {loopOf("int m = 0;", "if (b[i] > m) m = b[i]; else m = 0;"), carries}});
}

// Compared in another type than kept, values have another order.
TEST(ReductionLoop, ExtremaThatConversionsSpoil) {
  const std::string carries = "refused: L1 carries m from iteration to iteration";
  expectAll({{loopOf("int m = 0;", "if ((unsigned)b[i] > (unsigned)m) m = b[i];"), carries},
             {loopOf("float m = 0;", "if ((int)a[i] > (int)m) m = a[i];"), carries},
             {loopOf("int m = 0;", "m = (int)fmaxf((float)m, a[i]);"), carries},
             {loopOf("short m = 0;", "m = (short)max((int)m, b[i]);"), carries}});
}

TEST(ReductionLoop, ExtremaThatConversionsLeaveAlone) {
  expectAll({{loopOf("int m = 0;", "m = max(m, (int)h[i]);"), "maximum m by max"},
             {loopOf("short m = 0;", "m = (short)max((int)m, (int)h[i]);"), "maximum m by max"},
             {loopOf("short m = 0;", "if (h[i] > m) m = h[i];"), "maximum m"},
             {loopOf("float m = 0;", "if ((double)a[i] > (double)m) m = a[i];"), "maximum m~"}});
}

// An integer that is cut off after each float is added is no sum.
TEST(ReductionLoop, SumsThatConversionsSpoil) {
  const std::string carries = "refused: L1 carries s from iteration to iteration";
  expectAll({{loopOf("int s = 0;", "s += a[i];"), carries},
             {loopOf("int s = 0;", "s = (int)(s + f);"), carries},
             {loopOf("long long s = 0;", "s = (int)s + b[i];"), carries},
             {loopOf("float s = 0;", "s = (int)s + b[i];"), carries},
             {loopOf("bool s = false;", "s = s + b[i];"), carries}});
}

TEST(ReductionLoop, SumsThatConversionsLeaveAlone) {
  expectAll({{loopOf("short s = 0;", "s += h[i];"), "sum s"},
             {loopOf("short s = 0;", "s = (short)(s + b[i]);"), "sum s"},
             {loopOf("float s = 0;", "s = (float)((double)s + w);"), "sum s~"},
             {loopOf("unsigned s = 0;", "s = (unsigned)((int)s + b[i]);"), "sum s"}});
}

TEST(ReductionLoop, TruthValues) {
  expectAll(
      {{loopOf("bool s = true;", "s = s && b[0] > 3;"), "refused: L1 carries s from iteration to iteration"},
       {loopOf("bool s = true;", "s = s && i < f;"), "conjunction s"},
       {loopOf("bool s = false;", "s |= b[i] > 3;"), "disjunction s"},
       {loopOf("bool s = false;", "s = b[i] > 3 || s;"), "disjunction s"},
       {loopOf("bool s = false;", "s = s ^ (b[i] > 3);"), "exclusive or s"},
       {loopOf("bool s = false;", "s = s ^ b[i];"), "refused: L1 carries s from iteration to iteration"}});
}

// `s && x` reads x only while s holds, which says how far the iterations before have come.
TEST(ReductionLoop, WhatIsReadOnlyWhereTheAnswerIsOpen) {
  expectAll(
      {{loopOf("bool s = true;", "s = s && b[i] > 3;"), "refused: L1 carries s from iteration to iteration"},
       {loopOf("bool s = true;", "d[i] = b[i]; s = s && b[i] > 3;"),
        "refused: L1 stores to d; put promote before it where that is a sum"},
       {loopOf("bool s = true; int t = 0;", "t += b[i]; s = s && b[i] > 3;"), "conjunction s, sum t"},
       {loopOf("bool s = true; int t = 0;", "if (p) t += b[i]; s = s && b[i] > 3;"),
        "refused: L1 carries s from iteration to iteration"}});
}

TEST(ReductionLoop, UpdatesUnderConditions) {
  expectAll(
      {{loopOf("float s = 0;", "if (a[i] > 0) s += a[i];"), "sum s~"},
       {loopOf("int s = 0;", "if (b[i] > 0) s += b[i]; else s -= 2;"), "sum s"},
       {loopOf("int s = 0;", "for (int j = 0; j < 4; ++j) s += b[i + j];"), "sum s"},
       {loopOf("int s = 0;", "if (b[i] < 0) continue; s += b[i];"), "sum s"},
       {loopOf("int s = 0;", "if (s < 100) s += b[i];"), "refused: L1 uses s before the sum is complete"}});
}

TEST(ReductionLoop, SeveralAccumulators) {
  expectAll(
      {{loopOf("float s = 0, m = 0; int c0 = 0;", "s += a[i]; m = fmaxf(m, a[i]); ++c0;"),
        "maximum m by fmax, sum c0, sum s~"},
       {loopOf("int s = 0, t = 0;", "s += b[i]; t += s;"), "refused: L1 uses s before the sum is complete"},
       {loopOf("int s = 0, t = 0;", "s += b[i]; t = s;"), "refused: L1 uses s before the sum is complete"}});
}

TEST(ReductionLoop, OneKindOfUpdateForEach) {
  const std::string carries = "refused: L1 carries s from iteration to iteration";
  expectAll({{loopOf("int s = 0;", "s += b[i]; s -= 3;"), "sum s"},
             {loopOf("int s = 0;", "s += b[i]; s *= 3;"), carries},
             {loopOf("int s = 0;", "s = max(s, b[i]); if (h[i] > s) s = h[i];"), carries},
             {loopOf("int s = 0;", "s = max(s, b[i]); s = min(s, 100);"), carries}});
}

TEST(ReductionLoop, ArraysAndVectorsOfTheThread) {
  expectAll({{loopOf("float s[2] = {0, 0};", "s[0] += a[i]; s[1] += a[i + n];"), "sum s~"},
             {loopOf("float4 s = make_float4(0, 0, 0, 0);", "s.x += a[i]; s.w += a[i + 1];"), "sum s~"},
             {loopOf("float s[2] = {0, 0};", "s[0] += a[i]; s[1] += s[0];"),
              "refused: L1 carries s from iteration to iteration"}});
}

// What an iteration declares is its own.
TEST(ReductionLoop, LocalsOfAnIteration) {
  expectAll({{loopOf("float s = 0;", "float v = a[i]; v = v * v; s += v;"), "sum s~"},
             {loopOf("float s = 0, v;", "v = a[i]; s += v;"),
              "refused: L1 carries v from iteration to iteration"}});
}

TEST(ReductionLoop, Pointers) {
  expectAll({{loopOf("float s = 0; const float* q = a;", "s += *q; q += 2;"),
              "refused: L1 carries q from iteration to iteration"},
             {loopOf("float s = 0;", "const float* q = a + i; s += *q;"), "sum s~"},
             {"int s = 0; int* q = &s; for (int i = 0; i < n; ++i) s += b[i]; *q = 3;",
              "refused: the address of s is taken"}});
}

TEST(ReductionLoop, Heads) {
  expectAll({{"int s = 0, i = 0; while (i < n) { s += b[i]; ++i; } d[0] = s;",
              "refused: L1 is no loop that counts"},
             {"int s = 0; for (int i = 0, j = n; i < n; ++i, --j) s += b[i] * j; d[0] = s;",
              "refused: the head of L1 does more than count"},
             {"int s = 0, i; for (i = 0; i < n; ++i) s += b[i]; d[0] = s;", "sum s"},
             {"int s = 0, i; for (i = 0; i < n; ++i) s += b[i]; d[0] = s + i;",
              "refused: i is used outside of L1 too"},
             {"int s = 0, i; for (i = 0; i < n; ++i) s += b[i]; for (i = 0; i < 2; ++i) d[i] = s;", "sum s"},
             {"int s = 0; for (int i = 0; i < n && b[i]; ++i) s += b[i]; d[0] = s;",
              "refused: L1 is no loop that counts"}});
}

TEST(ReductionLoop, WaysOutOfTheLoop) {
  expectAll({{loopOf("int s = 0;", "if (b[i] < 0) break; s += b[i];"), "refused: L1 may end early"},
             {loopOf("int s = 0;", "if (b[i] < 0) return; s += b[i];"), "refused: L1 may end early"}});
}

TEST(ReductionLoop, WhatIsStored) {
  expectAll(
      {{loopOf("int s = 0;", "s += b[i]; d[i] = s;"), "refused: L1 uses s before the sum is complete"},
       {loopOf("int s = 0;", "s += b[i]; d[i] = i;"),
        "refused: L1 stores to d; put promote before it where that is a sum"},
       {loopOf("", "d[0] += b[i];"), "refused: L1 stores to d; put promote before it where that is a sum"},
       {loopOf("", "float v = a[i]; v += 1;"), "refused: L1 sums up nothing"}});
}

TEST(ReductionLoop, CallsThatDoMore) {
  expectAll({{loopOf("int s = 0;", "s += b[i]; atomicAdd(d, 1);"),
              "refused: L1 calls atomic_add, which does more than compute a value"},
             {loopOf("int s = 0;", "s += __shfl_xor_sync(~0u, b[i], 1);"),
              "refused: L1 calls shfl_xor_sync, which does more than compute a value"},
             {loopOf("float s = 0;", "s += sqrtf(a[i]);"), "sum s~"}});
}

// A tile that each iteration fills and reads at places of its own is no value that is carried.
TEST(ReductionLoop, Tiles) {
  const std::string fill = "__shared__ float t[256]; float s = 0; for (int i = 0; i < n; ++i) { ";
  expectAll({{fill + "t[threadIdx.x] = a[i * 256 + threadIdx.x]; __syncthreads(); "
                     "s += t[255 - threadIdx.x]; __syncthreads(); } c[0] = s;",
              "sum s~"},
             {fill + "t[(threadIdx.x + i) & 255] = a[i]; s += t[threadIdx.x]; } c[0] = s;",
              "refused: L1 carries t from iteration to iteration"},
             {fill + "t[threadIdx.x] = a[i]; s += t[threadIdx.x]; } c[0] = s + t[0];",
              "refused: L1 carries t from iteration to iteration"}});
}

TEST(ReductionLoop, NumberOfIterations) {
  EXPECT_EQ(iterations("for (int i = 0; i < n; ++i)"), "n");
  EXPECT_EQ(iterations("for (int i = 0; i <= n; ++i)"), "0 <= n ? n + 1ll : 0ll");
  EXPECT_EQ(iterations("for (int i = 2; i < n; i += 3)"), "2 < n ? n / 3ll : 0ll");
  EXPECT_EQ(iterations("for (int i = n; i > 0; --i)"), "n > 0 ? n : 0ll");
  EXPECT_EQ(iterations("for (long long i = n; i < 9; ++i)"), "unknown");
  EXPECT_EQ(iterations("for (int i = 0; i != n; ++i)"), "unknown");
}

TEST(ReductionLoop, NeutralValuesAndPutTogether) {
  auto var = std::make_shared<ir::Variable>();
  var->name = "s", var->type = ir::int32();
  auto both = [&](Combine how, const ir::TypePtr& type) {
    const Accumulator sum{var, how, true, nullptr};
    auto x = std::make_shared<ir::Variable>(*var), y = std::make_shared<ir::Variable>(*var);
    x->name = "x", y->name = "y", x->type = y->type = type;
    const ir::ExprPtr neutral = neutralValue(sum, type);
    return (neutral ? emit::emitExpr(neutral, ir::Language::Cuda) : "none") + ": " +
           emit::emitExpr(combined(sum, ir::ref(ir::VarPtr(x)), ir::ref(ir::VarPtr(y))), ir::Language::Cuda);
  };
  EXPECT_EQ(both(Combine::Add, ir::int32()), "0: x + y");
  EXPECT_EQ(both(Combine::Mul, ir::floatType(32)), "1.0f: x * y");
  EXPECT_EQ(both(Combine::And, ir::int32()), "-1: x & y");
  EXPECT_EQ(both(Combine::And, ir::boolType()), "true: x && y");
  EXPECT_EQ(both(Combine::Xor, ir::int32()), "0: x ^ y");
  EXPECT_EQ(both(Combine::Max, ir::floatType(32)), "none: y > x ? y : x");
  EXPECT_EQ(both(Combine::Min, ir::int32()), "none: y < x ? y : x");
}

}  // namespace
}  // namespace hone::passes
