// What must hold of a launch so that the first and last iteration speak for those between, and cannot be tested.
// RUN: %hone opt %s --recipe 'split-border' -o - 2>&1 >/dev/null | FileCheck %s

// CHECK: :[[#@LINE+1]]: kernel `stencil`: left alone: 32-bit unsigned arithmetic must not wrap, which cannot be made sure of before the launch
__global__ void stencil(const float* __restrict__ a, float* __restrict__ o, int n, uint2 from) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  if (x * from.x < n) {
    float sum = 0;
    for (int dx = -2; dx <= 2; ++dx)
      if (x + dx >= 0 && x + dx < n) sum += a[x + dx];
    o[x] = sum;
  }
}
