// What tells the threads of a warp, which a swap of axes would put together anew.
// RUN: %hone opt %s --recipe swap-axes --block 16x16 -o - 2>&1 >/dev/null | FileCheck %s

#define ID int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y

// CHECK: :[[#@LINE+3]]: kernel `sized`: left alone: the warp size is used
__global__ void sized(float* a, int w) {
  ID;
  a[x * w + y] = (threadIdx.x + 16 * threadIdx.y) / warpSize;
}

// CHECK: :[[#@LINE+3]]: kernel `active`: left alone: activemask depends on where or when a thread runs
__global__ void active(unsigned* a, int w) {
  ID;
  unsigned mask = __activemask();
  a[x * w + y] = mask;
}

// CHECK: :[[#@LINE+4]]: kernel `waits`: left alone: threads of a warp wait for each other
__global__ void waits(float* a, int w) {
  ID;
  a[x * w + y] = 1;
  __syncwarp();
  a[x * w + y] += 1;
}
