// The last steps, in which few threads have work, are done by one block.
// RUN: %hone verify %s --recipe 'grid-sync(last=64)' | FileCheck --check-prefix=SAME %s
// RUN: %hone verify %s --recipe 'grid-sync(last=0)' | FileCheck --check-prefix=SAME %s
// RUN: %hone verify %s --recipe grid-sync | FileCheck --check-prefix=SAME %s
// SAME-NOT: NOT EQUAL
// SAME-NOT: the original ran
// SAME-COUNT-10: kernel `{{[a-z_]+}}`: equal in
// RUN: %hone opt %s --recipe 'grid-sync(last=64)' 2>%t.remarks | FileCheck %s
// RUN: FileCheck --check-prefix=REMARK %s < %t.remarks
// RUN: %hone opt %s --recipe 'grid-sync(last=0)' --kernel halves 2>&1 >/dev/null | FileCheck --check-prefix=NONE %s
// RUN: %hone opt %s --recipe 'grid-sync(last=4000)' --kernel halves 2>&1 >/dev/null | FileCheck --check-prefix=MANY %s
// NONE: kernel `halves`: split at its grid-wide barriers into 3 kernels{{$}}
// MANY: kernel `halves`: left alone: a block has 1024 threads at most
#include <hone.h>

// REMARK: kernel `halves`: split at its grid-wide barriers into 3 kernels, the last of them a single block of up to 64 threads
// CHECK: __global__ __launch_bounds__(64) void halves_part3(int* part, int* total, unsigned int threads_x) {
// CHECK: int x = threadIdx.x;
// CHECK: for (int s = threads / 2; s > 0; s /= 2) {
// CHECK-NEXT: if (s <= 64) {
// CHECK-NEXT: __syncthreads();
// CHECK-NEXT: if (x < s) {
// CHECK: total[0] = part[0];
// CHECK: for (int s = (int)(grid.x * block.x) / 2; s > 64; s = s / 2) {
#pragma hone grid(4) block(64) length(part=256)
__global__ void halves(const int* a, int* part, int* total, int n) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int threads = gridDim.x * blockDim.x;
  part[x] = a[x] + n;
  for (int s = threads / 2; s > 0; s /= 2) {
    hone_grid_sync();
    if (x < s) part[x] += part[x + s];
  }
  if (x == 0) total[0] = part[0];
}

// Fewer threads than the block could have; two steps an iteration; a barrier behind the loop; a bound of twice the variable.
// REMARK: kernel `pairs`: split at its grid-wide barriers into 5 kernels, the last of them a single block of up to 64 threads
#pragma hone grid(5) block(37) length(a=185, b=185, out=185)
__global__ void pairs(int* a, int* b, int* out) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  b[x] = a[x] * 3 + x;
  hone_grid_sync();
  a[184 - x] = b[x];
  for (int s = gridDim.x * blockDim.x / 5; s > 0; s >>= 1) {
    hone_grid_sync();
    if (x + 1 < 2 * s) b[x] = a[x] - a[x + s];
    hone_grid_sync();
    if (x < s) a[x] = b[x + 1] * 5 + s;
  }
  hone_grid_sync();
  if (x == 2) out[7] = a[1];
  if (x < 3) out[x] = b[x];
}

// An iteration is the same for all: one block from the start.
// REMARK: kernel `first_block`: split at its grid-wide barriers into 2 kernels, the last of them a single block of up to 64 threads
#pragma hone grid(4) block(32) length(a=128, b=40)
__global__ void first_block(int* a, int* b, int iterations) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  a[x] += x;
  for (int r = 0; r < iterations; ++r) {
    hone_grid_sync();
    if (x < 40) b[x] = a[(x + r) % 40];
    hone_grid_sync();
    if (x < 40) a[x] = b[39 - x] + r;
  }
}

// Not so: the variable grows; threads past the variable work; another axis; the block is asked for; every thread stores.
// REMARK: kernel `grows`: split at its grid-wide barriers into 2 kernels{{$}}
#pragma hone grid(4) block(32) length(a=128)
__global__ void grows(int* a, int n) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  for (int s = 1; s < 64; s *= 2) {
    if (x < s) a[x + s] = a[x] + n;
    hone_grid_sync();
  }
  if (x == 0) a[0] = 1;
}

// REMARK: kernel `above`: split at its grid-wide barriers into 2 kernels{{$}}
#pragma hone grid(4) block(32) length(a=128)
__global__ void above(int* a, int n) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  a[x] += n;
  for (int s = 64; s > 0; s /= 2) {
    hone_grid_sync();
    if (x >= 64 && x < 64 + s) a[x] += a[x - s];
  }
}

// REMARK: kernel `flat`: split at its grid-wide barriers into 2 kernels{{$}}
#pragma hone grid(2, 2) block(8, 4) length(a=128)
__global__ void flat(int* a) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  a[y * 16 + x] += y;
  for (int s = 8; s > 0; s /= 2) {
    hone_grid_sync();
    if (x < s) a[y * 16 + x] += a[y * 16 + x + s];
  }
}

// REMARK: kernel `of_block`: split at its grid-wide barriers into 2 kernels{{$}}
#pragma hone grid(4) block(32) length(a=128)
__global__ void of_block(int* a) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  a[x] += 4;
  for (int s = 64; s > 0; s /= 2) {
    hone_grid_sync();
    if (x < s) a[x] += a[x + s] + threadIdx.x;
  }
}

// A value that the loop changes begins before it, where nothing else is done.
// REMARK: kernel `keeps`: split at its grid-wide barriers into 3 kernels, mine kept in memory between them
#pragma hone grid(4) block(32) length(a=128)
__global__ void keeps(int* a) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, mine = a[x];
  for (int s = 64; s > 0; s /= 2) {
    hone_grid_sync();
    if (x < s) mine += a[x + s];
    hone_grid_sync();
    if (x < s) a[x] = mine;
  }
}

// A call that cannot be inlined would count the threads of the one block.
// REMARK: kernel `asks`: split at its grid-wide barriers into 3 kernels{{$}}
__device__ int all() { return gridDim.x * blockDim.x; }
#pragma hone grid(4) block(64) length(part=256)
__global__ void asks(const int* a, int* part, int* total) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int threads = gridDim.x * blockDim.x;
  part[x] = a[x];
  for (int s = threads / 2; s > 0; s /= 2) {
    hone_grid_sync();
    if (x < s) part[x] += part[x + s];
  }
  if (x == 0) {
    int sum = part[0];
    for (int i = 0; i < 1000; i += all()) {
      if (i % 3 == 2) continue;
      sum += i;
    }
    total[0] = sum;
  }
}

// Nothing is done before the barrier.
// REMARK: kernel `idle`: one kernel without its grid-wide barriers, between which nothing else is done
#pragma hone grid(4) block(64) length(a=256)
__global__ void idle(int* a) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int unused = x * 2;
  hone_grid_sync();
  a[x] = x + 1;
}
