// The same in OpenCL, where a missing kernel has the host enqueue the original.
// RUN: cp %s %t.cl && %hone opt %t.cl --in-place --recipe 'block(x=64)' > %t.txt 2>&1
// RUN: FileCheck %s < %t.txt
// RUN: FileCheck %s --check-prefix=NEW < %t.cl
// RUN: %clang_cl %t.cl
// RUN: %clang_cl -DNEGATIVE %t.cl
// CHECK: kernel `scale`: rewritten
// NEW: // hone: begin, beside scale
// NEW: #if !defined(NEGATIVE) && !defined(HONE_OFF)
__kernel void scale(__global const int* a, __global int* b, int n) {
  int i = get_global_id(0);
#ifdef NEGATIVE
  if (i < n) b[i] = -3 * a[i];
#else
  if (i < n) b[i] = 2 * a[i];
#endif
}
