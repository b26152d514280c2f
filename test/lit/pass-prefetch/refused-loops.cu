// Loops whose headers or tiles prefetch cannot follow.
// RUN: %hone opt %s --recipe prefetch --block 64 -o - 2>&1 >/dev/null | FileCheck %s
// RUN: %hone opt %s --recipe 'prefetch(to=shared)' --block 64 -o - 2>&1 >/dev/null | FileCheck --check-prefix=SHARED %s

struct Walk {
  int at;
};

// CHECK: :[[#@LINE+6]]: kernel `byField`: left alone: the loop's header is not understood
__global__ void byField(const float* __restrict__ a, float* __restrict__ b, int n) {
  __shared__ float t[64];
  float s = 0;
  Walk w;
  w.at = 0;
  for (int k = 0; k < n; k += 64, w.at += 64) {
    t[threadIdx.x] = a[w.at + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < 64; ++j) s += t[j];
    __syncthreads();
  }
  b[blockIdx.x * 64 + threadIdx.x] = s;
}

// CHECK: :[[#@LINE+6]]: kernel `startsField`: left alone: the loop's header is not understood
__global__ void startsField(const float* __restrict__ a, float* __restrict__ b, int n) {
  __shared__ float t[64];
  float s = 0;
  Walk w;
  int k;
  for (k = 0, w.at = 3; k < n; k += 64) {
    t[threadIdx.x] = a[w.at + k + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < 64; ++j) s += t[j];
    __syncthreads();
  }
  b[blockIdx.x * 64 + threadIdx.x] = s;
}

// CHECK: :[[#@LINE+5]]: kernel `below`: left alone: a loop that fills the tile has no number of iterations that is known
__global__ void below(const float* __restrict__ a, float* __restrict__ b, int n, int m) {
  __shared__ float t[64];
  float s = 0;
  for (int k = 0; k < n; k += 64) {
    for (int i = m; i < 64; i += 64) t[i] = a[k + i];
    __syncthreads();
    for (int j = 0; j < 64; ++j) s += t[j];
    __syncthreads();
  }
  b[blockIdx.x * 64 + threadIdx.x] = s;
}

// SHARED: :[[#@LINE+4]]: kernel `gathers`: left alone: t may be read as an earlier iteration left it: the address of t#2 is not understood
__global__ void gathers(const float* __restrict__ a, float* __restrict__ b, const int* __restrict__ at, int n) {
  __shared__ float t[64];
  float s = 0;
  for (int k = 0; k < n; k += 64) {
    t[threadIdx.x] = a[k + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < 64; ++j) s += t[at[j]];
    __syncthreads();
  }
  b[blockIdx.x * 64 + threadIdx.x] = s;
}
// CHECK: :[[#@LINE+4]]: kernel `counter`: left alone: k changes inside the loop
__global__ void counter(const float* __restrict__ a, float* __restrict__ b, int n) {
  __shared__ float t[64];
  float s = 0;
  for (int k = 0; k < n; k += 64) {
    t[threadIdx.x] = a[k + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < 64; ++j) s += t[j];
    if (s > 100) k += 64;
    __syncthreads();
  }
  b[blockIdx.x * 64 + threadIdx.x] = s;
}

// CHECK: :[[#@LINE+6]]: kernel `pointed`: left alone: the address of at is taken
__global__ void pointed(const float* __restrict__ a, float* __restrict__ b, int n) {
  __shared__ float t[64];
  float s = 0;
  int at = 0;
  int* p = &at;
  for (int k = 0; k < n; k += 64) {
    t[threadIdx.x] = a[at + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < 64; ++j) s += t[j];
    *p += 64;
    __syncthreads();
  }
  b[blockIdx.x * 64 + threadIdx.x] = s;
}
