// Reasons for which fuse-launches leaves launches of OpenCL kernels as they are.
// RUN: %hone opt %s --recipe 'grid-sync(last=0) fuse-launches' -o - 2>&1 >/dev/null | FileCheck %s
#include <hone.clh>

// CHECK: :[[#@LINE+3]]: kernel `fromOffset`: left alone: a subscript of a is not understood: it depends on the launch
__kernel void fromOffset(__global float* a, __global float* b, __global float* c, int n) {
  int i = get_global_id(0);
  if (i < n) b[i] = a[i - get_global_offset(0)];
  hone_grid_sync();
  if (i < n) c[i] = b[i];
}
