// Pointers by which the loop may reach what would live in a register.
// RUN: %hone opt %s --recipe 'promote' -o - 2>&1 >/dev/null | FileCheck %s

// CHECK: :[[#@LINE+4]]: kernel `pointed`: left alone: the address of y is taken in the loop
__global__ void pointed(float* __restrict__ y, const float* __restrict__ a, float** __restrict__ where, int n) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  for (int i = 0; i < n; ++i) {
    y[x] += a[i];
    where[i] = &y[i];
  }
}

// CHECK: :[[#@LINE+4]]: kernel `unknown`: left alone: where#2 may touch y: `where[i]` is loaded from memory
__global__ void unknown(float* __restrict__ y, const float* __restrict__ a, float** __restrict__ where, int n) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  for (int i = 0; i < n; ++i) {
    y[x] += a[i];
    *where[i] = 1;
  }
}
