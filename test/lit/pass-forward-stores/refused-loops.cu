// Loops whose iterations, or what they rely on, forward-stores cannot count.
// RUN: %hone opt %s --recipe forward-stores -o - 2>&1 >/dev/null | FileCheck %s

// CHECK: :[[#@LINE+6]]: kernel `pitched`: left alone: what L1 relies on cannot be tested before the launch
__global__ void pitched(float* __restrict__ x, const float* __restrict__ a, uint2 size) {
  unsigned t = blockIdx.x * blockDim.x + threadIdx.x;
  for (int i = 0; i < 8; ++i) {
    float s = a[i];
    for (int j = 0; j < i; ++j) s -= a[i * 8 + j] * x[t * size.x + j];
    x[t * size.x + i] = s;
  }
}

// CHECK: :[[#@LINE+6]]: kernel `everyOther`: left alone: L1.1 is no loop that counts upwards
__global__ void everyOther(float* __restrict__ x, const float* __restrict__ a) {
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  for (int i = 0; i < 8; ++i) {
    float s = a[i];
    for (int j = 0; j < i; j += 2) s -= a[i * 8 + j] * x[t * 8 + j];
    x[t * 8 + i] = s;
  }
}
