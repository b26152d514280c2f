// Numbers that outgrow 64 bits in the analysis leave a fact unknown, and explain goes on.
// RUN: %hone explain %s | FileCheck %s
// CHECK: kernel `k`
// CHECK: a#1
__device__ int next(int* state) {
  *state = *state * 1103515245 + 12345;
  return *state >> 16;
}
__global__ void k(int* a, const int* b) {
  int s = b[threadIdx.x], i = 0;
  int y = s > 0 ? next(&s) : (i = 3, i + s);
  bool both = next(&s) > 10 && next(&s) > 20;
  int v[3] = {b[0], 5, next(&s)};
  a[next(&s) & 7] += y * 2 + both + v[2];
}
