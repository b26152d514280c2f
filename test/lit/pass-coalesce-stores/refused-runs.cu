// What threads write is no run of neighbouring elements.
// RUN: %hone opt %s --recipe 'coalesce-stores' --block 64 -o - 2>&1 >/dev/null | FileCheck %s

// They begin between two elements.
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

// CHECK: :[[#@LINE+4]]: kernel `apart`: left alone: neighbouring threads do not write neighbouring runs of a
__global__ void apart(float* __restrict__ a, int n, int m) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  if (x < n) {
    a[3 * x] = 1;
    a[3 * x + m] = 2;
    a[3 * x + 2] = 3;
  }
}

// CHECK: :[[#@LINE+4]]: kernel `holes`: left alone: threads leave out elements of a between those that they write
__global__ void holes(float* __restrict__ a, int n) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  if (x < n) {
    a[3 * x] = 1;
    a[3 * x + 2] = 3;
  }
}
