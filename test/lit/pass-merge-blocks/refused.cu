// RUN: %hone opt %s --recipe 'merge-blocks(x=2)' --block 64 2>&1 | FileCheck %s
// RUN: %hone opt %s --recipe 'merge-blocks' --kernel shuffles 2>&1 | FileCheck --check-prefix=NONE %s
// RUN: %hone opt %s --recipe 'block(x=64) merge-blocks(y=2)' --kernel line --no-verify 2>&1 | FileCheck --check-prefix=LINE %s

// NONE: kernel `shuffles`: left alone: merge-blocks needs x, y or z above 1
__global__ void shuffles(float* a) {
  // CHECK: refused.cu:[[@LINE+1]]: kernel `shuffles`: left alone: threads exchange values in groups by shfl_down_sync
  a[threadIdx.x] += __shfl_down_sync(0xffffffffu, a[threadIdx.x], 1);
}

// Blocks come to the barrier a different number of times.
__global__ void uneven(int* a) {
  for (int i = 0; i < blockIdx.x; ++i) {
    a[blockIdx.x * blockDim.x + threadIdx.x] += i;
    // CHECK: refused.cu:[[@LINE+1]]: kernel `uneven`: left alone: a barrier stands in a loop or choice that the merged threads do not take alike
    __syncthreads();
  }
}

// CHECK: kernel `large`: left alone: the merged block needs 65536 bytes of shared memory; declared arrays may have 49152 on h200 (232448 are for arrays that are sized at the launch)
__global__ void large(float* a) {
  __shared__ float s[8192];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  s[threadIdx.x] = a[i];
  __syncthreads();
  a[i] = s[blockDim.x - 1 - threadIdx.x];
}

// LINE: kernel `line`: left alone: the grid has one block along y
__global__ void line(float* a, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) a[i] *= 2;
}

// A call in the step of a loop with continue stays a call.
__device__ int own() { return threadIdx.x + 1; }
__global__ void stepping(float* a, int n) {
  // CHECK: refused.cu:[[@LINE+1]]: kernel `stepping`: left alone: the call of own uses coordinates of the thread and cannot be inlined
  for (int i = 0; i < n; i += own()) {
    if (i % 3 == 2) continue;
    a[i * 128 + threadIdx.x] = i;
  }
}
