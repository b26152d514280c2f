// A comment with a word longer than a line stays as it is, and the others are wrapped around it.
// RUN: %hone opt %s --recipe 'block(x=128) merge-threads(x=2)' --no-verify -o %t.cl
// RUN: FileCheck %s < %t.cl
// CHECK: optimized by hone
__kernel void a_kernel_with_a_name_that_goes_on_and_on_xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx(__global const float* restrict a, __global float* restrict b, int n) {
  int i = get_global_id(0);
  if (i >= 1 && i < n - 1) b[i] = a[i - 1] + a[i];
}
