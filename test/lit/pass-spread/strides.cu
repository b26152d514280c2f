// Threads that step over elements by the size of the grid or of the block.
// RUN: %hone opt %s --recipe spread --block 64 -o %t.cu 2> %t.err
// RUN: FileCheck %s < %t.cu
// RUN: %clang_cuda_ptx %t.cu
// RUN: %hone verify %s --recipe spread --kernel ofGrid --block 64 --grid 2 --set n=1000
// RUN: %hone verify %s --recipe spread --kernel ofGrid --block 64 --grid 2 --set n=1
// RUN: %hone verify %s --recipe spread --kernel begun --block 64 --grid 2 --set n=1000
// RUN: %hone verify %s --recipe spread --kernel ofBlock --block 64 --grid 5 --set n=100
// RUN: %hone opt %s --kernel ofGrid --recipe 'spread block(x=32)' --block 64 -o - | FileCheck --check-prefix=BLOCK %s

// CHECK: kernel(float* c, const float* a, int n) {
// CHECK-NEXT: // Each iteration over i is a thread of its own.
// CHECK-NEXT: int i = blockIdx.x * blockDim.x + threadIdx.x;
// CHECK-NEXT: if (i < n) {
// CHECK: const dim3 blocks((n + block.x - 1) / block.x, grid.y, grid.z);
// BLOCK: int i = blockIdx.x * kBlockX + threadIdx.x;
// BLOCK-NEXT: if (i < n) {
__global__ void ofGrid(float* c, const float* a, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) c[i] = 2.0f * a[i];
}

// A variable that was there before the loop, and a step with a name.
// CHECK: kernel(float* c, const float* a, size_t n) {
// CHECK: size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x;
// CHECK-NEXT: if (i < n) {
// CHECK-NEXT: if (a[i] < 0) {
// CHECK-NEXT: return;
__global__ void begun(float* c, const float* a, size_t n) {
  size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x;
  const size_t step = gridDim.x * (size_t)blockDim.x;
  for (; i < n; i += step) {
    if (a[i] < 0) continue;
    c[i] = 2.0f * a[i];
  }
}

// Rows of blocks are rows of the grid.
// CHECK: kernel(float* c, const float* a, const float* bias, int n) {
// CHECK-NEXT: int i = blockIdx.x * blockDim.x + threadIdx.x;
// CHECK-NEXT: int row = blockIdx.y * blockDim.y + threadIdx.y;
// CHECK-NEXT: const float* from = a + row * n;
// CHECK-NEXT: // Each iteration over i is a thread of its own.
// CHECK-NEXT: if (i < n) {
// CHECK-NEXT: c[row * n + i] = from[i] + bias[i];
// CHECK: const dim3 blocks((n + block.x - 1) / block.x, grid.x);
__global__ void ofBlock(float* c, const float* a, const float* bias, int n) {
  int row = blockIdx.x, t = threadIdx.x;
  const float* from = a + row * n;
  for (int i = t; i < n; i += blockDim.x) c[row * n + i] = from[i] + bias[i];
}
