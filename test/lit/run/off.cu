// HONE_OFF, as a macro or in the environment, sends every launch to the original.
// RUN: rm -rf %t && mkdir %t && %hone opt %s --recipe 'block(x=64)' --kernel fill -o %t/k.cu --no-verify
// RUN: FileCheck %s < %t/k.cu
// RUN: %hone run --json %t/j %t/k.cu && FileCheck %s --check-prefix=NEW < %t/j
// RUN: env HONE_OFF=0 %hone run --json %t/j %t/k.cu && FileCheck %s --check-prefix=NEW < %t/j
// RUN: env HONE_OFF= %hone run --json %t/j %t/k.cu && FileCheck %s --check-prefix=NEW < %t/j
// RUN: env HONE_OFF=1 %hone run --json %t/j %t/k.cu && FileCheck %s --check-prefix=OLD < %t/j
// RUN: %hone run --json %t/j %t/k.cu -DHONE_OFF && FileCheck %s --check-prefix=OLD < %t/j
// RUN: %clang_cuda_ptx -Wall -Werror -Wno-unknown-cuda-version %t/k.cu && %clang_cuda_ptx -Wall -Werror -Wno-unknown-cuda-version -DHONE_OFF %t/k.cu
#include <stdio.h>

__global__ void fill(float* x, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[i] = 1;
}
// CHECK: {{^}}#ifndef HONE_OFF{{$}}
// CHECK-NEXT: namespace fill_hone {
// CHECK: {{^}}#endif
// CHECK: {{^}}static inline void fill_launch(dim3 grid, dim3 block, size_t shared, cudaStream_t stream, float* x, int n) {
// CHECK-NEXT: {{^}}#ifndef HONE_OFF
// CHECK: {{^}}  static const bool enabled = !::getenv("HONE_OFF") || *::getenv("HONE_OFF") <= '0';
// CHECK: {{^}}  if (enabled && covered && in_range) {
// CHECK: {{^}}    return;
// CHECK-NEXT: {{^}}  }
// CHECK-NEXT: {{^}}#endif
// CHECK-NEXT: {{^}}  fill<<<grid, block, shared, stream>>>(x, n);
// CHECK-NEXT: {{^}}}

int main() {
  const int n = 1000;
  float *x, y = 0;
  cudaMalloc(&x, n * sizeof(float));
  fill<<<(n + 255) / 256, 256>>>(x, n);
  cudaMemcpy(&y, x + n - 1, sizeof(float), cudaMemcpyDeviceToHost);
  printf("%g\n", y);
  cudaFree(x);
}
// NEW: "kernel": "fill_hone::kernel"
// OLD: "kernel": "fill"
