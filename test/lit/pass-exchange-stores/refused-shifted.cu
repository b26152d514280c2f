// Runs that begin between two elements.
// RUN: %hone opt %s --recipe 'exchange-stores' --block 64 -o - 2>&1 >/dev/null | FileCheck %s
// CHECK: :[[#@LINE+5]]: kernel `shifted`: left alone: elements of a are not aligned to their size
__global__ void shifted(float* __restrict__ a, int n) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  float* p = (float*)((char*)a + 2);
  if (x < n) {
    p[3 * x] = 1;
    p[3 * x + 1] = 2;
    p[3 * x + 2] = 3;
  }
}
