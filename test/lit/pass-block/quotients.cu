// Ids divided by the threads of a block are the number of the block; a grid that blocks divide needs no guard.
// RUN: %hone opt %s --kernel tiles --recipe 'block(x=128)' --block 64 -o - | FileCheck %s
// RUN: %hone opt %s --kernel tiles --recipe 'block(x=96)' --block 64 -o - | FileCheck --check-prefix=ODD %s
// RUN: %hone opt %s --kernel items --recipe 'spread block(x=64)' --block 16 -o - | FileCheck --check-prefix=WHOLE %s
// RUN: %hone opt %s --kernel items --recipe 'spread block(x=96)' --block 16 -o - | FileCheck --check-prefix=GUARD %s
// RUN: %hone verify %s --kernel tiles --recipe 'block(x=128)' --block 64 --grid 9 --set n=500
// RUN: %hone verify %s --kernel items --recipe 'spread block(x=64)' --block 16 --grid 3
// RUN: %hone verify %s --kernel items --recipe 'spread block(x=96)' --block 16 --grid 3

// CHECK: if ((int)blockIdx.x % 2 == 0) {
// CHECK: c[i] = (int)blockIdx.x / 2;
// ODD: if (i / 128 % 2 == 0) {
__global__ void tiles(int* c, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    if (i / 128 % 2 == 0) c[i] = i / 256;
}

// WHOLE: kernel(float* c) {
// WHOLE-NEXT: int id = blockIdx.x * kBlockX + threadIdx.x;
// WHOLE-NEXT: // Each iteration over q is a thread of its own.
// WHOLE-NEXT: c[(unsigned int)id] = 1;
// GUARD: kernel(float* c, unsigned int threads_x) {
// GUARD: < threads_x) {
__global__ void items(float* c) {
  for (int q = 0; q < 4; ++q) c[16 * 4 * blockIdx.x + 4 * threadIdx.x + q] = 1;
}
