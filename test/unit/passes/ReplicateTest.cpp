// Threads merged into one: what becomes of their declarations, guards, loops, loads, arrays and barriers.
#include "passes/merge/Replicate.h"

#include <gtest/gtest.h>

#include "affine/ModelOf.h"
#include "emit/Emit.h"
#include "ir/Build.h"

namespace hone::passes {
namespace {

// threadIdx.x stands for threadIdx.x * 2 + rx, threadIdx.y for threadIdx.y * 2 + ry, and so blockIdx where
// blocks are merged.
class MergedIds : public ir::Rewriter {
 public:
  MergedIds(const Replicas& of, ir::CoordKind kind) : replicas(of), merged(kind) {}

 protected:
  ir::ExprPtr mapExpr(const ir::ExprPtr& e) override {
    const auto* c = ir::as<ir::Coord>(e);
    if (!c || c->kind != merged || !replicas.number[c->axis]) return e;
    return ir::plus(ir::times(e, ir::intLit(replicas.count[c->axis], e->type)),
                    ir::convert(ir::ref(replicas.number[c->axis]), e->type));
  }

 private:
  const Replicas& replicas;
  ir::CoordKind merged;
};

struct MergeCase {
  std::string body, expected;
};

class Merging {
 public:
  Merging(const ir::KernelPtr& original, const std::string& axes, bool ofBlocks) : kernel(*original) {
    for (char axis : axes) {
      auto number = std::make_shared<ir::Variable>();
      number->name = std::string("r") + axis, number->type = ir::int32();
      replicas.number[static_cast<size_t>(axis - 'x')] = number;
      replicas.count[static_cast<size_t>(axis - 'x')] = 2;
    }
    replicas.ownShared = ofBlocks;
    kernel.body = MergedIds(replicas, ofBlocks ? ir::CoordKind::BlockIdx : ir::CoordKind::ThreadIdx)
                      .rewriteBlock(kernel.body);
  }

  // Blocks above the grid that w gives do not exist.
  void mayNotExist() {
    exists[0] = MergedIds(replicas, ir::CoordKind::BlockIdx)
                    .rewrite(ir::binary(ir::BinaryOp::Lt, ir::coord(ir::CoordKind::BlockIdx, 0),
                                        ir::convert(ir::ref(kernel.params[2]), ir::uint32())));
  }

  // The body on one line; a loop over replicas is "each rx", the declaration of x in it "x(rx);".
  std::string text() const {
    std::array<ir::ConstantRole, 3> roles;
    for (uint8_t axis = 0; axis < 3; ++axis) roles[axis] = {ir::RoleKind::MergeFactor, axis};
    const auto made = replicate(kernel, replicas, exists, roles);
    if (!made) return "refused: " + made.refusal().reason;
    ir::Kernel copy = kernel;
    copy.body = made->body;
    for (unsigned axis = 0; axis < 3; ++axis)
      copy.constants.push_back({roles[axis], replicas.count[axis], ""});
    std::string text;
    for (char ch : emit::emitBody(copy, {}).text)
      if (ch != '\n' && ch != ' ')
        text += ch;
      else if (!text.empty() && text.back() != ' ')
        text += ' ';
    const std::vector<std::pair<std::string, std::string>> shortForms = {
        {"#pragma unroll ", ""},
        {"constexpr int kPerX = 2; ", ""},
        {"constexpr int kPerY = 2; ", ""},
        {"for (int rx = 0; rx < kPerX; ++rx)", "each rx"},
        {"for (int ry = 0; ry < kPerY; ++ry)", "each ry"},
        {"int x = blockIdx.x * 64 + (threadIdx.x * 2u + rx);", "x(rx);"},
        {"int y = blockIdx.y * 8 + (threadIdx.y * 2u + ry);", "y(ry);"},
        {"(int)(blockIdx.x * 64u + threadIdx.x * 2u)", "x(0)"},
        {"(int)(blockIdx.y * 8u + threadIdx.y * 2u)", "y(0)"},
        {"int x = (blockIdx.x * 2u + rx) * 64 + threadIdx.x;", "x(rx);"},
    };
    for (const auto& [from, to] : shortForms)
      for (size_t at = text.find(from); at != std::string::npos; at = text.find(from, at))
        text.replace(at, from.size(), to);
    return text.substr(2, text.size() - 4);
  }

 private:
  ir::Kernel kernel;
  Replicas replicas;
  std::array<ir::ExprPtr, 3> exists;
};

void expectMerged(const std::vector<MergeCase>& cases, const std::string& axes, bool ofBlocks,
                  bool mayNotExist) {
  std::vector<std::string> bodies;
  for (const MergeCase& one : cases) bodies.push_back("int x = blockIdx.x * 64 + threadIdx.x; " + one.body);
  const auto kernels = affine::kernelsOf("(const float* a, float* c, int w, int h)", bodies);
  ASSERT_EQ(kernels.size(), cases.size());
  for (size_t i = 0; i < cases.size(); ++i) {
    Merging merging(kernels[i], axes, ofBlocks);
    if (mayNotExist) merging.mayNotExist();
    EXPECT_EQ(merging.text(), cases[i].expected) << cases[i].body;
  }
}

void expectThreads(const std::vector<MergeCase>& cases, const std::string& axes = "x") {
  expectMerged(cases, axes, false, false);
}

void expectBlocks(const std::vector<MergeCase>& cases, bool mayNotExist = false) {
  expectMerged(cases, "x", true, mayNotExist);
}

TEST(Replicate, DeclarationsThatDoNotDifferStayOnce) {
  expectThreads(
      {{"int u = blockIdx.x * 3; c[x] = u;", "int u = blockIdx.x * 3; each rx { x(rx); c[x] = u; }"},
       {"c[w] = a[w];", "c[w] = a[w];"}});
}

TEST(Replicate, GuardsAreAskedOfEachThread) {
  expectThreads({{"if (x < w) c[x] = a[x];", "each rx { x(rx); if (x < w) { c[x] = a[x]; } }"},
                 {"if (x < w) c[x] = a[x] + a[w];",
                  "// a is the same for kPerX of the merged threads: loaded once. float a_reg = x(0) < w ? "
                  "a[w] : 0.0f; each rx { x(rx); if (x < w) { c[x] = a[x] + a_reg; } }"}});
}

TEST(Replicate, ReturnsThatDifferLeaveALoopOfOneIteration) {
  expectThreads(
      {{"if (x >= w) return; c[x] = a[x];",
        "each rx { do { x(rx); if (x >= w) { break; } c[x] = a[x]; } while (false); }"},
       {"if (w > 3) return; c[x] = a[x];", "if (w > 3) { return; } each rx { x(rx); c[x] = a[x]; }"}});
}

TEST(Replicate, LoopsStandOutsideOfGuards) {
  expectThreads({{"if (x < w) { float s = 0; for (int i = 0; i < h; ++i) s += a[i * w + x]; c[x] = s; }",
                  "if (x(0) < w) { float s[kPerX] = {}; for (int i = 0; i < h; ++i) { each rx { x(rx); if (x "
                  "< w) { s[rx] += a[i * w + x]; } } } each rx { x(rx); if (x < w) { c[x] = s[rx]; } } }"},
                 {"if (x < w) { float s = 0; for (int i = 0; i < h; ++i) s += i; c[x] = s; }",
                  "if (x(0) < w) { float s = 0; for (int i = 0; i < h; ++i) { s += i; } each rx { x(rx); if "
                  "(x < w) { c[x] = s; } } }"}});
}

// What may trap, and a condition that cannot be asked again.
TEST(Replicate, DivisionAndConditionsFromMemoryUnderTheirGuard) {
  expectThreads({{"if (x < w) { int s = 0; for (int i = 0; i < h; ++i) s += 7 / w; c[x] = s; }",
                  "if (x(0) < w) { int s[kPerX] = {}; for (int i = 0; i < h; ++i) { each rx { x(rx); if (x < "
                  "w) { s[rx] += 7 / w; } } } each rx { x(rx); if (x < w) { c[x] = s[rx]; } } }"},
                 {"if (a[x] > 0) { float s = 0; for (int i = 0; i < h; ++i) s += a[i * w + x]; c[x] = s; }",
                  "bool active[kPerX]; float s[kPerX] = {}; each rx { x(rx); active[rx] = a[x] > 0; } for "
                  "(int i = 0; i < h; ++i) { each rx { x(rx); if (active[rx]) { s[rx] += a[i * w + x]; } } } "
                  "each rx { x(rx); if (active[rx]) { c[x] = s[rx]; } }"}});
}

TEST(Replicate, LoadsUnderAGuardAreZeroElsewhere) {
  expectThreads(
      {{"if (x < w) { const float v = a[x]; float s = 0; for (int i = 0; i < h; ++i) s += v; c[x] = s; }",
        "if (x(0) < w) { float v[kPerX]; float s[kPerX] = {}; each rx { x(rx); v[rx] = x < w ? a[x] : 0.0f; "
        "} for (int i = 0; i < h; ++i) { each rx { s[rx] += v[rx]; } } each rx { x(rx); if (x < w) { c[x] = "
        "s[rx]; } } }"}});
}

TEST(Replicate, LoopsThatDifferStayWithTheirThread) {
  expectThreads(
      {{"if (x < w) { for (int i = 0; i < a[x]; ++i) c[i] = 0; }",
        "each rx { x(rx); if (x < w) { for (int i = 0; i < a[x]; ++i) { c[i] = 0; } } }"},
       {"for (int i = 0; i < x; ++i) c[i] = i;",
        "each rx { x(rx); for (int i = 0; i < x; ++i) { c[i] = i; } }"},
       {"while (x < w) { c[x] = 0; x += 128; }", "each rx { x(rx); while (x < w) { c[x] = 0; x += 128; } }"},
       {"for (int i = 0; i < w; ++i) { if (a[x] > i) break; c[x] = i; }",
        "each rx { x(rx); for (int i = 0; i < w; ++i) { if (a[x] > i) { break; } c[x] = i; } }"}});
}

TEST(Replicate, GuardsInGuards) {
  expectThreads({{"if (x < w) { if (h > 3) { for (int i = 0; i < h; ++i) c[i * w + x] = 0; } }",
                  "if (x(0) < w) { if (h > 3) { for (int i = 0; i < h; ++i) { each rx { x(rx); if (x < w) { "
                  "c[i * w + x] = 0; } } } } }"},
                 {"if (x < w) { if (x > 3) { for (int i = 0; i < h; ++i) c[i * w + x] = 0; } }",
                  "if (x(0) < w) { for (int i = 0; i < h; ++i) { each rx { x(rx); if (x < w && x > 3) { c[i "
                  "* w + x] = 0; } } } }"}});
}

// What the outer guard's statements declare is looked at where the inner one does not hold.
TEST(Replicate, InnerGuardsOfWhatStandsBeforeThem) {
  expectThreads(
      {{"if (x < w) { float s = 0; if (x > 3) { for (int i = 0; i < h; ++i) s += i; } c[x] = s; }",
        "if (x(0) < w) { float s[kPerX] = {}; for (int i = 0; i < h; ++i) { each rx { x(rx); if (x < w "
        "&& x > 3) { s[rx] += i; } } } each rx { x(rx); if (x < w) { c[x] = s[rx]; } } }"}});
}

TEST(Replicate, TwoAxes) {
  expectThreads(
      {{"int y = blockIdx.y * 8 + threadIdx.y; if (x < w && y < h) { float s = 0; for (int i = 0; i < w; "
        "++i) s += a[y * w + i] * a[i * w + x]; c[y * w + x] = s; }",
        "if (x(0) < w && y(0) < h) { float s[kPerY][kPerX] = {}; for (int i = 0; i < w; ++i) { float "
        "a_reg2[kPerX]; each rx { x(rx); a_reg2[rx] = x < w ? a[i * w + x] : 0.0f; } // a is the same for "
        "kPerX of the merged threads: loaded once. each ry { y(ry); float a_reg = y < h ? a[y * w + i] : "
        "0.0f; each rx { s[ry][rx] += a_reg * a_reg2[rx]; } } } each ry { y(ry); each rx { x(rx); if (x < w "
        "&& y < h) { c[y * w + x] = s[ry][rx]; } } } }"}},
      "xy");
}

TEST(Replicate, SharedMemoryIsTheBlocks) {
  expectThreads(
      {{"__shared__ float t[64]; t[threadIdx.x] = a[x]; __syncthreads(); c[x] = t[63 - threadIdx.x];",
        "__shared__ float t[64]; each rx { x(rx); t[threadIdx.x * 2u + rx] = a[x]; } __syncthreads(); each "
        "rx { x(rx); c[x] = t[63 - (threadIdx.x * 2u + rx)]; }"},
       {"if (w > 1) { __shared__ float t[64]; t[threadIdx.x] = a[x]; c[x] = t[threadIdx.x]; }",
        "__shared__ float t[64]; if (w > 1) { each rx { x(rx); t[threadIdx.x * 2u + rx] = a[x]; c[x] = "
        "t[threadIdx.x * 2u + rx]; } }"}});
}

TEST(Replicate, BarriersStandOutsideOfGuards) {
  expectThreads({{"if (x < w) { __syncthreads(); c[x] = 1; }",
                  "__syncthreads(); each rx { x(rx); if (x < w) { c[x] = 1; } }"},
                 {"if (x < w) { float v = a[x]; __syncthreads(); c[x] = v; }",
                  "float v[kPerX]; each rx { x(rx); v[rx] = x < w ? a[x] : 0.0f; } __syncthreads(); each rx "
                  "{ x(rx); if (x < w) { c[x] = v[rx]; } }"}});
}

TEST(Replicate, BarriersThatThreadsMeetApart) {
  expectThreads(
      {{"for (int i = 0; i < x; ++i) { __syncthreads(); c[x] = i; }",
        "refused: a barrier stands in a loop or choice that the merged threads do not take alike"},
       {"if (x < w) { c[x] = 0; } else { __syncthreads(); }",
        "refused: a barrier stands in a loop or choice that the merged threads do not take alike"},
       {"if (x >= w) return; __syncthreads(); c[x] = 1;",
        "refused: a barrier stands in a loop or choice that the merged threads do not take alike"}});
}

TEST(Replicate, WhatLivesAcrossABarrierBecomesAnArray) {
  expectThreads(
      {{"float v[3]; for (int i = 0; i < 3; ++i) v[i] = a[x + i]; __syncthreads(); c[x] = v[0] + v[2];",
        "float v[kPerX][3]; for (int i = 0; i < 3; ++i) { each rx { x(rx); v[rx][i] = a[x + i]; } } "
        "__syncthreads(); each rx { x(rx); c[x] = v[rx][0] + v[rx][2]; }"},
       {"float v = a[x]; __syncthreads(); c[x] = v;",
        "float v[kPerX]; each rx { x(rx); v[rx] = a[x]; } __syncthreads(); each rx { x(rx); c[x] = v[rx]; "
        "}"}});
}

TEST(Replicate, SumsStartWhereTheyAreDeclaredIfAtZero) {
  expectThreads({{"float s = 0; for (int i = 0; i < h; ++i) { s += a[x + i]; __syncthreads(); } c[x] = s;",
                  "float s[kPerX] = {}; for (int i = 0; i < h; ++i) { each rx { x(rx); s[rx] += a[x + i]; } "
                  "__syncthreads(); } each rx { x(rx); c[x] = s[rx]; }"},
                 {"float s = 1; for (int i = 0; i < h; ++i) { s += a[x + i]; __syncthreads(); } c[x] = s;",
                  "float s[kPerX]; each rx { s[rx] = 1; } for (int i = 0; i < h; ++i) { each rx { x(rx); "
                  "s[rx] += a[x + i]; } __syncthreads(); } each rx { x(rx); c[x] = s[rx]; }"}});
}

TEST(Replicate, WhatIsTheSameForAllStaysOne) {
  expectThreads(
      {{"float v[2] = {1, 2}; __syncthreads(); c[x] = v[x & 1];",
        "float v[2] = {1, 2}; __syncthreads(); each rx { x(rx); c[x] = v[x & 1]; }"},
       {"w += 3; __syncthreads(); c[x] = w;", "w += 3; __syncthreads(); each rx { x(rx); c[x] = w; }"}});
}

TEST(Replicate, ParametersThatChange) {
  expectThreads({{"w += x; __syncthreads(); c[x] = w;",
                  "int w_2[kPerX]; each rx { x(rx); w_2[rx] = w; w_2[rx] += x; } __syncthreads(); each rx { "
                  "x(rx); c[x] = w_2[rx]; }"},
                 {"int* p = &w; *p = 3; c[x] = w;",
                  "each rx { x(rx); int w_2 = w; int* p = &w_2; *p = 3; c[x] = w_2; }"}});
}

TEST(Replicate, WaysThatAllTakeAlikeStayOne) {
  expectThreads({{"for (int i = 0; i < w; ++i) { if (a[i] > 3) break; c[x] = i; }",
                  "for (int i = 0; i < w; ++i) { if (a[i] > 3) { break; } each rx { x(rx); c[x] = i; } }"},
                 {"if (w > 3) { c[x] = 1; } else { c[x] = 2; }",
                  "if (w > 3) { each rx { x(rx); c[x] = 1; } } else { each rx { x(rx); c[x] = 2; } }"},
                 {"switch (w) { case 1: c[x] = 1; break; default: c[0] = 2; }",
                  "switch (w) { case 1: each rx { x(rx); c[x] = 1; } break; default: c[0] = 2; }"}});
}

TEST(Replicate, EffectsAreEachThreadsOwn) {
  expectThreads({{"printf(\"%d\", w);", "each rx { printf(\"%d\", w); }"},
                 {"atomicAdd(&c[0], 1.0f);", "each rx { atomicAdd(c, 1.0f); }"}});
}

TEST(Replicate, LoadsThatThreadsShare) {
  expectThreads({{"if (x < w) { c[x] = a[h]; c[x + 1] = a[h]; }",
                  "// a is the same for kPerX of the merged threads: loaded once. float a_reg = x(0) < w ? "
                  "a[h] : 0.0f; each rx { x(rx); if (x < w) { c[x] = a_reg; c[x + 1] = a[h]; } }"},
                 {"c[x] = a[h] * a[h];",
                  "// a is the same for kPerX of the merged threads: loaded once. float a_reg = a[h]; each "
                  "rx { x(rx); c[x] = a_reg * a_reg; }"},
                 {"c[x] = h > 0 ? a[h] : 1;",
                  "// a is the same for kPerX of the merged threads: loaded once. float a_reg = h > 0 ? a[h] "
                  ": 0.0f; each rx { x(rx); c[x] = h > 0 ? a_reg : 1; }"}});
}

TEST(Replicate, LoadsStayBehindStores) {
  expectThreads({{"c[x] = 1; c[x + w] = a[h];",
                  "each rx { x(rx); c[x] = 1; } float a_reg = a[h]; each rx { x(rx); c[x + w] = a_reg; }"}});
}

// The lowest thread speaks for all where the condition only falls with its number.
TEST(Replicate, LoadsWhereSomeThreadMakesThem) {
  expectThreads({{"c[x] = x < w ? a[h] : 1;",
                  "// a is the same for kPerX of the merged threads: loaded once. float a_reg = x(0) < w ? "
                  "a[h] : 0.0f; each rx { x(rx); c[x] = x < w ? a_reg : 1; }"},
                 {"c[x] = x * x < w ? a[h] : 1;", "each rx { x(rx); c[x] = x * x < w ? a[h] : 1; }"}});
}

TEST(Replicate, TilesOfMergedBlocks) {
  expectBlocks(
      {{"__shared__ float t[64]; t[threadIdx.x] = a[x]; __syncthreads(); c[x] = t[63 - threadIdx.x];",
        "__shared__ float t[kPerX][64]; each rx { x(rx); t[rx][threadIdx.x] = a[x]; } __syncthreads(); each "
        "rx { x(rx); c[x] = t[rx][63 - threadIdx.x]; }"},
       {"__shared__ float t[64]; t[threadIdx.x] = a[threadIdx.x]; __syncthreads(); c[x] = t[63 - "
        "threadIdx.x];",
        "__shared__ float t[64]; t[threadIdx.x] = a[threadIdx.x]; __syncthreads(); // t is the same for "
        "kPerX of the merged threads: loaded once. float t_reg = t[63 - threadIdx.x]; each rx { x(rx); c[x] "
        "= t_reg; }"}});
}

TEST(Replicate, SharedMemorySizedAtTheLaunch) {
  expectBlocks(
      {{"extern __shared__ float t[]; t[threadIdx.x] = a[x]; __syncthreads(); c[x] = t[63 - threadIdx.x];",
        "refused: shared memory `t`, sized at the launch, would hold different data for the merged blocks"},
       {"extern __shared__ float t[]; t[threadIdx.x] = a[threadIdx.x]; __syncthreads(); c[x] = t[63 - "
        "threadIdx.x];",
        "extern __shared__ float t[]; t[threadIdx.x] = a[threadIdx.x]; __syncthreads(); // t is the same for "
        "kPerX of the merged threads: loaded once. float t_reg = t[63 - threadIdx.x]; each rx { x(rx); c[x] "
        "= t_reg; }"}});
}

TEST(Replicate, BlocksThatDoNotExist) {
  expectBlocks(
      {{"__shared__ float t[64]; float v = a[x]; t[threadIdx.x] = v * 2; __syncthreads(); c[x] = t[63 - "
        "threadIdx.x] + v;",
        "__shared__ float t[kPerX][64]; float v[kPerX]; each rx { x(rx); v[rx] = blockIdx.x * 2u + rx < w ? "
        "a[x] : 0.0f; t[rx][threadIdx.x] = v[rx] * 2; } __syncthreads(); each rx { x(rx); if (blockIdx.x * "
        "2u + rx < w) { c[x] = t[rx][63 - threadIdx.x] + v[rx]; } }"},
       {"int v = 0; if (w > 3) v = int(a[x]); c[x] = v;",
        "int v[kPerX] = {}; if (w > 3) { each rx { x(rx); if (blockIdx.x * 2u + rx < w) { v[rx] = (int)a[x]; "
        "} } } each rx { x(rx); if (blockIdx.x * 2u + rx < w) { c[x] = v[rx]; } }"},
       {"int v; v = x + 3; c[w] = 1; c[x] = v;",
        "int v[kPerX]; each rx { x(rx); v[rx] = x + 3; } c[w] = 1; each rx { x(rx); if (blockIdx.x * 2u + rx "
        "< w) { c[x] = v[rx]; } }"},
       {"const float4 v[1] = {((const float4*)a)[x]}; __syncthreads(); c[x] = v[0].x;",
        "refused: what a block of the original loads cannot be left out where the grid does not divide"}},
      true);
}

}  // namespace
}  // namespace hone::passes
