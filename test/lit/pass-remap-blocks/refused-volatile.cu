// A variable of the device by which blocks may wait for each other.
// RUN: %hone opt %s --recipe 'remap-blocks(how=diagonal)' -o - 2>&1 >/dev/null | FileCheck %s

__device__ volatile int turn;
// CHECK: :[[#@LINE+3]]: kernel `waits`: left alone: turn is volatile: blocks may wait for each other there
__global__ void waits(float* a, int w) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  a[y * w + x] = turn;
}
