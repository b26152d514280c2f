// Ids of OpenCL, which are 64 bits wide before they are made int.
// RUN: %hone opt %s --recipe 'block(x=16, y=16) stage(depth=16) merge-threads(x=4, y=4) skip-blocks' --emit opencl > %t.cl
// RUN: FileCheck %s < %t.cl
// RUN: %clang_cl %t.cl
// RUN: %hone verify %s --recipe 'block(x=16, y=16) stage(depth=16) merge-threads(x=4, y=4) skip-blocks' --set n=201 --set m=37 --grid '(n + 15) / 16, (n + 15) / 16' --block 16,16 --exact | FileCheck --check-prefix=EQUAL %s
// EQUAL-NOT: different
// EQUAL: kernel `lower`: equal
// EQUAL: kernel `sizes`: equal

// CHECK: void lower
// CHECK: if (get_group_id(1) < get_group_id(0)) {
// CHECK-NEXT: return;
__kernel void lower(__global float* restrict c, __global const float* restrict a, int n, int m) {
  int j = get_global_id(0), i = get_global_id(1);
  if (i >= n || j >= n || j > i) return;
  float sum = 0;
  for (int k = 0; k < m; ++k) sum += a[i * m + k] * a[j * m + k];
  c[i * n + j] = sum;
}

// CHECK: void sizes
// CHECK: if (get_group_id(1) < get_group_id(0)) {
__kernel void sizes(__global float* restrict c, __global const float* restrict a, ulong n, ulong m) {
  size_t j = get_global_id(0), i = get_global_id(1);
  if (i >= n || j >= n || j > i) return;
  float sum = 0;
  for (ulong k = 0; k < m; ++k) sum += a[i * m + k] * a[j * m + k];
  c[i * n + j] = sum;
}
