// With more iterations than a row is wide the rows of different threads overlap. The original races there, between warps; that the result races within a
// warp as well is no fault of the pass.
// RUN: %hone verify %s --recipe 'unroll(by=8)' --set n=127 --grid 1 --block 256 --exact > %t
// RUN: FileCheck %s < %t
// CHECK: equal in 1 run
// CHECK-NOT: that the original does not have
// CHECK: the original has this too
__global__ void running(float* x, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    for (int k = 1; k < n; ++k) x[i * 77 + k] -= x[i * 77 + k - 1];
}
