// Loops that take a thread from element to element by strides go block by block first: the threads of a block
// are neighbours in each step.
// RUN: %hone opt %s --recipe 'vectorize(threads=8)' --offer -o %t.cu 2>%t.said
// RUN: FileCheck %s --check-prefix=TEXT < %t.cu
// RUN: FileCheck %s --check-prefix=SAID < %t.said
// RUN: %hone verify %s --kernel plain --recipe 'vectorize(threads=8)' --set n=3001 --grid 2 --block 256 | FileCheck %s --check-prefix=EQUAL
// RUN: %hone verify %s --kernel plain --recipe 'vectorize(threads=8)' --set n=1 --grid 2 --block 256 | FileCheck %s --check-prefix=EQUAL
// RUN: %hone verify %s --kernel apart --recipe 'vectorize(threads=8)' --set n=3001 --grid 2 --block 256 | FileCheck %s --check-prefix=EQUAL
// RUN: %hone verify %s --kernel large --recipe 'vectorize(threads=8)' --set n=3001 --grid 2 --block 256 | FileCheck %s --check-prefix=EQUAL
// RUN: %hone verify %s --kernel rows --recipe 'vectorize(threads=8)' --set c=2056 --grid 3 --block 256 | FileCheck %s --check-prefix=EQUAL
// RUN: %hone verify %s --kernel rows --recipe 'vectorize(threads=8)' --set c=2051 --grid 3 --block 256 | FileCheck %s --check-prefix=EQUAL
// EQUAL-NOT: NOT EQUAL
// EQUAL: equal in
#include <cuda_fp16.h>

// TEXT: namespace plain_hone
// TEXT: // Each step takes the neighbouring elements of a block.
// TEXT-NEXT: for (int start = blockIdx.x * kTileX; start < n; start += gridDim.x * kTileX) {
// TEXT-NEXT: if (aligned && (int)(start + threadIdx.x * kPerX + 7u) < n) {
// TEXT: *(uint4*)(b + first) = *(const uint4*)b_part;
// TEXT: int i = start + threadIdx.x * kPerX + rx;
// TEXT-NEXT: if (i < n) {
// What is tested keeps every number within its type.
// TEXT: (long long)grid.x * 256 + n <= 2147483392
__global__ void plain(const __half* __restrict__ a, __half* __restrict__ b, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    b[i] = __hadd(a[i], a[i]);
}

// Ids and strides with names.
// TEXT: namespace apart_hone
// TEXT: for (unsigned int start = blockIdx.x * kTileX; start < n; start += stride) {
__global__ void apart(const __half* __restrict__ a, __half* __restrict__ b, unsigned n) {
  unsigned id = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned stride = gridDim.x * blockDim.x;
  for (unsigned i = id; i < n; i += stride) b[i] = __hadd(a[i], a[i]);
}

// TEXT: namespace large_hone
// TEXT: for (size_t start = (size_t)blockIdx.x * kTileX; start < n;
__global__ void large(const float* __restrict__ a, float* __restrict__ b, size_t n) {
  for (size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x; i < n; i += (size_t)gridDim.x * blockDim.x)
    b[i] = 2.0f * a[i];
}

// Rows that a block walks.
// TEXT: namespace rows_hone
// TEXT: for (int start = 0; start < c;
// TEXT: c % 8 == 0
__global__ void rows(const __half* __restrict__ a, __half* __restrict__ b, int c) {
  const __half* row = a + blockIdx.x * c;
  __half* out = b + blockIdx.x * c;
  for (int i = threadIdx.x; i < c; i += blockDim.x) out[i] = __hmul(row[i], row[i]);
}

// Not those whose threads end early.
// SAID: kernel `leaves`: left alone: no thread touches neighbouring elements at once
__global__ void leaves(const float* __restrict__ a, float* __restrict__ b, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    if (a[i] == 0.0f) break;
    b[i] = 2.0f * a[i];
  }
}
