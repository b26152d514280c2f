// RUN: %hone opt %s --recipe move-pointers -o %t.cl
// RUN: FileCheck %s < %t.cl
// RUN: %clang_cl %t.cl
// RUN: %hone opt %s --recipe 'move-pointers(how=offsets)' -o %t.cl
// RUN: FileCheck --check-prefix=OFFSETS %s < %t.cl
// RUN: %clang_cl %t.cl
// RUN: %hone verify %s --exact --recipe move-pointers --set w=64 --set h=9 | FileCheck --check-prefix=EQUAL %s
// RUN: %hone verify %s --exact --recipe 'move-pointers(how=offsets)' --set w=64 --set h=9 | FileCheck --check-prefix=EQUAL %s
// EQUAL: equal in
// CHECK: __global const float* a_from = a + x * 4;
// CHECK: const float4 four = *(__global const float4*)a_from;
// CHECK: a_from += w;
// OFFSETS: uint a_from = x * 4;
// OFFSETS: a_from += w;
__kernel void rows(__global const float* a, __global float* sums, int w, int h) {
  int x = get_global_id(0);
  if (x * 4 + 3 < w) {
    float sum = 0;
    for (int y = 0; y < h; ++y) {
      const float4 four = *(__global const float4*)(a + (y * w + x * 4));
      sum += four.x * four.y - four.z * four.w;
    }
    sums[x] = sum;
  }
}
