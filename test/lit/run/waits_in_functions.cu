// Functions that only wait are called, and re-emitted.
// RUN: %hone run %s 2>&1 | FileCheck %s --implicit-check-not=race --implicit-check-not=error
// RUN: %hone opt %s --recipe '' --kernel late 2>/dev/null | FileCheck %s --check-prefix=TEXT
// CHECK: 42 42
// TEXT: __global__ void late(
// TEXT: if (i < n) {
// TEXT-NEXT: pointer(flag);
// TEXT-NEXT: delay(10
#include <cstdio>
__device__ void pointer(volatile int* flag) {
  while (*flag == 0) {}
}
__device__ void reference(volatile int& flag) {
  while (flag == 0) {}
}
__device__ void delay(long long cycles) {
  for (long long begin = clock64(); clock64() - begin < cycles;) {}
}
template <bool byPointer> __global__ void hand(int* flag, int* out) {
  if (blockIdx.x == 1) {
    out[0] = 41;
    __threadfence();
    atomicExch(flag, 1);
  } else {
    if (byPointer)
      pointer(flag);
    else
      reference(*flag);
    __threadfence();
    out[1] = ((volatile int*)out)[0] + 1;
  }
}
__global__ void late(int* flag, float* a, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    pointer(flag);
    delay(10);
    a[i] = a[i] * 2;
  }
}
int main() {
  int *flag, *out;
  cudaMallocManaged(&flag, 4);
  cudaMallocManaged(&out, 8);
  *flag = 0;
  hand<true><<<2, 1>>>(flag, out);
  cudaDeviceSynchronize();
  printf("%d", out[1]);
  *flag = 0;
  hand<false><<<2, 1>>>(flag, out);
  cudaDeviceSynchronize();
  printf(" %d\n", out[1]);
  cudaFree(flag), cudaFree(out);
}
