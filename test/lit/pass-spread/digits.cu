// Iterations that are digits of the ids that kernels make of them.
// RUN: %hone opt %s --recipe spread --block 16x16 -o %t.cu 2> %t.err
// RUN: FileCheck %s < %t.cu
// RUN: FileCheck --check-prefix=SAID %s < %t.err
// RUN: %clang_cuda_ptx %t.cu
// RUN: %hone verify %s --recipe spread --kernel squares --block 16x16 --grid 2x2 --set n=300 --set k=5
// RUN: %hone verify %s --recipe 'spread spread' --kernel squares --block 16x16 --grid 2x2 --set n=300 --set k=5
// RUN: %hone verify %s --recipe spread --kernel items --block 64 --grid 3 --set n=700
// RUN: %hone verify %s --recipe spread --kernel run --block 64 --grid 3 --set n=700
// RUN: %hone verify %s --recipe spread --kernel runs --block 64 --grid 3 --set n=700

// SAID: kernel `squares`: each iteration of L1 became a thread of its own along x
// SAID: note: where this does not hold for a launch, the original runs: {{.*}}block.x == 16 && block.y == 16{{.*}}8 <= n
// CHECK: kernel(float* c, const float* a, const float* b, int n, int k) {
// CHECK-NEXT: int i = blockIdx.x * blockDim.x + threadIdx.x;
// CHECK-NEXT: int i_base = i / 8 * 8;
// CHECK-NEXT: int j_base = 128 * blockIdx.y + 8 * threadIdx.y;
// CHECK-NEXT: if (j_base <= i_base) {
// CHECK-NEXT: // Each iteration over io is a thread of its own.
// CHECK-NEXT: for (int jo = 0; jo < 8; ++jo) {
// CHECK: const dim3 blocks(grid.x * 8, grid.y, grid.z), threads(16, 16);
__global__ void squares(float* c, const float* a, const float* b, int n, int k) {
  int i_base = 128 * blockIdx.x + 8 * threadIdx.x;
  int j_base = 128 * blockIdx.y + 8 * threadIdx.y;
  if (j_base > i_base) return;
  for (int io = 0; io < 8; ++io) {
    int i = i_base + io;
    for (int jo = 0; jo < 8; ++jo) {
      int j = j_base + jo;
      float sum = 0;
      for (int s = 0; s < k; ++s) sum += a[i * k + s] * b[j * k + s];
      c[i * n + j] = sum;
    }
  }
}

// Ids alone: any block will do.
// SAID: kernel `items`: each iteration of L1 became a thread of its own along x
// CHECK: kernel(float* c, const float* a, int n) {
// CHECK-NEXT: int at = blockIdx.x * blockDim.x + threadIdx.x;
// CHECK-NEXT: // Each iteration over q is a thread of its own.
// CHECK-NEXT: if (at < n) {
// CHECK: const dim3 blocks(grid.x * 4, grid.y, grid.z);
__global__ void items(float* c, const float* a, int n) {
  int id = blockIdx.x * blockDim.x + threadIdx.x;
  for (int q = 0; q < 4; ++q) {
    int at = id * 4 + q;
    if (at < n) c[at] = a[at] + 1.0f;
  }
}

// The loop's own variable is the new id.
// CHECK: kernel(float* __restrict__ c, const float* __restrict__ a, int n) {
// CHECK: int at = blockIdx.x * blockDim.x + threadIdx.x;
// CHECK-NOT: for (
// CHECK: c[at] = a[at];
__global__ void run(float* __restrict__ c, const float* __restrict__ a, int n) {
  int first = 4 * (blockIdx.x * blockDim.x + threadIdx.x);
  if (first < n)
    for (int at = first; at < first + 4; ++at) c[at] = a[at];
}

// A run of the block for each iteration.
// CHECK: kernel(float* c, const float* a, int n) {
// CHECK: int at = blockIdx.x * blockDim.x + threadIdx.x;
// CHECK-NOT: for (
// CHECK: c[at] = a[at] + 1.0f;
__global__ void runs(float* c, const float* a, int n) {
  for (int q = 0; q < 4; ++q) {
    int at = (blockIdx.x * 4 + q) * blockDim.x + threadIdx.x;
    if (at < n) c[at] = a[at] + 1.0f;
  }
}
