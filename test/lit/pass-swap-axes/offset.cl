// A launch keeps its global offset: axes change places only where theirs are equal, in three dimensions too.
// RUN: rm -rf %t.made && mkdir %t.made
// RUN: %hone opt %s --recipe swap-axes --kernel columns --block 16x16 --no-verify -o %t.made/ 2>&1 | FileCheck --check-prefix=REMARK %s
// RUN: FileCheck %s < %t.made/offset.hone.h
// RUN: rm -rf %t.made && mkdir %t.made
// RUN: %hone opt %s --recipe 'swap-axes(axes=xz)' --kernel layers --block 8x4x8 --no-verify -o %t.made/
// RUN: FileCheck --check-prefix=LAYERS %s < %t.made/offset.hone.h
// RUN: %hone verify %s --recipe swap-axes --kernel columns --block 16x16 --set w=100 --set h=37 | FileCheck --check-prefix=SAME %s
// REMARK-NOT: must be exchanged
// SAME: kernel `columns`: equal in

// CHECK-LABEL: columns_enqueue(
// CHECK: call.offset[0] == call.offset[1]
__kernel void columns(__global const float* a, __global float* b, int w, int h) {
  int r = get_global_id(0), c = get_global_id(1);
  if (r < h && c < w) b[r * w + c] = 2.0f * a[r * w + c];
}

// LAYERS-LABEL: layers_enqueue(
// LAYERS: call.offset[0] == call.offset[2]
__kernel void layers(__global const float* a, __global float* b, int w, int h, int d) {
  int z = get_global_id(0), y = get_global_id(1), x = get_global_id(2);
  if (z < d && y < h && x < w) b[(z * h + y) * w + x] = 2.0f * a[(z * h + y) * w + x];
}
