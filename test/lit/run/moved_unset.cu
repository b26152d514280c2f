// A lane needs a value only where a shuffle takes it: the first lane asks, the others hear of it.
// RUN: %hone run %s 2>&1 | FileCheck %s
// CHECK-NOT: uninitialised
// CHECK: 127 31
// CHECK-NOT: uninitialised
// RUN: not %hone run -DWRONG %s 2>&1 | FileCheck --check-prefix=WRONG %s
// WRONG: moved_unset.cu:[[#@LINE+6]]: error: uninitialised read: 'at' is read before it has a value (block (0,0,0) thread (1,0,0), 4 times)
#include <stdio.h>
__global__ void places(int* counter, int* out) {
  int at;
  if (threadIdx.x % 32 == 0) at = atomicAdd(counter, 32);
#ifdef WRONG
  at = __shfl_sync(~0u, at, 1);
#else
  at = __shfl_sync(~0u, at, 0);
#endif
  out[at + threadIdx.x % 32] = threadIdx.x;
}
__global__ void upper(int* out) {
  int v;
  if (threadIdx.x % 16 == 15) v = threadIdx.x;
  out[threadIdx.x] = __shfl_sync(~0u, v, 15, 16);
}
int main() {
  int *counter, *out;
  cudaMallocManaged(&counter, 4);
  cudaMallocManaged(&out, 512);
  *counter = 0;
  places<<<1, 128>>>(counter, out);
  cudaDeviceSynchronize();
  printf("%d", out[127]);
  upper<<<1, 32>>>(out);
  cudaDeviceSynchronize();
  printf(" %d\n", out[20]);
}
