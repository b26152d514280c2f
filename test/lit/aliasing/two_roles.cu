// One array read by rows and by columns of the result, bounded by the grid's height and its width: the test names neither.
// RUN: %hone opt %s --recipe 'promote' -o - | FileCheck %s
// RUN: %hone verify %s --recipe 'promote block(x=16, y=16) stage(depth=16)' --set n=37 --set m=21 > %t; FileCheck %s --check-prefix=FAST < %t
// RUN: %hone verify %s --recipe 'promote' --set n=19 --set m=21 --alias c=a+20 --exact | FileCheck %s --check-prefix=SAME
// CHECK: a + (n * 64ll + m - 64ll) <= c
// FAST: equal
// FAST-NOT: the original ran
// SAME: the original ran
__global__ void products(const float* a, float* c, int n, int m) {
  int j = blockIdx.x * blockDim.x + threadIdx.x;
  int i = blockIdx.y * blockDim.y + threadIdx.y;
  if (i < n && j < n) {
    for (int k = 0; k < m; ++k) c[i * 48 + j] += a[i * 64 + k] * a[j * 64 + k];
  }
}
