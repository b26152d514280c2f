// What must hold of a launch before stores change places, and cannot be tested.
// RUN: %hone opt %s --recipe 'coalesce-stores' --block 64 -o - 2>&1 >/dev/null | FileCheck %s

// CHECK: :[[#@LINE+4]]: kernel `gathered`: left alone: a may alias b (`at[x]` is loaded from memory); add __restrict__ or pass --assume-noalias
__global__ void gathered(float* a, const float* b, const int* __restrict__ at, int n) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  if (x < n) {
    a[3 * x] = 1;
    a[3 * x + 1] = b[at[x]];
    a[3 * x + 2] = 3;
  }
}

// CHECK: :[[#@LINE+5]]: kernel `offset`: left alone: 32-bit unsigned arithmetic must not wrap, which cannot be made sure of before the launch
__global__ void offset(float* __restrict__ a, uint2 from, unsigned n) {
  unsigned x = blockIdx.x * blockDim.x + threadIdx.x;
  if (x < n) {
    unsigned at = 3 * x + from.x;
    a[at] = 1;
    a[at + 1] = 2;
    a[at + 2] = 3;
  }
}
