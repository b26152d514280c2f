// Iterations of a strip from an unknown start on are counted from 0 in OpenCL, so that its compilers can unroll them; tests of rows that a parameter shifts go
// where merged threads have work.
// RUN: %hone verify %s --exact --reassociate --recipe 'block(x=32, y=32) merge-threads(x=4, y=4, how=groups) stage(depth=8)' | FileCheck %s --check-prefix RUNS
// RUN: %hone verify %s --exact --reassociate --recipe 'block(x=32, y=32) merge-threads(x=4, y=4, how=groups) stage(depth=8) prefetch(to=both)'
// RUN: %hone opt %s --reassociate --recipe 'block(x=32, y=32) merge-threads(x=4, y=4, how=groups) stage(depth=8)' --no-verify -o %t.cl
// RUN: FileCheck %s --input-file %t.cl
// RUNS: equal in 1 run
// RUNS-NOT: the original ran
// CHECK: {{^enum}} {
// CHECK: for (int k0 = first; k0 < last; k0 += kDepth) {
// CHECK: barrier(CLK_LOCAL_MEM_FENCE);
// CHECK-NEXT: #pragma unroll
// CHECK-NEXT: for (int step = 0; step < kDepth; ++step) {
// CHECK-NOT: if (
// CHECK: x_tile[step]
// CHECK-NOT: if (
// CHECK: l_tile[step]
// CHECK-NOT: if (
// CHECK: barrier(CLK_LOCAL_MEM_FENCE);

#pragma hone set(n=90, sides=70, first=5, last=31) grid(5, 5) block(16, 16)
__kernel void update(__global const float* restrict l, __global const float* restrict x, __global float* restrict b, int n,
                     int sides, int first, int last) {
  int j = get_global_id(0);
  int i = get_global_id(1) + last;
  if (i < n && j < sides) {
    float sum = 0;
    for (int k = first; k < last; ++k) sum += l[i * n + k] * x[k * sides + j];
    b[i * sides + j] -= sum;
  }
}
