// Threads that exchange values share no loop anew.
// RUN: %hone opt %s --recipe 'split-reduction' --reassociate -o - 2>&1 >/dev/null | FileCheck %s

// CHECK: :[[#@LINE+1]]: kernel `shuffles`: left alone: threads of its blocks work together already
__global__ void shuffles(const float* __restrict__ a, float* __restrict__ o, int n) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  float s = 0;
  for (int i = 0; i < n; ++i) s += a[x * n + i];
  s += __shfl_xor_sync(0xffffffff, s, 1);
  o[x] = s;
}
