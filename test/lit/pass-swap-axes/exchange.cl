// RUN: %hone verify %s --recipe swap-axes --kernel columns --block 16x16 --set w=100 --set h=37 | FileCheck %s
// RUN: %hone opt %s --recipe swap-axes --block 16x16 -o %t.cl 2>&1 | FileCheck --check-prefix=REFUSED %s

// CHECK: kernel `columns`: equal in
__kernel void columns(__global const float* a, __global float* b, int w, int h) {
  int row = get_global_id(0), col = get_global_id(1);
  if (row < h && col < w) b[row * w + col] = 2.0f * a[row * w + col];
}

// REFUSED: kernel `fixed`: left alone: the block shape is required by an attribute
__kernel __attribute__((reqd_work_group_size(16, 16, 1))) void fixed(__global float* a, int w) {
  a[get_global_id(0) * w + get_global_id(1)] = 1.0f;
}

// REFUSED: kernel `dimensions`: left alone: get_work_dim() is used
__kernel void dimensions(__global float* a, int w) {
  a[get_global_id(0) * w + get_global_id(1)] = get_work_dim();
}
