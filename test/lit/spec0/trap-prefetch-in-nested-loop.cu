// The first tile of an inner loop is fetched again in each iteration of the outer one, while slow warps may still read the last tile of the iteration before: a
// barrier must lie between. Several warps, and orders of warps other than the fixed one.
// RUN: %hone verify %s --recipe 'prefetch(to=registers)' | FileCheck %s
// RUN: %hone verify %s --recipe 'prefetch(to=shared)' | FileCheck %s
// RUN: %hone verify %s --recipe 'prefetch(to=async, stages=2)' | FileCheck %s
// RUN: %hone verify %s --recipe 'prefetch(to=async, stages=4)' | FileCheck %s
// CHECK-NOT: the original ran
// CHECK: kernel `rows`: equal in
// CHECK: kernel `oneBarrier`: equal in
#pragma hone set(h=7, w=300) grid(2) block(128)
__global__ void rows(const float* __restrict__ a, float* __restrict__ c, int h, int w) {
  __shared__ float t[128];
  int x = threadIdx.x;
  for (int y = blockIdx.x; y < h; y += gridDim.x) {
    float sum = 0;
    for (int i = 0; i < w; i += 128) {
      t[x] = i + x < w ? a[y * w + i + x] : 0;
      __syncthreads();
      for (int k = 0; k < 128; k += 32) sum += t[(x + k) % 128] * (k + 1);
      __syncthreads();
    }
    c[y * 128 + x] = sum;
  }
}

// The barrier against the iteration before stands at the beginning of an iteration.
#pragma hone set(h=7, w=300) grid(2) block(128)
__global__ void oneBarrier(const float* __restrict__ a, float* __restrict__ c, int h, int w) {
  __shared__ float t[128];
  int x = threadIdx.x;
  for (int y = blockIdx.x; y < h; y += gridDim.x) {
    float sum = 0;
    for (int i = 0; i < w; i += 128) {
      __syncthreads();
      t[x] = i + x < w ? a[y * w + i + x] : 0;
      __syncthreads();
      for (int k = 0; k < 128; k += 32) sum += t[(x + k) % 128] * (k + 1);
    }
    c[y * 128 + x] = sum;
  }
}
