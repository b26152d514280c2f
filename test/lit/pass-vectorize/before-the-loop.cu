// What every iteration of a long loop would ask is asked before it; what an iteration itself decides, and what threads do together, stays inside.
// RUN: %hone opt %s --kernel columns --recipe 'block(x=64) vectorize(threads=2)' --no-verify -o %t.cu
// RUN: FileCheck %s < %t.cu
// RUN: %clang_cuda_ptx %t.cu
// RUN: %hone verify %s --kernel columns --recipe 'block(x=64) vectorize(threads=2)' | FileCheck %s --check-prefix=SAME
// CHECK: if (aligned && {{.*}}+ 1u) < w) {
// CHECK-NEXT: for (int i = 0; i < h; ++i) {
// CHECK: const float2 a_pair =
// CHECK: } else {
// CHECK-NEXT: // At the edge, and where arrays are not aligned, one element at a time.
// CHECK-NEXT: for (int i = 0; i < h; ++i) {
// CHECK-NOT: float2
// CHECK: sum[rx] += a[i * w + x];
// SAME: equal in
// SAME-NOT: error
__global__ void columns(const float* __restrict__ a, float* __restrict__ o, int w, int h) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  if (x < w) {
    float sum = 0;
    for (int i = 0; i < h; ++i) sum += a[i * w + x];
    o[x] = sum;
  }
}

// RUN: %hone opt %s --kernel diagonal --recipe 'block(x=64) vectorize(threads=2)' --no-verify -o %t.cu
// RUN: FileCheck %s --check-prefix=ROUND < %t.cu
// RUN: %hone verify %s --kernel diagonal --recipe 'block(x=64) vectorize(threads=2)' | FileCheck %s --check-prefix=SAME
// ROUND: for (int i = 0; i < h; ++i) {
// ROUND: if (aligned &&
// ROUND: const float2 a_pair =
__global__ void diagonal(const float* __restrict__ a, float* __restrict__ o, int w, int h) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  if (x < w) {
    float sum = 0;
    for (int i = 0; i < h; ++i)
      if (x + i < w) sum += a[i * w + x];
    o[x] = sum;
  }
}
