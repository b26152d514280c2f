// RUN: %hone opt %s --recipe 'block(x=16, y=16) stage(depth=16) skip-blocks' --kernel whole --kernel counting --kernel told -o %t.cu 2>&1 | FileCheck %s
// RUN: %hone opt %s --recipe 'block(x=16, y=16) skip-blocks' --kernel anyway -o %t.cu 2>&1 | FileCheck --check-prefix=ANYWAY %s
// RUN: %hone opt %s --recipe skip-blocks --kernel leaves --kernel waits --block 16,16 -o %t.cu 2>&1 | FileCheck --check-prefix=LEAVES %s

// All blocks have work; those behind the end of the grid are not launched.
// CHECK: kernel `whole`: left alone: no condition keeps all threads of a block from what others could notice
__global__ void whole(float* __restrict__ c, const float* __restrict__ a, int n, int m) {
  int j = blockIdx.x * blockDim.x + threadIdx.x;
  int i = blockIdx.y * blockDim.y + threadIdx.y;
  if (i >= n || j >= n) return;
  float sum = 0;
  for (int k = 0; k < m; ++k) sum += a[i * m + k] * a[j * m + k];
  c[i * n + j] = sum;
}

// Everybody counts, whatever the mask says.
// CHECK: kernel `counting`: left alone: no condition keeps all threads of a block from what others could notice
__global__ void counting(float* __restrict__ c, int* __restrict__ count, const float* __restrict__ a, int n, int m) {
  int j = blockIdx.x * blockDim.x + threadIdx.x;
  int i = blockIdx.y * blockDim.y + threadIdx.y;
  float sum = 0;
  if (i < n && j < n)
    for (int k = 0; k < m; ++k) sum += a[i * m + k] * a[j * m + k];
  if (sum > 4) atomicAdd(count, 1);
  if (i < n && j < n && j <= i) c[i * n + j] = sum;
}

// Of the mask nothing is known but what memory says.
// CHECK: kernel `told`: left alone: no condition keeps all threads of a block from what others could notice
__global__ void told(float* __restrict__ c, const int* __restrict__ from, const float* __restrict__ a, int n, int m) {
  int j = blockIdx.x * blockDim.x + threadIdx.x;
  int i = blockIdx.y * blockDim.y + threadIdx.y;
  if (i >= n || j >= n || j < from[i]) return;
  float sum = 0;
  for (int k = 0; k < m; ++k) sum += a[i * m + k] * a[j * m + k];
  c[i * n + j] = sum;
}

// ANYWAY: kernel `anyway`: left alone: threads that a mask keeps from their work come to no loop or barrier anyway
__global__ void anyway(float* __restrict__ c, const float* __restrict__ a, int n, int m) {
  int j = blockIdx.x * blockDim.x + threadIdx.x;
  int i = blockIdx.y * blockDim.y + threadIdx.y;
  if (i >= n || j >= n || j > i) return;
  float sum = 0;
  for (int k = 0; k < m; ++k) sum += a[i * m + k] * a[j * m + k];
  c[i * n + j] = sum;
}

// LEAVES: kernel `leaves`: left alone: it returns early where no if can stand for that
__global__ void leaves(float* c, const float* a, int n, int m) {
  int j = blockIdx.x * blockDim.x + threadIdx.x;
  int i = blockIdx.y * blockDim.y + threadIdx.y;
  float sum = 0;
  for (int k = 0; k < m; ++k) {
    if (k + j > n) return;
    sum += a[k];
  }
  if (j <= i) c[i * n + j] = sum;
}

// Blocks that leave would be waited for: the loop stays, and nothing in it takes long.
// LEAVES: kernel `waits`: left alone: threads that a mask keeps from their work come to no loop or barrier anyway
#include <cooperative_groups.h>
__global__ void waits(float* c, const float* a, int n, int m) {
  int j = blockIdx.x * blockDim.x + threadIdx.x;
  int i = blockIdx.y * blockDim.y + threadIdx.y;
  for (int k = 0; k < m; ++k) {
    if (j <= i) c[i * n + j] = a[k];
    cooperative_groups::this_grid().sync();
  }
}
