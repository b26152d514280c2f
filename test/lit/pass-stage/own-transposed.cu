// An array times itself transposed: rows of y and rows of x are no box together, and have a tile each, before and after threads are merged.
// RUN: %hone opt %s --recipe 'block(x=32, y=32) stage(depth=16)' --no-verify -o %t.cu
// RUN: FileCheck %s < %t.cu
// RUN: %hone opt %s --recipe 'block(x=64, y=32) merge-threads(x=4, y=4, how=adjacent) stage(depth=8)' --no-verify -o %t.cu 2>&1 | FileCheck %s --check-prefix=MERGED
// RUN: %hone verify %s --recipe 'block(x=32, y=32) stage(depth=16)' --exact --set n=75 --set k=21 | FileCheck %s --check-prefix=SAME
// RUN: %hone verify %s --recipe 'block(x=64, y=32) merge-threads(x=4, y=4, how=adjacent) stage(depth=8)' --exact --set n=75 --set k=21 | FileCheck %s --check-prefix=SAME
// CHECK-DAG: float a_tile[
// CHECK-DAG: float a_tile2[
// CHECK: sum += a_tile[ty][i - i0] * a_tile2[tx][i - i0] + a_tile[ty + 1][i - i0];
// MERGED-DAG: 33 x 8 elements of a, each read 31 times by the block, 8 iterations of L1 at a time
// MERGED-DAG: 64 x 8 elements of a, each read 8 times by the block, 8 iterations of L1 at a time
// SAME: kernel `squares`: equal
// SAME-NOT: the original ran
__global__ void squares(const float* __restrict__ a, float* __restrict__ c, int n, int k) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= n || y >= n) return;
  float sum = 0;
  // Neighbours share a tile: what lies one row further on is no other box.
  for (int i = 0; i < k; ++i) sum += a[y * k + i] * a[x * k + i] + a[y * k + k + i];
  c[y * n + x] = sum;
}
