// Code for nvcc says so by __NVCC__, its host side too.
// RUN: %hone explain %s | FileCheck %s
// CHECK: kernel `scale`
// RUN: %hone run %s | FileCheck --check-prefix=PRINTS %s
// PRINTS: 6
#include <stdio.h>
#if !defined(__NVCC__)
#error not for this compiler
#endif
__global__ void scale(float* a) { a[threadIdx.x] *= 2; }
int main() {
  float* a;
  cudaMallocManaged(&a, 32 * sizeof(float));
  for (int i = 0; i < 32; ++i) a[i] = 3;
  scale<<<1, 32>>>(a);
  cudaDeviceSynchronize();
  printf("%.0f\n", a[31]);
}
