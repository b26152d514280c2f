// Iterations along an axis of their own.
// RUN: %hone opt %s --recipe spread --block 64 -o %t.cu 2> %t.err
// RUN: FileCheck %s < %t.cu
// RUN: FileCheck --check-prefix=SAID %s < %t.err
// RUN: %clang_cuda_ptx %t.cu
// RUN: %hone verify %s --recipe spread --kernel batch --block 64 --grid 3 --set n=150 --set planes=5
// RUN: %hone verify %s --recipe spread --kernel rows --block 64 --grid 1 --set h=50 --set w=33
// RUN: %hone verify %s --recipe 'spread block(x=32, y=8)' --kernel rows --block 64 --grid 1 --set h=50 --set w=33
// RUN: %hone verify %s --recipe spread --kernel down --block 64 --grid 3 --set n=150
// RUN: %hone opt %s --kernel batch --recipe 'spread(axis=z)' --block 64 -o - | FileCheck --check-prefix=Z %s
// RUN: %hone opt %s --kernel rows --recipe 'spread block(x=32, y=8)' --block 64 -o - | FileCheck --check-prefix=BLOCK %s

// SAID: kernel `batch`: each iteration of L1 became a thread of its own along y
// SAID: 1 <= planes{{.*}}planes <= 65535
// CHECK: kernel(float* c, const float* a, int planes, int n) {
// CHECK-NEXT: int i = blockIdx.x * blockDim.x + threadIdx.x;
// CHECK-NEXT: if (i < n) {
// CHECK-NEXT: // Each iteration over b is a thread of its own.
// CHECK-NEXT: int b = blockIdx.y * blockDim.y + threadIdx.y;
// CHECK-NEXT: if (b < planes) {
// CHECK: blocks(grid.x, planes, grid.z)
// Z: int b = blockIdx.z * blockDim.z + threadIdx.z;
__global__ void batch(float* c, const float* a, int planes, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    for (int b = 0; b < planes; ++b) c[b * n + i] = 2.0f * a[i] + b;
  }
}

// Neighbours in a row become neighbouring threads.
// SAID: kernel `rows`: each iteration of L1 became a thread of its own along x
// CHECK: kernel(float* c, const float* a, int h, int w) {
// CHECK-NEXT: int j = blockIdx.x * blockDim.x + threadIdx.x;
// CHECK-NEXT: int r = blockIdx.y * blockDim.y + threadIdx.y;
// CHECK-NEXT: if (r < h) {
// CHECK-NEXT: // Each iteration over j is a thread of its own.
// CHECK-NEXT: if (j < w) {
// CHECK: blocks((w + 127) / 128, grid.x * block.x, grid.y * block.y), threads(128);
// BLOCK: int r = blockIdx.y * kBlockY + threadIdx.y;
// BLOCK: if (r < h) {
__global__ void rows(float* c, const float* a, int h, int w) {
  int r = blockIdx.x * blockDim.x + threadIdx.x;
  if (r >= h) return;
  for (int j = 0; j < w; j++) c[r * w + j] = 2.0f * a[r * w + j];
}

// Downwards, where threads beyond the last would count past the end of the type: they are left out by number.
// CHECK: int b = 2 - (int)(blockIdx.y * blockDim.y + threadIdx.y);
// CHECK-NEXT: if ((int)(blockIdx.y * blockDim.y + threadIdx.y) < 3) {
__global__ void down(float* c, const float* a, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    for (int b = 2; b >= 0; --b) c[b * n + i] = a[i] * b;
}
