// Ends of arrays are known of a captured launch as it was; of one too large to be run, blocks at its edges are.
// RUN: rm -f %t.capture && not %hone run --fast --capture %t.capture %s
// RUN: not %hone check %s --capture %t.capture | FileCheck %s
// CHECK: kernel `beyond`: 1 error
// CHECK: ends.cu:[[#@LINE+7]]: error: out of bounds in global memory, a[2000000] of 2000000 elements
// CHECK: kernel `within`: clean
// CHECK: blocks at the edges of the captured launch, 7813, were run too
#include <cuda_runtime.h>

__global__ void beyond(float* a, const float* b, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i <= n) a[i] = b[i / 2];
}

__global__ void within(float* a, const float* b, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) a[i] = b[i / 2];
}

int main(int argc, char**) {
  const int n = 2000000 * argc;
  float *a, *b;
  cudaMalloc(&a, n * sizeof(float));
  cudaMalloc(&b, n * sizeof(float));
  cudaMemset(b, 0, n * sizeof(float));
  beyond<<<(n + 255) / 256, 256>>>(a, b, n);
  within<<<(n + 255) / 256, 256>>>(a, b, n);
  return cudaDeviceSynchronize() != cudaSuccess;
}
