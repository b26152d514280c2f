// An id with an offset begins elsewhere: the original runs then.
// RUN: %hone verify %s --recipe unflatten --kernel permute --block 64 --grid 41 --set w=33 --set h=18 --set d=4 | FileCheck %s
// RUN: rm -rf %t.made && mkdir %t.made
// RUN: %hone opt %s --recipe unflatten --kernel permute --block 64 --no-verify -o %t.made/
// RUN: FileCheck --check-prefix=HEADER %s < %t.made/opencl.hone.h
// RUN: FileCheck --check-prefix=TEXT %s < %t.made/opencl.cl
// RUN: %hone opt %s --recipe unflatten --kernel dimensions --block 64 -o - 2>&1 >/dev/null | FileCheck --check-prefix=REFUSED %s

// CHECK: kernel `permute`: equal in
// HEADER-LABEL: permute_enqueue(
// HEADER: call.offset[0] == 0 &&
// HEADER-NEXT: call.offset[1] == 0 && call.offset[2] == 0
// TEXT-LABEL: permute_hone
// TEXT: int x = get_global_id(0);
// TEXT: if (x < w && y < h && z < d) {
__kernel void permute(__global const float* a, __global float* b, int w, int h, int d) {
  int i = get_global_id(0);
  if (i >= w * h * d) return;
  int x = i % w, y = i / w % h, z = i / (w * h);
  b[(x * h + y) * d + z] = a[i];
}

// REFUSED: kernel `dimensions`: left alone: a coordinate is used in another way than as the flat id
__kernel void dimensions(__global float* a, int w) {
  int i = get_global_id(0);
  a[i] = i % w + get_work_dim();
}
