// A tile of one dimension has no columns to lie by.
// RUN: %hone verify %s --recipe 'stage(a, layout=columns)' --exact --block 32 --grid '(w + 31) / 32' --set w=77 | FileCheck %s
// CHECK: equal in 1 run
__global__ void eights(const float* __restrict__ a, float* __restrict__ c, int w) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  if (x >= w) return;
  float sum = 0;
#pragma unroll
  for (int i = 0; i < 8; ++i) sum += a[8 * x + i];
  c[x] = sum;
}
