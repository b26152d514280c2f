// Sums over earlier iterations that cannot be turned round.
// RUN: %hone opt %s --recipe 'forward-stores(order=push)' 2>&1 >/dev/null | FileCheck %s

// Not all earlier iterations, or more than a sum.
// CHECK: kernel `one_before`: left alone: no loop in L1 sums up what all earlier iterations stored
#pragma hone grid(2) block(32)
__global__ void one_before(float* y) {
  int j = blockIdx.x * blockDim.x + threadIdx.x;
  for (int i = 1; i < 8; ++i) {
    float t = y[i * 64 + j];
    if (i > 1) t += y[(i - 1) * 64 + j];
    y[i * 64 + j] = t;
  }
}
// CHECK: kernel `not_all`: left alone: no loop in L1 sums up what all earlier iterations stored
#pragma hone grid(2) block(32)
__global__ void not_all(float* y) {
  int j = blockIdx.x * blockDim.x + threadIdx.x;
  for (int i = 0; i < 8; ++i) {
    float t = y[i * 64 + j];
    for (int k = 1; k < i; ++k) t += y[k * 64 + j];
    y[i * 64 + j] = t;
  }
}
// CHECK: kernel `two_values`: left alone: no loop in L1 sums up what all earlier iterations stored
#pragma hone grid(2) block(32)
__global__ void two_values(float* y) {
  int j = blockIdx.x * blockDim.x + threadIdx.x;
  for (int i = 0; i < 8; ++i) {
    float t = y[i * 64 + j], most = 0;
    for (int k = 0; k < i; ++k) t += y[k * 64 + j], most = fmaxf(most, t);
    y[i * 64 + j] = t + most;
  }
}
// What the sum is in between is used.
// CHECK: kernel `uses`: left alone: no loop in L1 sums up what all earlier iterations stored
#pragma hone grid(2) block(32)
__global__ void uses(float* y) {
  int j = blockIdx.x * blockDim.x + threadIdx.x;
  for (int i = 0; i < 8; ++i) {
    float t = y[i * 64 + j];
    float half = t / 2;
    for (int k = 0; k < i; ++k) t += y[k * 64 + j];
    y[i * 64 + j] = t + half;
  }
}
// CHECK: kernel `begins`: left alone: what t begins with is worked out in the iterations
#pragma hone grid(2) block(32)
__global__ void begins(float* y) {
  int j = blockIdx.x * blockDim.x + threadIdx.x;
  float last = 1;
  for (int i = 0; i < 8; ++i) {
    float t = last;
    for (int k = 0; k < i; ++k) t += y[k * 64 + j];
    y[i * 64 + j] = t;
    last = t;
  }
}
// CHECK: kernel `sums`: left alone: what L1.1 sums up is worked out in the iterations
#pragma hone grid(2) block(32)
__global__ void sums(float* y) {
  int j = blockIdx.x * blockDim.x + threadIdx.x;
  float last = 1;
  for (int i = 0; i < 8; ++i) {
    float t = 0;
    for (int k = 0; k < i; ++k) t += y[k * 64 + j] * last;
    y[i * 64 + j] = t + 1;
    last = t;
  }
}
// Iterations in between may store to what the sum reads.
// CHECK: kernel `stored`: left alone: y#2 cannot be read in an earlier iteration: an earlier one may store to y#3
#pragma hone grid(2) block(32)
__global__ void stored(float* y) {
  int j = blockIdx.x * blockDim.x + threadIdx.x;
  for (int i = 0; i < 8; ++i) {
    float t = 1;
    for (int k = 0; k < i; ++k) t += y[k * 64 + j] * y[(7 - i) * 64 + j];
    y[i * 64 + j] = t;
  }
}
// CHECK: kernel `fetched`: left alone: y#1 cannot be read in an earlier iteration: it is no plain load
#pragma hone grid(2) block(32)
__global__ void fetched(float* y, const int* __restrict__ p) {
  int j = blockIdx.x * blockDim.x + threadIdx.x;
  for (int i = 0; i < 8; ++i) {
    float t = y[p[i] & 7];
    for (int k = 0; k < i; ++k) t += y[k * 64 + j];
    y[i * 64 + j] = t;
  }
}
