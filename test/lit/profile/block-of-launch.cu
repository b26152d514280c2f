// The block of the launch is a parameter of the host function, of which nothing tells the value; the grid follows the block that is run, not a
// namesake in another function.
// RUN: %hone profile %s --kernel rows | FileCheck %s
// RUN: %hone profile %s --kernel rows --block 128 | FileCheck --check-prefix=GIVEN %s
// CHECK: grid 40, block 256, n=10240
// GIVEN: grid 80, block 128, n=10240
#include <cuda_runtime.h>

__host__ __device__ int ceilDiv(int a, int b) { return (a + b - 1) / b; }

__global__ void rows(float* a, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) a[i] *= 2;
}

__global__ void blocks(float* a) { a[blockIdx.x] = 1; }

void launchBlocks(float* a, int n) {
  const int grid_size = 10240;
  blocks<<<grid_size, 32>>>(a);
}

void launchRows(float* a, const int block_size) {
  const int n = 10240;
  const int grid_size = ceilDiv(n, block_size);
  rows<<<grid_size, block_size>>>(a, n);
}
