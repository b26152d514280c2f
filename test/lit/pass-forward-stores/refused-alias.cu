// What forward-stores would have to know of other arrays.
// RUN: %hone opt %s --recipe 'forward-stores(iterations=4)' -o - 2>&1 >/dev/null | FileCheck %s
// RUN: %hone opt %s --recipe 'forward-stores(iterations=4, order=push)' -o - 2>&1 >/dev/null | FileCheck --check-prefix=PUSH %s

// CHECK: :[[#@LINE+5]]: kernel `marks`: left alone: y may alias m (`at[i]` is loaded from memory); add __restrict__ or pass --assume-noalias
__global__ void marks(float* y, float* m, const int* __restrict__ at, int n) {
  for (int i = 0; i < n; ++i) {
    float t = 1;
    for (int k = 0; k < i; ++k) t += y[k * 64 + threadIdx.x];
    y[i * 64 + threadIdx.x] = t;
    m[at[i]] = 1;
  }
}

// PUSH: :[[#@LINE+5]]: kernel `gathers`: left alone: m#2 cannot be read in an earlier iteration: `m[k]` is loaded from memory
__global__ void gathers(float* __restrict__ y, float* const* __restrict__ m, int n) {
  for (int i = 0; i < n; ++i) {
    float t = 1;
    for (int k = 0; k < i; ++k) t += m[k][i] * y[k * 64 + threadIdx.x];
    y[i * 64 + threadIdx.x] = t;
  }
}
