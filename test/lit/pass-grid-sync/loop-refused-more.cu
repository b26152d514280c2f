// A sum over all threads that is for nobody, and a barrier outside of loops.
// RUN: %hone opt %s --recipe 'grid-sync(how=loop)' --reassociate -o - 2>&1 >/dev/null | FileCheck %s
#include <hone.h>

// Nobody looks at the sum.
// CHECK: :[[#@LINE+6]]: kernel `forNobody`: left alone: no loop is left
#pragma hone temporary(part)
__global__ void forNobody(const int* a, int* part, int* total) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int threads = gridDim.x * blockDim.x;
  part[x] = a[x];
  for (int s = threads / 2; s > 0; s /= 2) {
    hone_grid_sync();
    if (x < s) part[x] += part[x + s];
  }
  if (x == 0) total[0] = 1;
}

// CHECK: :[[#@LINE+5]]: kernel `once`: left alone: its grid-wide barriers do not stand in a loop of halving steps over one value of each thread
__global__ void once(int* a, int* b, int n) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  if (x < n) a[x] = x;
  hone_grid_sync();
  if (x < n) b[x] = a[n - 1 - x];
}

// A call in the step of a loop with continue stays a call.
// CHECK: kernel `stepping`: left alone: the call of all uses coordinates of the thread and cannot be inlined
__device__ int all() { return gridDim.x * blockDim.x; }
#pragma hone temporary(part)
__global__ void stepping(const int* a, int* part, int* total) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int sum = 0, threads = gridDim.x * blockDim.x;
  for (int i = x; i < 1000; i += all()) {
    if (i % 3 == 2) continue;
    sum += a[i];
  }
  part[x] = sum;
  for (int s = threads / 2; s > 0; s /= 2) {
    hone_grid_sync();
    if (x < s) part[x] += part[x + s];
  }
  if (x == 0) total[0] = part[0];
}
