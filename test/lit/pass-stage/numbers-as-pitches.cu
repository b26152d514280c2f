// Pitches that are numbers, larger than anything that is tested: a thread that has four columns of a row has no rows of four columns, and one
// that has four rows no planes of four rows.
// RUN: %hone opt %s --recipe 'block(x=64, y=64) merge-threads(x=4, y=4, how=adjacent) stage(depth=16)' -o %t.cu
// RUN: FileCheck %s < %t.cu
// RUN: %clang_cuda_ptx %t.cu
// RUN: %hone opt %s --recipe 'block(x=64, y=32) merge-threads(x=4, y=8, how=groups) stage(depth=8)' -o %t2.cu
// RUN: FileCheck --check-prefix=GROUPS %s < %t2.cu
// RUN: %hone verify %s --recipe 'block(x=64, y=64) merge-threads(x=4, y=4, how=adjacent) stage(depth=16)' --set m=70 --set n=99 --set depth=37 | FileCheck --check-prefix=SAME %s
// RUN: %hone verify %s --recipe 'block(x=64, y=32) merge-threads(x=4, y=8, how=groups) stage(depth=8)' --set m=70 --set n=99 --set depth=37 | FileCheck --check-prefix=SAME %s
// As wide as a block: that blocks begin a whole row apart makes no rows of them.
// RUN: %hone opt %s --recipe 'block(x=128, y=16) merge-threads(x=4, y=4, how=adjacent) stage(depth=16)' -o %t3.cu -- -DPITCH=128
// RUN: FileCheck --check-prefix=NARROW %s < %t3.cu
#ifndef PITCH
#define PITCH 512
#endif
// CHECK: a_tile[kDepth][68]
// CHECK: 16 x 64 elements of b, each read 16 times by the
// CHECK: 64 x 16 elements of a, each read 16 times by the block
// CHECK: b[(k0 + ty) * 512 + (int)blockIdx.x * 64 + col + tx]
// CHECK: a[((int)blockIdx.y * 64 + row + ty) * 512 + k0 + tx]
// GROUPS: 8 x 64 elements of b, each read 4 times by the
// GROUPS: 32 x 8 elements of a, each read 16 times by the block
// NARROW: 16 x 128 elements of b
// NARROW: 16 x 16 elements of a
// SAME: kernel `products`: equal
__global__ void products(const float* __restrict__ a, const float* __restrict__ b, float* __restrict__ c, int m, int n,
                         int depth) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (y < m && x < n) {
    float sum = 0;
    for (int k = 0; k < depth; ++k) sum += a[y * PITCH + k] * b[k * PITCH + x];
    c[y * PITCH + x] = sum;
  }
}
