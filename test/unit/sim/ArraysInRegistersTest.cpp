#include "sim/model/ArraysInRegisters.h"

#include "affine/ModelOf.h"
#include "ir/Verify.h"
#include "ir/Walk.h"

namespace hone::sim {

namespace {

struct Counts {
  size_t loops = 0, arrays = 0;
};

Counts countsOf(const std::string& body) {
  ir::KernelPtr kernel =
      arraysInRegisters(affine::kernelOf("__global__ void k(float* a, int n, int j) {" + body + "}"), {});
  EXPECT_EQ(ir::verify(*kernel), std::vector<std::string>{});
  Counts out;
  ir::walkStmts(kernel->body, [&](const ir::Stmt& s) {
    out.loops += s.is<ir::For>();
    const auto* d = s.as<ir::Declare>();
    out.arrays += d && d->var->type->is(ir::TypeKind::Array);
  });
  return out;
}

}  // namespace

TEST(ArraysInRegisters, numbersAsSubscriptsMakeVariables) {
  Counts all = countsOf(R"(
    float sum[2][3] = {};
    for (int i = 0; i < n; ++i)
      #pragma unroll
      for (int y = 0; y < 2; ++y)
        #pragma unroll
        for (int x = 0; x < 3; ++x) { float v = a[i + x]; sum[y][x] += v; }
    for (int x = 0; x < 3; ++x) a[x] = sum[0][x] + sum[1][x];)");
  EXPECT_EQ(all.loops, 1u);
  EXPECT_EQ(all.arrays, 0u);
}

TEST(ArraysInRegisters, subscriptsKnownAtRunTimeKeepTheArray) {
  Counts all = countsOf(R"(
    float sum[4] = {1, 2};
    for (int x = 0; x < 4; ++x) sum[x] += a[x];
    a[0] = sum[j & 3];)");
  EXPECT_EQ(all.arrays, 1u);
  EXPECT_EQ(all.loops, 0u);
}

TEST(ArraysInRegisters, smallLoopsOfKnownLengthAreUnrolledUnasked) {
  Counts all = countsOf(R"(
    float most = a[j];
    for (int y = -1; y <= 1; ++y)
      for (int x = -1; x <= 1; ++x) most = a[(j + y) * n + j + x] > most ? a[(j + y) * n + j + x] : most;
    for (int i = 0; i < 60; ++i) most += a[i * n] * a[i * n + j] * a[i * n + 2 * j];
    for (int i = 0; i < n; ++i) most += a[i];
    a[j] = most;)");
  EXPECT_EQ(all.loops, 2u);
}

TEST(ArraysInRegisters, loopsThatEndEarlyOrAreLongStay) {
  Counts all = countsOf(R"(
    float sum[100];
    #pragma unroll
    for (int x = 0; x < 4; ++x) { if (a[x] > 1) break; a[x] = 2; }
    #pragma unroll
    for (int x = 0; x < 100; ++x) sum[x] = a[x];
    a[0] = sum[j];)");
  EXPECT_EQ(all.loops, 2u);
}

TEST(ArraysInRegisters, addressesKeepTheArray) {
  Counts all =
      countsOf("float v[2]; v[0] = a[0]; v[1] = a[1]; float* p = v; p[j & 1] = 3; a[2] = v[0] + v[1];");
  EXPECT_EQ(all.arrays, 1u);
}

}  // namespace hone::sim
