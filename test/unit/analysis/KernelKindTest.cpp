// What kind of kernel it is: those that text tests of `hone explain` do not have.
#include "analysis/KernelKind.h"

#include <gtest/gtest.h>

#include "affine/ModelOf.h"

namespace hone::analysis {
namespace {

using namespace affine;

const std::string params =
    "(const float* a, const float* b, const int* at, float* out, float* more, int n, int m)";
const std::string flat = "int i = blockIdx.x * blockDim.x + threadIdx.x; if (i >= n) return;\n";

// The kinds of kernels with these bodies, in blocks of this shape.
std::vector<std::string> kinds(const std::vector<std::string>& bodies,
                               const std::array<unsigned, 3>& block = {256, 1, 1}) {
  std::vector<std::string> out;
  for (const ir::KernelPtr& kernel : kernelsOf(params, bodies))
    out.emplace_back(str(kindOf(buildModel(kernel, block)).kind));
  return out;
}

using Words = std::vector<std::string>;

TEST(KernelKind, MovesOfElements) {
  EXPECT_EQ(
      kinds({flat + "out[i] = 1.0f;", flat + "out[i] = a[i / m] * b[i];", flat + "out[n - 1 - i] = a[i];",
             flat + "out[i ^ 1] = a[i];", flat + "int y = i / m, x = i % m; out[x * n + y] = a[y * m + x];",
             flat + "out[i] = a[3 * i] + a[3 * i + 1] + a[3 * i + 2];",
             "for (int i = threadIdx.x; i < n; i += 256) out[i] = a[i] + b[i];"}),
      (Words{"elementwise", "elementwise", "permutation", "permutation", "permutation", "elementwise",
             "elementwise"}));
}

TEST(KernelKind, Neighbours) {
  EXPECT_EQ(
      kinds({flat + "out[i] = i > 0 ? a[i] - a[i - 1] : 0.0f;",
             flat + "out[i] = a[i == 0 ? n - 1 : i - 1] + a[i];",
             flat +
                 "float w[3]; for (int k = 0; k < 3; ++k) w[k] = a[i + k]; out[i] = fmaxf(w[0], fminf(w[1], "
                 "w[2]));"}),
      (Words{"stencil", "stencil", "stencil"}));
}

TEST(KernelKind, SumsInMemory) {
  EXPECT_EQ(kinds({flat + "for (int k = 0; k < m; ++k) out[i] += a[i * m + k] * b[k];",
                   flat + "atomicAdd(&out[0], a[i]);", flat + "atomicAdd(&out[i % m], a[i]);",
                   flat + "atomicAdd(&out[i / m], a[i]);", flat + "atomicAdd(&out[at[i]], a[i]);"}),
            (Words{"row reduction", "row reduction", "column reduction", "row reduction", "scatter"}));
}

TEST(KernelKind, Scans) {
  EXPECT_EQ(
      kinds({flat + "float s = 0; for (int k = 0; k <= i; ++k) s += a[k]; out[i] = s;",
             flat + "for (int k = 1; k < m; ++k) out[i * m + k] = out[i * m + k - 1] + a[i * m + k];",
             flat +
                 "float s = a[i]; for (int d = 1; d < 32; d *= 2) { float o = __shfl_up_sync(~0u, s, d); if "
                 "(threadIdx.x % 32 >= d) s += o; } out[i] = s;"}),
      (Words{"scan", "scan", "scan"}));
}

// Sums that begin anew in each turn of the loop around them are not carried by it.
TEST(KernelKind, SumsOfEachTurn) {
  EXPECT_EQ(kinds({"float s = 0; for (int k = threadIdx.x; k < n; k += 256) s += b[0] * at[k / 256]; "
                   "out[threadIdx.x] = "
                   "s;"}),
            (Words{"mixed"}));
  EXPECT_EQ(kinds({"for (int r = blockIdx.x; r < n; r += gridDim.x) { float s = 0; for (int k = 0; k < m; "
                   "++k) s += a[r * "
                   "m + k]; out[r] = s; }"}),
            (Words{"row reduction"}));
}

TEST(KernelKind, SeveralStores) {
  EXPECT_EQ(
      kinds({flat + "float s = 0; for (int k = 0; k < m; ++k) s += a[i * m + k]; out[i] = s; more[i] = b[i];",
             flat + "out[i] = a[at[i]]; more[at[i]] = b[i];", flat + "out[at[i] * m] = a[at[i]];"}),
      (Words{"row reduction", "mixed", "scatter"}));
}

TEST(KernelKind, WhatCannotBeTold) {
  EXPECT_EQ(kinds({flat + "out[i ^ m] = a[i];",
                   flat + "for (int k = 0; k < m; ++k) if (a[k] == b[i]) out[i] = a[k];",
                   flat + "float x[1]; memcpy(x, a + i, 4); out[i] = x[0];"}),
            (Words{"none", "none", "none"}));
}

}  // namespace
}  // namespace hone::analysis
