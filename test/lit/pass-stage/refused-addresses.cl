// OpenCL's own accesses whose addresses stage does not follow.
// RUN: %hone opt %s --recipe 'block(x=64) stage(a)' -o - 2>&1 >/dev/null | FileCheck %s

// CHECK: :[[#@LINE+3]]: kernel `halves`: left alone: `a` is not staged: the address of a#1 is not known: the addresses of `vload_half`
__kernel void halves(__global const half* restrict a, __global float* restrict o, int n) {
  int x = get_global_id(0);
  if (x < n) o[x] = vload_half(x, a) + vload_half(x + 1, a);
}

// CHECK: :[[#@LINE+5]]: kernel `parts`: left alone: `a` is not staged: the address of a#1 is not known: `at` is changed in part
__kernel void parts(__global const float* restrict a, __global float* restrict o, int2 v, int n) {
  int x = get_global_id(0);
  int4 at = (int4)(x);
  at.xy = v;
  if (x < n) o[x] = a[at.x];
}

// CHECK: :[[#@LINE+4]]: kernel `chooses`: left alone: `a` is not staged: the address of a#1 is not known: the result of `select`
__kernel void chooses(__global const float* restrict a, __global float* restrict o, int2 v, int2 w, int n) {
  int x = get_global_id(0);
  int2 at = v > w ? v : w;
  if (x < n) o[x] = a[at.x];
}

// CHECK: :[[#@LINE+4]]: kernel `sums`: left alone: `a` is not staged: the address of a#1 is not known: an operator
__kernel void sums(__global const float* restrict a, __global float* restrict o, int2 v, int2 w, int n) {
  int x = get_global_id(0);
  int2 at = v + w;
  if (x < n) o[x] = a[at.x];
}
