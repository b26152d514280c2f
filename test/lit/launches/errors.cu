// What a launch gives back is its own error, not one that the program has not read yet.
// RUN: %hone opt %s --recipe 'block(x=64)' -o %t.cu 2>&1 | FileCheck --check-prefix=REMARK %s
// RUN: %hone run %t.cu | FileCheck %s
#include <cstdio>

// REMARK: kernel `twice`: rewritten beside the original; 1 of 1 launch now calls twice_launch
__global__ void twice(const float* a, float* b, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) b[i] = a[i] * 2.0f;
}

static void step(const float* a, float* b, int n, unsigned blocks) {
  void* args[] = {&a, &b, &n};
  cudaError_t status = cudaLaunchKernel((const void*)twice, dim3(blocks), dim3(32), args, 0, 0);
  printf("launch: %s\n", cudaGetErrorName(status));
}

int main() {
  int n = 100;
  float *a, *b, first = 3;
  void* huge;
  cudaMalloc(&a, n * sizeof(float));
  cudaMalloc(&b, n * sizeof(float));
  cudaMemset(a, 0, n * sizeof(float));
  cudaMemcpy(a, &first, sizeof first, cudaMemcpyHostToDevice);
  step(a, b, n, 4);
  // CHECK: launch: cudaSuccess
  if (cudaMalloc(&huge, size_t(1) << 60) != cudaSuccess) puts("no room, doing without");
  // CHECK-NEXT: no room, doing without
  step(a, b, n, 4);
  // CHECK-NEXT: launch: cudaSuccess
  printf("left: %s\n", cudaGetErrorName(cudaGetLastError()));
  // CHECK-NEXT: left: cudaErrorMemoryAllocation
  step(a, b, n, 0);
  // CHECK-NEXT: launch: cudaErrorInvalidConfiguration
  cudaMemcpy(&first, b, sizeof first, cudaMemcpyDeviceToHost);
  printf("%g\n", first);
  // CHECK-NEXT: 6
  cudaFree(a);
  cudaFree(b);
}
