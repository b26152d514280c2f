// Grid-wide barriers become launches; the results are those of the cooperative kernel.
// RUN: %hone verify %s --kernel halves --recipe grid-sync | FileCheck --check-prefix=HALVES %s
// RUN: %hone verify %s --kernel halves --recipe 'grid-sync block(x=96)' | FileCheck --check-prefix=HALVES %s
// RUN: %hone verify %s --kernel carries --recipe grid-sync | FileCheck --check-prefix=CARRIES %s
// RUN: %hone verify %s --kernel blocks --recipe grid-sync | FileCheck --check-prefix=BLOCKS %s
// RUN: %hone verify %s --kernel smooths --set iterations=3 --exact --recipe grid-sync | FileCheck --check-prefix=SMOOTHS %s
// RUN: not %hone verify %s --kernel plain --recipe grid-sync | FileCheck --check-prefix=PLAIN %s
// RUN: not %hone verify %s --kernel guarded --recipe grid-sync | FileCheck --check-prefix=GUARDED %s
// RUN: not %hone verify %s --kernel loaded --recipe grid-sync | FileCheck --check-prefix=LOADED %s
// RUN: not %hone verify %s --kernel shares --recipe grid-sync | FileCheck --check-prefix=SHARES %s
// RUN: not %hone verify %s --kernel endsEarly --recipe grid-sync | FileCheck --check-prefix=EARLY %s
// RUN: not %hone verify %s --kernel listed --recipe grid-sync | FileCheck --check-prefix=LISTED %s
// RUN: not %hone verify %s --kernel empty --recipe grid-sync | FileCheck --check-prefix=EMPTY %s
// RUN: not %hone verify %s --kernel odd --recipe grid-sync | FileCheck --check-prefix=ODD %s
// RUN: not %hone verify %s --kernel returns --recipe grid-sync | FileCheck --check-prefix=RETURNS %s
// RUN: not %hone verify %s --kernel changes --recipe grid-sync | FileCheck --check-prefix=CHANGES %s
// RUN: not %hone verify %s --kernel halves --recipe 'grid-sync(how=cooperative) grid-sync(how=cooperative)' | FileCheck --check-prefix=TWICE %s
// RUN: not %hone verify %s --kernel halves --recipe 'grid-sync grid-sync' | FileCheck --check-prefix=AGAIN %s
#include <hone.h>

// HALVES: kernel `halves`: equal in {{[0-9]+}} runs
#pragma hone grid(4) block(64) length(part=256)
__global__ void halves(const float* a, float* part, float* total, int n) {
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

// A number of the thread's own outlives the barrier.
// CARRIES: kernel `carries`: equal in {{[0-9]+}} runs
#pragma hone grid(3) block(32) length(a=96, b=96)
__global__ void carries(const int* a, int* b) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int mine = a[x] * 3;
  if (x % 2 == 0) mine += 5;
  b[x] = mine;
  hone_grid_sync();
  int other = b[95 - x];
  mine -= other;
  hone_grid_sync();
  b[x] = mine;
}

// Shared memory of one part.
// BLOCKS: kernel `blocks`: equal in {{[0-9]+}} runs
#pragma hone grid(2) block(64) length(a=128, b=128)
__global__ void blocks(const int* a, int* b) {
  __shared__ int tile[64];
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  b[x] = a[x];
  hone_grid_sync();
  tile[threadIdx.x] = b[127 - x];
  __syncthreads();
  b[x] = tile[63 - threadIdx.x] + a[x];
}

// SMOOTHS: kernel `smooths`: equal in 1 run
#pragma hone grid(2) block(64) length(a=128, b=128)
__global__ void smooths(float* a, float* b, int iterations) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  for (int r = 0; r < iterations; ++r) {
    int left = x > 0 ? x - 1 : x;
    b[x] = (a[left] + a[x]) * (r + 1);
    hone_grid_sync();
    a[x] = b[x];
    hone_grid_sync();
  }
}

// PLAIN: leaves it alone: it has no grid-wide barrier
__global__ void plain(float* a) { a[threadIdx.x] = 1; }

// GUARDED: leaves it alone: a grid-wide barrier stands under a condition or in a loop that does not count
#pragma hone grid(2) block(64)
__global__ void guarded(float* a, int n) {
  if (n > 3) hone_grid_sync();
  a[threadIdx.x] = 1;
}

// LOADED: leaves it alone: how often a grid-wide barrier is passed depends on the thread or on memory
#pragma hone grid(2) block(64)
__global__ void loaded(int* a, const int* n) {
  for (int i = 0; i < n[0]; ++i) {
    a[blockIdx.x * blockDim.x + threadIdx.x] += i;
    hone_grid_sync();
  }
}

// SHARES: leaves it alone: shared memory (tile) may be used on both sides of a grid-wide barrier
#pragma hone grid(2) block(64)
__global__ void shares(int* a) {
  __shared__ int tile[64];
  tile[threadIdx.x] = a[threadIdx.x];
  hone_grid_sync();
  a[blockIdx.x * blockDim.x + threadIdx.x] = tile[63 - threadIdx.x];
}

// EARLY: leaves it alone: the loop around a grid-wide barrier may end early
#pragma hone grid(2) block(64)
__global__ void endsEarly(int* a, int n) {
  for (int i = 0; i < n; ++i) {
    a[blockIdx.x * blockDim.x + threadIdx.x] += i;
    hone_grid_sync();
    if (i > 3) break;
  }
}

// LISTED: leaves it alone: mine lives across a grid-wide barrier and is no plain number
#pragma hone grid(2) block(64)
__global__ void listed(int* a) {
  int mine[2];
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  mine[0] = a[x];
  mine[1] = x;
  hone_grid_sync();
  a[127 - x] = mine[0] + mine[1];
}

// EMPTY: leaves it alone: the loop around a grid-wide barrier does nothing else
#pragma hone grid(2) block(64)
__global__ void empty(int* a, int n) {
  for (int i = 0; i < n; ++i) hone_grid_sync();
  a[blockIdx.x * blockDim.x + threadIdx.x] = 1;
}

// ODD: leaves it alone: the loop around a grid-wide barrier does not count with a variable of its own
#pragma hone grid(2) block(64)
__global__ void odd(int* a, int n) {
  int i = 0;
  for (; i < n; ++i) {
    a[blockIdx.x * blockDim.x + threadIdx.x] += i;
    hone_grid_sync();
  }
}

// RETURNS: leaves it alone: threads may return before a grid-wide barrier
#pragma hone grid(2) block(64)
__global__ void returns(int* a, int n) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  for (int i = 0; i < n; ++i)
    if (a[x] == -99) return;
  hone_grid_sync();
  a[x] = 1;
}

// CHANGES: leaves it alone: the host cannot know m, which decides how often a grid-wide barrier is passed
#pragma hone grid(2) block(64)
__global__ void changes(int* a, int n) {
  int m = n;
  if (m > 4) m = 4;
  for (int i = 0; i < m; ++i) {
    a[blockIdx.x * blockDim.x + threadIdx.x] += i;
    hone_grid_sync();
  }
}

// TWICE: leaves it alone: it is launched cooperatively already
// AGAIN: leaves it alone: grid-sync must come before passes that make choices or further launches
