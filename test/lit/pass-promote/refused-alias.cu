// Arrays that no test before the launch keeps apart, and what the test would have to know.
// RUN: %hone opt %s --recipe promote -o - 2>&1 >/dev/null | FileCheck %s

#define ID int x = blockIdx.x * blockDim.x + threadIdx.x

__device__ float sums[256];

// CHECK: :[[#@LINE+3]]: kernel `ofTheDevice`: left alone: a may alias sums (the host does not know where they lie); add __restrict__ or pass --assume-noalias
__global__ void ofTheDevice(const float* a, int n) {
  ID;
  for (int i = 0; i < n; ++i) sums[x % 256] += a[i];
}

// CHECK: :[[#@LINE+4]]: kernel `ofLanes`: left alone: a may alias o (what they touch cannot be worked out before the launch); add __restrict__ or pass --assume-noalias
__global__ void ofLanes(const float* a, float* o, int2 size, int n) {
  ID;
  if (x < size.x)
    for (int i = 0; i < n; ++i) o[x] += a[i];
}

// CHECK: :[[#@LINE+3]]: kernel `unbounded`: left alone: a may alias o (the addresses of a have no bound that can be written down); add __restrict__ or pass --assume-noalias
__global__ void unbounded(const float* a, float* o, int n) {
  ID;
  for (int i = 0; i < n; ++i) o[x] += a[i * x * x];
}

// CHECK: :[[#@LINE+3]]: kernel `gathered`: left alone: a may alias o (`at[i]` is loaded from memory); add __restrict__ or pass --assume-noalias
__global__ void gathered(const float* a, float* o, const int* __restrict__ at, int n) {
  ID;
  for (int i = 0; i < n; ++i) o[x] += a[at[i]];
}
