// OpenCL has vectors of eight and sixteen elements of all numbers.
// RUN: %hone opt %s --recipe 'vectorize(threads=8)' --offer -o %t.cl 2>/dev/null
// RUN: FileCheck %s < %t.cl
// RUN: %clang_cl %t.cl
// RUN: %hone verify %s --recipe 'vectorize(threads=8)' | FileCheck %s --check-prefix=EQUAL
// RUN: %hone verify %s --recipe 'vectorize(threads=16)' | FileCheck %s --check-prefix=EQUAL
// RUN: %hone verify %s --kernel strided --recipe 'vectorize(threads=8)' --set n=3001 --grid 2 --block 256 | FileCheck %s --check-prefix=STRIDED
// EQUAL: kernel `scale`: equal in
// EQUAL: kernel `widen`: equal in
// EQUAL: kernel `strided`: equal in
// STRIDED: kernel `strided`: equal in
// CHECK: const half8 a_eight = *(__global const half8*)(a + first);
// CHECK: *(__global half8*)(b + first) =
// CHECK: const char8 a_eight = *(__global const char8*)(a + first);
// CHECK: *(__global float4*)(b + first
// CHECK: const uchar8 a_eight = *(__global const uchar8*)(a + first);
#pragma OPENCL EXTENSION cl_khr_fp16 : enable
__kernel void scale(__global const half* restrict a, __global half* restrict b, half s, int n) {
  int i = get_global_id(0);
  if (i < n) b[i] = a[i] * s;
}
__kernel void widen(__global const char* restrict a, __global float* restrict b, int n) {
  int i = get_global_id(0);
  if (i < n) b[i] = a[i] * 0.5f;
}
__kernel void strided(__global const uchar* restrict a, __global uchar* restrict b, int n) {
  for (int i = get_global_id(0); i < n; i += get_global_size(0)) b[i] = a[i] + 1;
}
