// Rows are found to be k long, so that the second access reads column 3 * x + i of row x: odd columns of even rows, even ones of odd rows. Each dimension by
// itself has every number; found by random kernels, which lost every second row.
// RUN: %hone verify %s --recipe stage --exact --set k=2 | FileCheck %s
// RUN: %hone verify %s --recipe stage --exact --set k=37 | FileCheck %s
// RUN: %hone verify %s --recipe 'stage(e, depth=8)' --exact --set k=9 | FileCheck %s
// CHECK-NOT: the original ran
// CHECK: kernel `tied`: equal in 1 run
#pragma hone grid(3) block(16)
__global__ void tied(const float* __restrict__ e, double* __restrict__ c, float* __restrict__ s, int k) {
  const int x = blockIdx.x * 16 + threadIdx.x;
  float sum = 0;
  for (int i = 0; i < k; ++i) sum += e[x * k + i];
  s[x] = sum;
  for (int i = 1; i < k; i += 2) c[x * (k + 3) + i] = c[x * (k + 3) + i - 1] + e[x * (k + 3) + i];
}
