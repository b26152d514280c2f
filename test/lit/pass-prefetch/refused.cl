// RUN: %hone opt %s --recipe 'prefetch(to=async)' -o %t.cl 2>&1 | FileCheck %s
// RUN: %hone verify %s --recipe prefetch --set n=200 --grid 3 --block 64 | FileCheck --check-prefix=EQUAL %s
// CHECK: kernel `tiles`: left alone: asynchronous copies are CUDA's alone
// EQUAL: kernel `tiles`: equal in
__kernel void tiles(__global const float* restrict a, __global float* restrict o, int n) {
  __local float t[64];
  int x = get_local_id(0);
  float sum = 0.0f;
  for (int i = 64 * get_group_id(0); i < n; i += 64) {
    t[x] = i + x < n ? a[i + x] : 0.0f;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int k = 0; k < 64; ++k) sum += t[k] * x;
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  o[64 * get_group_id(0) + x] = sum;
}
