// The tile of the iteration after the last is never asked for: the arrays end where the last tile ends, and each read past them is reported. No iteration at all
// reads nothing.
// RUN: %hone verify %s --recipe 'prefetch(to=registers)' --exact --set k=64 --length a=64 | FileCheck %s
// RUN: %hone verify %s --recipe 'prefetch(to=shared)' --exact --set k=64 --length a=64 | FileCheck %s
// RUN: %hone verify %s --recipe 'prefetch(to=async, stages=3)' --exact --set k=64 --length a=64 | FileCheck %s
// RUN: %hone verify %s --recipe 'prefetch(to=registers)' --exact --set k=16 --length a=16 | FileCheck %s
// RUN: %hone verify %s --recipe 'prefetch(to=async, stages=3)' --exact --set k=16 --length a=16 | FileCheck %s
// RUN: %hone verify %s --recipe 'prefetch(to=registers)' --exact --set k=0 --length a=1 | FileCheck %s
// RUN: %hone verify %s --recipe 'prefetch(to=shared)' --exact --set k=0 --length a=1 | FileCheck %s
// CHECK-NOT: the original ran
// CHECK: kernel `sums`: equal in 1 run
#pragma hone grid(3) block(16) length(c=48)
__global__ void sums(const float* __restrict__ a, float* __restrict__ c, int k) {
  __shared__ float t[16];
  float sum = 0;
  for (int i = 0; i < k; i += 16) {
    t[threadIdx.x] = a[i + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < 16; ++j) sum += t[j] * (threadIdx.x + j);
    __syncthreads();
  }
  c[blockIdx.x * 16 + threadIdx.x] = sum;
}
