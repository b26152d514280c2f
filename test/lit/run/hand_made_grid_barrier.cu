// A block whose first thread waits for other blocks, while its other threads wait for that one, lets the others run.
// RUN: %hone run --max-seconds 20 %s -DTHREADS=1 | FileCheck %s
// RUN: %hone run --max-seconds 20 %s -DTHREADS=32 | FileCheck %s
// RUN: %hone run --max-seconds 20 %s -DTHREADS=80 | FileCheck %s
#include <cstdio>

__global__ void meet(int* arrived, int* past) {
  for (int round = 1; round <= 3; ++round) {
    __syncthreads();
    if (threadIdx.x == 0) {
      __threadfence();
      atomicAdd(arrived, 1);
      while (atomicAdd(arrived, 0) < round * (int)gridDim.x) {
      }
      __threadfence();
    }
    __syncthreads();
    atomicAdd(past, 1);
  }
}

int main() {
  int *counts, past;
  cudaMalloc(&counts, 2 * sizeof(int));
  cudaMemset(counts, 0, 2 * sizeof(int));
  meet<<<5, THREADS>>>(counts, counts + 1);
  // CHECK: cudaSuccess, all past
  const char* status = cudaGetErrorName(cudaDeviceSynchronize());
  cudaMemcpy(&past, counts + 1, sizeof past, cudaMemcpyDeviceToHost);
  printf("%s, %s\n", status, past == 5 * THREADS * 3 ? "all past" : "not all past");
  cudaFree(counts);
}
