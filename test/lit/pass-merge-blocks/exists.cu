// Threads of a block beyond the end of the grid must not read what those that exist write meanwhile. Found by random kernels. A barrier keeps all threads
// from being asked at once.
// RUN: %hone verify %s --recipe 'promote merge-blocks(z=2)' --reassociate --assume-noalias --exact | FileCheck %s
// RUN: %hone verify %s --recipe 'merge-blocks(y=2)' --exact | FileCheck %s
// CHECK-NOT: the original ran
// CHECK: kernel `sums`: equal in 1 run
// CHECK-NOT: error
#pragma hone set(k=9) grid(2) block(64)
__global__ void sums(const float* b, float* c, float* o, int k) {
  __shared__ float t[64];
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  for (int i = 0; i < k; ++i) c[x] = c[x] + b[x + i];
  t[threadIdx.x] = b[x];
  __syncthreads();
  o[x] = t[63 - threadIdx.x];
}
