// Stores inside the loop that may reach what it loads.
// RUN: %hone opt %s --recipe 'vectorize' -o - 2>&1 >/dev/null | FileCheck %s

// CHECK: :[[#@LINE+1]]: kernel `scatters`: left alone: a may be touched in another order inside the loop
__global__ void scatters(float* __restrict__ a, float* __restrict__ o, const int* __restrict__ at, int n) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  if (x < n) {
    float s = 0;
    for (int i = 0; i < 8; ++i) {
      s += a[8 * x + i];
      a[at[x]] = s;
    }
    o[x] = s;
  }
}

// CHECK: :[[#@LINE+1]]: kernel `through`: left alone: a may be touched in another order inside the loop
__global__ void through(const float* __restrict__ a, float* const* __restrict__ rows, int n) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  if (x < n) {
    float s = 0;
    for (int i = 0; i < 8; ++i) {
      s += a[8 * x + i];
      rows[x][0] = s;
    }
  }
}

// CHECK: :[[#@LINE+1]]: kernel `sums`: left alone: a may alias o (what they touch cannot be worked out before the launch); add __restrict__ or pass --assume-noalias
__global__ void sums(const float* a, float* o, int2 size) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  if (x < size.x) {
    float s = 0;
    for (int i = 0; i < 8; ++i) {
      s += a[8 * x + i];
      o[x] = s;
    }
  }
}
