// What other threads of the block write before the barrier that a loop begins with is there for its first tile too.
// RUN: %hone opt %s --recipe prefetch --kernel refilled | FileCheck %s
// RUN: %hone verify %s --recipe prefetch --kernel refilled --block 64 --exact | FileCheck --check-prefix=EQUAL %s
// RUN: %hone verify %s --recipe 'prefetch(to=shared)' --kernel refilled --block 64 --exact | FileCheck --check-prefix=EQUAL %s
// RUN: %hone verify %s --recipe 'prefetch(to=both)' --kernel refilled --block 64 --exact | FileCheck --check-prefix=EQUAL %s
// RUN: %hone verify %s --recipe 'prefetch(to=async)' --kernel refilled --block 64 --exact | FileCheck --check-prefix=EQUAL %s
// RUN: %hone verify %s --recipe prefetch --kernel strips --block 64 --grid 1 --alias c=a+1 --exact | FileCheck --check-prefix=EQUAL %s
// RUN: %hone verify %s --recipe 'prefetch(to=shared)' --kernel strips --block 64 --grid 1 --alias c=a+1 --exact | FileCheck --check-prefix=EQUAL %s
// RUN: %hone opt %s --recipe prefetch --kernel apart | FileCheck --check-prefix=APART %s
// EQUAL: equal in

// CHECK: float next_strip = 0.0f;
// CHECK-NEXT: __syncthreads();
// CHECK: for (int t = 0
__global__ void refilled(float* a, float* c, int n) {
  __shared__ float strip[64];
  const int first = blockIdx.x * n * 64;
  for (int t = 0; t < n; ++t) a[first + t * 64 + threadIdx.x] *= 2;
  float sum = 0;
  for (int t = 0; t < n; ++t) {
    __syncthreads();
    strip[threadIdx.x] = a[first + t * 64 + 63 - threadIdx.x];
    __syncthreads();
    for (int i = 0; i < 64; ++i) sum += strip[i] * (i + 1);
  }
  c[blockIdx.x * 64 + threadIdx.x] = sum;
}

__global__ void strips(const float* a, float* c, int n) {
  __shared__ float strip[64];
  for (int r = 0; r < 3; ++r) {
    float sum = 0;
    for (int t = 0; t < n; ++t) {
      __syncthreads();
      strip[threadIdx.x] = a[t * 64 + 63 - threadIdx.x];
      __syncthreads();
      for (int i = 0; i < 64; ++i) sum += strip[i] * (i + 1);
    }
    c[r * 64 + threadIdx.x] = sum;
  }
}

// APART: float next_strip = 0.0f;
// APART-NOT: __syncthreads();
// APART: for (int t = 0
__global__ void apart(const float* __restrict__ a, float* __restrict__ c, int n) {
  __shared__ float strip[64];
  for (int r = 0; r < 3; ++r) {
    float sum = 0;
    for (int t = 0; t < n; ++t) {
      __syncthreads();
      strip[threadIdx.x] = a[t * 64 + 63 - threadIdx.x];
      __syncthreads();
      for (int i = 0; i < 64; ++i) sum += strip[i] * (i + 1);
    }
    c[r * 64 + threadIdx.x] = sum;
  }
}
