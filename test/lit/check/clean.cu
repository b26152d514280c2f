// RUN: %hone check %s > %t 2>&1
// RUN: FileCheck %s < %t
// RUN: %hone check %s --kernel scale --set n=10 --grid 1 --block 32 --length a=n --length b=n | FileCheck --check-prefix=GIVEN %s
// CHECK: clean.cu:[[#@LINE+9]]: kernel `scale`: clean
// CHECK-NEXT: n=1000, grid 4, block 256
// CHECK-NEXT: guessed: --set n=1000 --grid 4 --block 256
// CHECK-NEXT: lengths found from its own accesses: a=1000 b=1000 (--length to give them)
// GIVEN: kernel `scale`: clean
// GIVEN-NEXT: n=10, grid 1, block 32
// GIVEN-NOT: guessed
// GIVEN-NOT: lengths

__global__ void scale(const float* a, float* b, float s, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) b[i] = a[i] * s;
}

// Without bounds on its threads: sizes are multiples of the block.
// CHECK: kernel `transpose`: clean
// CHECK-NEXT: n=96, grid 6x6, block 16x16
// CHECK: clean at sizes that are multiples of the block
__global__ void transpose(const float* a, float* b, int n) {
  __shared__ float tile[16][17];
  int x = blockIdx.x * 16 + threadIdx.x, y = blockIdx.y * 16 + threadIdx.y;
  tile[threadIdx.y][threadIdx.x] = a[y * n + x];
  __syncthreads();
  x = blockIdx.y * 16 + threadIdx.x;
  y = blockIdx.x * 16 + threadIdx.y;
  b[y * n + x] = tile[threadIdx.x][threadIdx.y];
}
