// Recursion that does not end is told with its line, as is a bad access to an array of a frame.
// RUN: not %hone run %s 2>&1 | FileCheck %s
// CHECK: endless_recursion.cu:[[#@LINE+5]]: {{.*}}out of bounds in local memory, local[4]
// CHECK: endless_recursion.cu:[[#@LINE+9]]: {{.*}}stack overflow{{.*}}'climb'
#include <cstdio>
__device__ int deep(int n, int at) {
  int local[4] = {n, n, n, n};
  if (n == 0) return local[at];
  return deep(n - 1, at) + local[n % 4];
}
__device__ int climb(int n) {
  if (n < 0) return 0;
  return climb(n + 1) + 1;
}
__global__ void reads(int* a) { a[threadIdx.x] = deep(3, threadIdx.x == 5 ? 4 : 1); }
__global__ void climbs(int* a) { a[threadIdx.x] = climb(threadIdx.x); }
int main() {
  int* a;
  cudaMalloc(&a, 32 * sizeof(int));
  reads<<<1, 32>>>(a);
  climbs<<<1, 32>>>(a);
  std::printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
  cudaFree(a);
}
