// What all threads put together in halving steps becomes one sum, which split-reduction shares out again.
// RUN: %hone opt %s --recipe 'grid-sync(how=loop)' --reassociate 2>%t.remarks | FileCheck %s
// RUN: FileCheck --check-prefix=REMARK %s < %t.remarks
// RUN: %hone verify %s --recipe 'grid-sync(how=loop)' --reassociate | FileCheck --check-prefix=SAME %s
// RUN: %hone verify %s --recipe 'grid-sync(how=loop) split-reduction(over=grid, ways=5, each=4)' --reassociate | FileCheck --check-prefix=SAME %s
// SAME-NOT: NOT EQUAL
// SAME-COUNT-4: kernel `{{[a-z_]+}}`: equal in {{[0-9]+}} runs
// RUN: %hone opt %s --recipe 'grid-sync(how=loop)' --kernel strided 2>&1 >/dev/null | FileCheck --check-prefix=ORDER %s
// ORDER: kernel `strided`: left alone: the order of the sum part would change; pass --reassociate to permit it
#include <hone.h>

// REMARK: kernel `strided`: what its threads put together in part step by step is one sum over all their iterations
// CHECK: void kernel(const float* a, float* total, int n) {
// CHECK-NEXT: float sum = 0;
// CHECK-NEXT: for (int i = 0; i < n; ++i) {
// CHECK-NEXT: sum += a[i];
// CHECK-NEXT: }
// CHECK-NEXT: total[0] = sum;
// CHECK: (threads_x & (threads_x - 1)) == 0
#pragma hone grid(4) block(32) length(a=n, part=128, total=1) temporary(part)
__global__ void strided(const float* a, float* part, float* total, int n) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int threads = gridDim.x * blockDim.x;
  float sum = 0;
  for (int i = x; i < n; i += threads) sum += a[i];
  part[x] = sum;
  for (int s = threads / 2; s > 0; s /= 2) {
    hone_grid_sync();
    if (x < s) part[x] += part[x + s];
  }
  if (x == 0) total[0] = part[0];
}

// A value that is no sum; a barrier before the loop and at the end of its iterations; the sum is used with others.
// REMARK: kernel `values`: what its threads put together in part step by step is one sum over all threads
// CHECK: void kernel(const int* a, const int* b, int* total, unsigned int threads_x) {
// CHECK-NEXT: int part_sum = 0;
// CHECK: for (int thread = 0; thread < threads; ++thread) {
// CHECK: part_sum += v;
// CHECK: total[1] = part_sum + 3;
#pragma hone grid(8) block(16) length(a=128, b=128, part=128, total=2) temporary(part)
__global__ void values(const int* a, const int* b, int* part, int* total) {
  const int x = blockDim.x * blockIdx.x + threadIdx.x;
  const unsigned all = blockDim.x * gridDim.x;
  int v = a[x];
  if (b[x] > 3) v += x;
  part[x] = v;
  hone_grid_sync();
  for (unsigned s = all >> 1; s >= 1; s >>= 1) {
    if (x < s) part[x] = part[s + x] + part[x];
    hone_grid_sync();
  }
  // By the first alone.
  if (x < 1) {
    total[0] = x;
    total[1] = part[x] + 3;
  }
}

// The largest of all, from a value that counts for each thread.
// REMARK: kernel `largest`: what its threads put together in part step by step is one sum over all their iterations
#pragma hone grid(2) block(64) length(a=n, part=128, total=1) temporary(part)
__global__ void largest(const float* a, float* part, float* total, int n) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  float most = -3;
  for (int i = x; i < n; i += gridDim.x * blockDim.x) most = fmaxf(most, a[i]);
  part[x] = most;
  for (int s = gridDim.x * blockDim.x / 2; s > 0; s /= 2) {
    hone_grid_sync();
    if (x < s) part[x] = fmaxf(part[x], part[x + s]);
  }
  if (x == 0) total[0] = part[0];
}

// The sum does not begin at 0: it counts once for each thread.
// REMARK: kernel `from_one`: what its threads put together in part step by step is one sum over all threads
#pragma hone grid(2) block(64) length(a=n, part=128, total=1) temporary(part)
__global__ void from_one(const float* a, float* part, float* total, int n) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  float sum = 1;
  for (int i = x; i < n; i += gridDim.x * blockDim.x) sum += a[i];
  part[x] = sum;
  for (int s = gridDim.x * blockDim.x / 2; s > 0; s /= 2) {
    hone_grid_sync();
    if (x < s) part[x] += part[x + s];
  }
  if (x == 0) total[0] = part[0];
}
