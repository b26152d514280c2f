// Addresses of instances of templates that only lists and variables of the device take: among functions, in records, in
// lists of lists, as members, and in variables that are instances themselves.
// RUN: %hone run %s | FileCheck %s
// CHECK: 7 12 -1 10 7 12 2 4 12
#include <cstdio>
template <class T>
__device__ T add(T a, T b) { return a + b; }
template <class T>
__device__ T mul(T a, T b) { return a * b; }
template <class T>
struct Ops {
  static __device__ T sub(T a, T b) { return a - b; }
};
__device__ int twice(int a, int b) { return 2 * a + b; }
template <class T>
using Op = T (*)(T, T);
__device__ Op<float> floats[] = {add<float>, mul<float>};
__device__ Op<int> mixed[] = {Ops<int>::sub, twice};
__constant__ Op<long> nested[2][1] = {{add<long>}, {&mul<long>}};
struct Named {
  int id;
  Op<short> op;
};
__device__ Named named[2] = {{2, add<short>}};
template <class T>
__device__ Op<T> chosen = mul<T>;
__global__ void calls(float* out, int n) {
  out[0] = floats[n](3, 4), out[1] = floats[n + 1](3, 4);
  out[2] = mixed[n](3, 4), out[3] = mixed[n + 1](3, 4);
  out[4] = nested[n][n](3, 4), out[5] = nested[n + 1][n](3, 4);
  out[6] = named[n].id, out[7] = named[n].op(1, 3);
  out[8] = chosen<double>(3, 4);
}
int main() {
  float* out;
  cudaMallocManaged(&out, 9 * sizeof(float));
  calls<<<1, 1>>>(out, 0);
  cudaDeviceSynchronize();
  for (int i = 0; i < 9; ++i) std::printf("%g%c", out[i], i < 8 ? ' ' : '\n');
}
