// What must hold of a launch so that pointers may move along, and cannot be tested.
// RUN: %hone opt %s --recipe 'move-pointers(a)' -o - 2>&1 >/dev/null | FileCheck %s

#define ID int x = blockIdx.x * blockDim.x + threadIdx.x

// CHECK: :[[#@LINE+4]]: kernel `shares`: left alone: a divisor must be positive, which cannot be made sure of before the launch
__global__ void shares(const float* __restrict__ a, float* __restrict__ o, int n, int2 m) {
  ID;
  float s = 0;
  for (int i = 0; i < n / m.x; ++i) s += a[i];
  o[x] = s;
}

// CHECK: :[[#@LINE+4]]: kernel `forwards`: left alone: a loop must step forwards, which cannot be made sure of before the launch
__global__ void forwards(const float* __restrict__ a, float* __restrict__ o, int n, int2 m) {
  ID;
  float s = 0;
  for (int k = 0; k < n; k += m.x)
    for (int i = 0; i < n; ++i) s += a[i];
  o[x] = s;
}
