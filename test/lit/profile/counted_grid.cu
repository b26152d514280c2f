// The number of blocks is counted on after it is set: the grid is not read off half of that, but covers the size.
// RUN: %hone profile %s --kernel up --set n=1000 | FileCheck %s
// RUN: %hone profile %s --kernel sum --set n=1000 | FileCheck %s
// RUN: %hone profile %s --kernel loop --set n=2048 | FileCheck %s --check-prefix=LOOP
// CHECK: grid 4, block 256, n=1000
// CHECK: guessed: --grid 4
// LOOP: grid 8, block 256, n=2048
// LOOP: guessed: --block 256
#include <cuda_runtime.h>

__global__ void up(const float* a, float* b, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) b[i] = a[i];
}

__global__ void sum(const float* a, float* b, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) b[i] = a[i];
}

__global__ void loop(const float* a, float* b, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) b[i] = a[i];
}

void host(const float* a, float* b, int n) {
  int blocks = n / 256;
  if (n % 256 > 0) blocks++;
  up<<<blocks, 256>>>(a, b, n);
  int others = n / 256;
  if (n % 256) others = others + 1;
  sum<<<others, 256>>>(a, b, n);
  for (int size = 64; size <= 256; size *= 2)
    loop<<<n / size, size>>>(a, b, n);
}
