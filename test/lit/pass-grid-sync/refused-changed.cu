// The host begins its loop of launches with what it hands over, not with what the kernel makes of it.
// RUN: %hone opt %s --recipe grid-sync -o - 2>&1 >/dev/null | FileCheck %s
#include <hone.h>

// CHECK: :[[#@LINE+4]]: kernel `halves`: left alone: the host cannot know n, which decides how often a grid-wide barrier is passed
__global__ void halves(float* a, int n) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  n = n / 2;
  for (int s = n; s > 0; s /= 2) {
    hone_grid_sync();
    if (x < s) a[x] += a[x + s];
  }
}

__device__ void grow(int* n) { *n += 3; }
// CHECK: :[[#@LINE+5]]: kernel `through`: left alone: the host cannot know steps, which decides how often a grid-wide barrier is passed
__global__ void through(float* a, int n) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int steps = 4;
  grow(&steps);
  for (int s = 0; s < steps; ++s) {
    hone_grid_sync();
    if (x < n) a[x] += 1;
  }
}
