// RUN: %hone opt %s --recipe 'remap-blocks(how=diagonal)' -o %t.cu 2>&1 | FileCheck %s
// RUN: not %hone opt %s --recipe 'remap-blocks(how=spiral)' --kernel line -o %t.cu 2>&1 | FileCheck --check-prefix=HOW %s
// RUN: not %hone opt %s --recipe 'remap-blocks(how=rows, group=0)' --kernel line -o %t.cu 2>&1 | FileCheck --check-prefix=GROUP %s
#include <cooperative_groups.h>

// CHECK: kernel `line`: left alone: the kernel uses one axis of its grid only: there is no other order of blocks
// HOW: recipe: remap-blocks: 'how' is one of
// GROUP: recipe: remap-blocks: 'group' takes a number from 1 on, not '0'
__global__ void line(float* a) { a[blockIdx.x] = 1.0f; }

// Each block waits for the one before it.
// CHECK: kernel `scan`: left alone: flags is volatile: blocks may wait for each other there
__global__ void scan(volatile int* flags, int* a) {
  int b = blockIdx.x + gridDim.x * blockIdx.y;
  if (b > 0)
    while (!flags[b - 1]) {
    }
  a[b] += b > 0 ? a[b - 1] : 0;
  flags[b] = 1;
}

// CHECK: kernel `fenced`: left alone: a memory fence orders what blocks tell each other
__global__ void fenced(int* flag, float* a) {
  a[blockIdx.x + blockIdx.y] = 1.0f;
  __threadfence();
  *flag = 1;
}

// CHECK: kernel `last`: left alone: what an atomic on count returns depends on the order of threads
__global__ void last(unsigned* count, float* a) {
  unsigned place = atomicAdd(count, 1u);
  a[place] = blockIdx.x * 2.0f + blockIdx.y;
}

// CHECK: kernel `whole`: left alone: blocks wait for each other at a grid-wide barrier
__global__ void whole(float* a) {
  a[blockIdx.x + 8 * blockIdx.y] = 1.0f;
  cooperative_groups::this_grid().sync();
  a[blockIdx.y + 8 * blockIdx.x] += 1.0f;
}

// A call in the step of a loop with continue stays a call.
// CHECK: kernel `stepping`: left alone: the call of own uses coordinates of the thread and cannot be inlined
__device__ int own() { return blockIdx.x + blockIdx.y; }
__global__ void stepping(float* a, int n) {
  for (int i = 0; i < n; i += own()) {
    if (i % 3 == 0) continue;
    a[i + blockIdx.x + blockIdx.y] = 0.0f;
  }
}
