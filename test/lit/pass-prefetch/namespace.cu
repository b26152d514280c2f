// RUN: %hone opt %s --recipe 'prefetch(to=async)' --block 64 -o %t.cu 2>&1 | FileCheck %s
// CHECK: kernel `tiles`: left alone: asynchronous copies need a header, which cannot be included inside a namespace
namespace inner {
__global__ void tiles(const int* __restrict__ a, int* __restrict__ o, int n) {
  __shared__ int t[64];
  for (int i = 0; i < n; i += 64) {
    t[threadIdx.x] = a[i + threadIdx.x];
    __syncthreads();
    o[i + threadIdx.x] = t[63 - threadIdx.x];
    __syncthreads();
  }
}
}  // namespace inner
