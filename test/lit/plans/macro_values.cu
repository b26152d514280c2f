// A result relies on what macros stood for when it was made, so it does not compile where they stand for something else.
// RUN: %hone opt %s --recipe 'block(x=16, y=16) stage(depth=16)' --kernel product -o %t.cu -- -DDEPTH=45
// RUN: FileCheck %s --check-prefix=BESIDE < %t.cu
// RUN: %clang_cuda_ptx -DDEPTH=45 %t.cu
// RUN: %not %clang_cuda_ptx -DDEPTH=47 %t.cu 2>&1 | FileCheck %s --check-prefix=OTHER
// RUN: %hone opt %s --recipe 'promote' --kernel rows -o %t.rows.cu
// RUN: FileCheck %s --check-prefix=INPLACE < %t.rows.cu
// RUN: %hone opt %s --recipe '' -o %t.same.cu
// RUN: FileCheck %s --check-prefix=SAME < %t.same.cu
#include <limits.h>
#ifndef DEPTH
#define DEPTH 33
#endif
#define COLUMNS 37
#define LIMIT INT_MAX

// BESIDE: namespace product_hone {
// BESIDE-NEXT: static_assert(COLUMNS == 37 && DEPTH == 45, "made by hone for these values: run it again for others");
// OTHER: made by hone for these values: run it again for others
__global__ void product(const float* __restrict__ a, const float* __restrict__ b, float* __restrict__ c, int n) {
  int j = blockIdx.x * blockDim.x + threadIdx.x;
  int i = blockIdx.y * blockDim.y + threadIdx.y;
  if (i >= n || j >= COLUMNS) return;
  float sum = 0;
  for (int k = 0; k < DEPTH; ++k) sum += a[i * DEPTH + k] * b[k * COLUMNS + j];
  c[i * COLUMNS + j] = sum;
}

// INPLACE-LABEL: void rows(
// INPLACE: static_assert(DEPTH == 33,
// SAME-NOT: static_assert
__global__ void rows(const float* __restrict__ a, float* __restrict__ sums, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n || i == INT_MAX) return;
  for (int k = 0; k < DEPTH; ++k) sums[i] += a[i * DEPTH + k];
}
