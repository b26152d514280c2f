// A barrier of the whole grid: the blocks that are merged would come to it as one.
// RUN: %hone opt %s --recipe 'merge-threads(x=2)' --block 64 -o - 2>&1 >/dev/null | FileCheck %s
#include <hone.h>

#define ID int x = blockIdx.x * blockDim.x + threadIdx.x

// CHECK: :[[#@LINE+4]]: kernel `together`: left alone: it waits for the whole grid
__global__ void together(float* a, float* b, int n) {
  ID;
  if (x < n) a[x] = x;
  hone_grid_sync();
  if (x < n) b[x] = a[n - 1 - x];
}
