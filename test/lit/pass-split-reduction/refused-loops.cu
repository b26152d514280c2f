// Loops that stand where sums of a block cannot be put together, or whose iterations cannot be counted.
// RUN: %hone opt %s --recipe 'split-reduction(over=block, rows=4)' --reassociate -o - 2>&1 >/dev/null | FileCheck %s

// CHECK: :[[#@LINE+4]]: kernel `pairs`: left alone: `v` cannot be declared before it has its value
__global__ void pairs(const float* __restrict__ a, const float* __restrict__ b, float* __restrict__ o, int n, int m) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  if (x < m) {
    float v[2] = {b[x], b[x + 1]};
    float s = 0;
    for (int i = 0; i < n; ++i) s += a[x * n + i] * v[i & 1];
    o[x] = s + v[0];
  }
}

// CHECK: :[[#@LINE+4]]: kernel `below`: left alone: L1 does not count by a number, or its iterations could be too many to count
__global__ void below(const float* __restrict__ a, float* __restrict__ o, long n) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  float s = 0;
  for (long i = -8; i < n; ++i) s += a[x * n + i + 8];
  o[x] = s;
}
