// What makes the work of a block its own, so that it keeps its shape.
// RUN: %hone opt %s --recipe 'block(x=64)' -o - 2>&1 >/dev/null | FileCheck %s
#include <cuda_runtime.h>

// CHECK: :[[#@LINE+1]]: kernel `byThread`: left alone: its block shape is not free: threadIdx.x is used outside a global id at {{.*}}:[[#@LINE+3]]{{$}}
__global__ void byThread(float* a, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) a[i] = threadIdx.x;
}

// CHECK: :[[#@LINE+1]]: kernel `byBlock`: left alone: its block shape is not free: blockIdx.x is used outside a global id at {{.*}}:[[#@LINE+3]]{{$}}
__global__ void byBlock(float* a, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) a[i] = blockIdx.x;
}

// CHECK: :[[#@LINE+1]]: kernel `byShape`: left alone: its block shape is not free: blockDim.x is used outside a global id at {{.*}}:[[#@LINE+3]]{{$}}
__global__ void byShape(float* a, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) a[i] = blockDim.x;
}

// CHECK: :[[#@LINE+1]]: kernel `byGrid`: left alone: its block shape is not free: gridDim.x is used outside a global id at {{.*}}:[[#@LINE+3]]{{$}}
__global__ void byGrid(float* a, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) a[i] = gridDim.x;
}

// CHECK: :[[#@LINE+1]]: kernel `byWarp`: left alone: its block shape is not free: the warp size is used outside a global id at {{.*}}:[[#@LINE+3]]{{$}}
__global__ void byWarp(float* a, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) a[i] = i / warpSize;
}

// CHECK: :[[#@LINE+1]]: kernel `shuffles`: left alone: its block shape is not free: lanes exchange values by shfl_xor_sync at {{.*}}:[[#@LINE+4]]{{$}}
__global__ void shuffles(float* a, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float v = i < n ? a[i] : 0.0f;
  v += __shfl_xor_sync(0xffffffff, v, 1);
  if (i < n) a[i] = v;
}

// CHECK: :[[#@LINE+1]]: kernel `votes`: left alone: its block shape is not free: barrier syncthreads_or at {{.*}}:[[#@LINE+3]]{{$}}
__global__ void votes(const float* a, int* any, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int found = __syncthreads_or(i < n && a[i] < 0);
  if (i < n) any[i] = found;
}

// CHECK: :[[#@LINE+1]]: kernel `group`: left alone: its block shape is not free: activemask depends on the block at {{.*}}:[[#@LINE+3]]{{$}}
__global__ void group(int* a, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned active = __activemask();
  if (i < n) a[i] = active;
}

// CHECK: :[[#@LINE+1]]: kernel `waits`: left alone: its block shape is not free: barrier at {{.*}}:[[#@LINE+4]]{{$}}
__global__ void waits(float* a, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) a[i] = 1;
  __syncthreads();
  if (i + 1 < n) a[i + 1] += 1;
}

// CHECK: :[[#@LINE+1]]: kernel `shares`: left alone: its block shape is not free: shared variable tile at {{.*}}:[[#@LINE+2]]{{$}}
__global__ void shares(float* a, int n) {
  __shared__ float tile;
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) tile = a[i];
  if (i < n) a[i] = tile;
}

// A call in the step of a loop with continue stays a call, and would count threads that were added.
__device__ int all() { return gridDim.x * blockDim.x; }
__global__ void stepping(float* a, int n) {
  // CHECK: :[[#@LINE+1]]: kernel `stepping`: left alone: the call of all uses coordinates of the thread and cannot be inlined
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += all()) {
    if (i % 3 == 2) continue;
    a[i] = i;
  }
}

// CHECK: :[[#@LINE+1]]: kernel `blocksSums`: left alone: its block shape is not free: atomic_add_block holds among threads of one block at {{.*}}:[[#@LINE+3]]{{$}}
__global__ void blocksSums(int* o, const int* a, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) atomicAdd_block(&o[i / 96], a[i]);
}

// CHECK: :[[#@LINE+1]]: kernel `blockFenced`: left alone: its block shape is not free: fence that holds among threads of one block at {{.*}}:[[#@LINE+4]]{{$}}
__global__ void blockFenced(float* a, float* b, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) a[i] = 1;
  __threadfence_block();
  if (i < n) b[i] = 2;
}
