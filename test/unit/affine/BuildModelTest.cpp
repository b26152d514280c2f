// Kernels as people write them, and the addresses that come of them.
#include "ModelOf.h"

namespace hone::affine {
namespace {

TEST(BuildModel, GlobalIds) {
  const KernelModel m = modelOf(R"(
__global__ void scale(float* a, const float* b, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) a[i] = 2.0f * b[i + 1];
})");
  EXPECT_EQ(describe(m, "a#1"), "1024*blockIdx.x + 4*threadIdx.x where 256*blockIdx.x + threadIdx.x < n");
  EXPECT_EQ(describe(m, "b#1"), "1024*blockIdx.x + 4*threadIdx.x + 4 where 256*blockIdx.x + threadIdx.x < n");
}

}  // namespace
}  // namespace hone::affine
