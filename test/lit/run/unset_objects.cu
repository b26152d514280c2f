// A constructor that sets nothing reads nothing: of elements of arrays, of members, of arrays of a kernel.
// RUN: %hone run %s 2>&1 | FileCheck %s
// CHECK-NOT: uninitialised
// CHECK: 103
// CHECK-NOT: uninitialised
// RUN: %not %hone run -DREADS %s 2>&1 | FileCheck --check-prefix=READS %s
// READS: uninitialised read
#include <stdio.h>
struct Pair {
  float low, up;
  __device__ __host__ Pair() {}
  __device__ __host__ Pair(float a, float b) : low(a), up(b) {}
};
struct Stack {
  Pair held[8];
  Pair last;
  int top;
  __device__ Stack() : top(-1) {}
  __device__ void push(const Pair& p) { held[++top] = last = p; }
  __device__ Pair pop() { return held[top--]; }
};
__global__ void sums(float* out) {
  Stack work;
  for (int i = 0; i < 4; ++i) work.push(Pair(i, threadIdx.x));
  Pair p = work.pop(), q[2];
  q[threadIdx.x % 2].low = 7;
  out[threadIdx.x] = p.low + p.up + q[threadIdx.x % 2].low + work.last.up * 2;
#ifdef READS
  out[threadIdx.x] = q[threadIdx.x % 2].up;
#endif
}
int main() {
  float* out;
  cudaMallocManaged(&out, 32 * sizeof(float));
  sums<<<1, 32>>>(out);
  cudaDeviceSynchronize();
  printf("%.0f\n", out[31]);
}
