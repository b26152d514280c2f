// OpenCL has ids of its own, and offsets of them.
// RUN: %hone opt %s --recipe spread --block 64 -o %t.cl 2> %t.err
// RUN: FileCheck %s < %t.cl
// RUN: FileCheck --check-prefix=SAID %s < %t.err
// RUN: %clang_cl %t.cl
// RUN: %hone verify %s --recipe spread --kernel items --block 64 --grid 3 --set n=700
// RUN: %hone verify %s --recipe spread --kernel strided --block 64 --grid 2 --set n=700
// RUN: %hone verify %s --recipe spread --kernel planes --block 64 --grid 3 --set n=150 --set k=4

// SAID: kernel `items`: each iteration of L1 became a thread of its own along x
// CHECK: void items_hone(
// CHECK: int at = get_global_id(0);
// CHECK-NEXT: // Each iteration over q is a thread of its own.
// CHECK-NEXT: if (at < n) {
kernel void items(global float* restrict c, global const float* restrict a, int n) {
  int id = get_global_id(0);
  for (int q = 0; q < 4; ++q) {
    int at = id * 4 + q;
    if (at < n) c[at] = a[at] + 1.0f;
  }
}

// SAID: kernel `strided`: each iteration of L1 became a thread of its own along x
// CHECK: void strided_hone(
// CHECK: int i = get_global_id(0);
// CHECK-NEXT: if (i < n) {
kernel void strided(global float* restrict c, global const float* restrict a, int n) {
  for (int i = get_global_id(0); i < n; i += get_global_size(0)) c[i] = 2.0f * a[i];
}

// SAID: kernel `planes`: each iteration of L1 became a thread of its own along y
// CHECK: void planes_hone(
// CHECK: int j = get_global_id(1);
// CHECK-NEXT: if (j < k) {
kernel void planes(global float* restrict c, global const float* restrict a, int n, int k) {
  int x = get_global_id(0);
  if (x < n)
    for (int j = 0; j < k; ++j) c[j * n + x] = a[x];
}
