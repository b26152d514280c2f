// Loops that end with the counter of one around count by the most iterations that they have: all threads of a warp read the same elements, many times over.
// RUN: %hone opt %s --recipe 'block(x=32) stage' --no-verify -o %t.cu 2> %t.log
// RUN: FileCheck %s < %t.cu
// RUN: FileCheck --check-prefix=SAYS %s < %t.log
// RUN: %clang_cuda_ptx %t.cu
// RUN: %hone verify %s --recipe 'block(x=32) stage' | FileCheck --check-prefix=EQUAL %s
// EQUAL: equal in
// SAYS: staged through shared memory: 64 x 64 elements of l, each read 32 times by the block

// CHECK: __shared__ float l_tile[64][64];
// A tile of many iterations is still loaded row by row.
// CHECK: for (int row = 0; row < 64; row += 1) {
// CHECK: for (int col = 0; col < 64; col += kBlockX) {
// CHECK-NEXT: l_tile[row][col + tx] =
// CHECK: sum += l_tile[i][k] * x_tile[k][tx];
#pragma hone set(n=70) block(64) grid(1)
__global__ void product(const float* __restrict__ l, const float* __restrict__ x, float* __restrict__ y,
                        int n) {
  int j = blockIdx.x * blockDim.x + threadIdx.x;
  for (int i = 0; i < 64; ++i) {
    float sum = 0;
    for (int k = 0; k <= i; ++k) sum += l[i * n + k] * x[k * 64 + j];
    y[i * 64 + j] = sum;
  }
}
