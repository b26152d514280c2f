// At other sizes than captured, arrays that decide how long loops run hold values like those that were recorded.
// RUN: rm -f %t.* && %hone run --fast --quiet --capture %t.none %s
// RUN: %hone run --fast --quiet --capture %t.data --data --data-limit 64K %s
// RUN: %hone opt %s --target h200 --diff --capture %t.none 2>&1 | FileCheck --check-prefix=NONE %s
// NONE: kernel `steps`: left as it is: no end in sight
// RUN: %hone opt %s --target h200 --diff --capture %t.data 2>&1 | FileCheck --check-prefix=DATA %s
// DATA-NOT: no end in sight
// DATA: kernel `steps`
#include <cuda_runtime.h>

// Ends for numbers that are 3 more than a multiple of 1000 alone.
__global__ void steps(const int* in, int* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  int left = in[i], count = 0;
  while (left != 3) {
    left -= 1000;
    ++count;
  }
  out[i] = count;
}

int main() {
  const int n = 300000;
  int* host = new int[n];
  for (int i = 0; i < n; ++i) host[i] = i % 7 * 1000 + 3;
  int *in, *out;
  cudaMalloc(&in, n * sizeof(int));
  cudaMalloc(&out, n * sizeof(int));
  cudaMemcpy(in, host, n * sizeof(int), cudaMemcpyHostToDevice);
  steps<<<(n + 255) / 256, 256>>>(in, out, n);
  delete[] host;
  return cudaDeviceSynchronize() != cudaSuccess;
}
