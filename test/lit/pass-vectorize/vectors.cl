// RUN: %hone opt %s --recipe vectorize -o %t.cl
// RUN: FileCheck %s --check-prefix=TEXT < %t.cl
// RUN: %clang_cl %t.cl
// RUN: %hone verify %s --recipe vectorize --set n=77 | FileCheck --check-prefix=EQUAL %s
// EQUAL: kernel `magnitude`: equal in
// TEXT: const float2 z_{{pair}} = *(__global const float2*)
__kernel void magnitude(__global const float* z, __global float* o, int n) {
  int i = get_global_id(0);
  if (i < n) {
    float re = z[2 * i], im = z[2 * i + 1];
    o[i] = re * re + im * im;
  }
}
