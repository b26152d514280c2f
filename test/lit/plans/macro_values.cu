// A result relies on what macros stood for when it was made: where they stand for something else, the original is compiled.
// RUN: %hone opt %s --recipe 'block(x=16, y=16) stage(depth=16)' --kernel product -o %t.cu -- -DDEPTH=45
// RUN: FileCheck %s --check-prefix=BESIDE < %t.cu
// RUN: %clang_cuda_ptx -DDEPTH=45 %t.cu
// RUN: %clang_cuda_ptx -DDEPTH=47 %t.cu
// RUN: %hone opt %s --recipe 'promote' --kernel rows -o %t.rows.cu
// RUN: FileCheck %s --check-prefix=INPLACE < %t.rows.cu
// RUN: %clang_cuda_ptx %t.rows.cu && %clang_cuda_ptx -DDEPTH=47 %t.rows.cu
// RUN: %hone opt %s --recipe '' -o %t.same.cu
// RUN: FileCheck %s --check-prefix=SAME < %t.same.cu
#include <limits.h>
#ifndef DEPTH
#define DEPTH 33
#endif
#define COLUMNS 37
#define LIMIT INT_MAX

// BESIDE: {{^}}#if COLUMNS == 37 && DEPTH == 45 && !defined(HONE_OFF){{$}}
// BESIDE-NEXT: namespace product_hone {
// BESIDE-NOT: static_assert
__global__ void product(const float* __restrict__ a, const float* __restrict__ b, float* __restrict__ c, int n) {
  int j = blockIdx.x * blockDim.x + threadIdx.x;
  int i = blockIdx.y * blockDim.y + threadIdx.y;
  if (i >= n || j >= COLUMNS) return;
  float sum = 0;
  for (int k = 0; k < DEPTH; ++k) sum += a[i * DEPTH + k] * b[k * COLUMNS + j];
  c[i * COLUMNS + j] = sum;
}

// INPLACE-LABEL: void rows(
// INPLACE: {{^}}#if DEPTH == 33 && !defined(HONE_OFF){{$}}
// SAME-NOT: static_assert
__global__ void rows(const float* __restrict__ a, float* __restrict__ sums, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n || i == INT_MAX) return;
  for (int k = 0; k < DEPTH; ++k) sums[i] += a[i * DEPTH + k];
}
