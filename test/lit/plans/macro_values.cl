// RUN: %hone opt %s --recipe 'block(x=64) unroll(by=4)' -o %t.cl -- -DDEPTH=45
// RUN: FileCheck %s < %t.cl
// RUN: %clang_cl -DDEPTH=45 %t.cl
// RUN: %clang_cl -DDEPTH=47 %t.cl
// CHECK: {{^}}#if DEPTH == 45 && !defined(HONE_OFF){{$}}
// CHECK: void rows_hone(
// CHECK: {{^}}#endif
__kernel void rows(__global const float* restrict a, __global float* restrict sums, int n) {
  int i = get_global_id(0);
  if (i >= n) return;
  float sum = 0;
  for (int k = 0; k < DEPTH; ++k) sum += a[i * DEPTH + k];
  sums[i] = sum;
}
