// Reasons for which forward-stores leaves a kernel alone.
// RUN: %hone opt %s --recipe 'forward-stores(iterations=4)' 2>&1 >/dev/null | FileCheck %s
// RUN: %hone opt %s --recipe 'forward-stores(iterations=100)' --kernel waits 2>&1 >/dev/null | FileCheck --check-prefix=MANY %s
// MANY: kernel `waits`: left alone: 100 iterations are too many to unroll

// CHECK: kernel `plain`: left alone: no loop reads back what it stored in earlier iterations
__global__ void plain(float* y) { y[threadIdx.x] += y[threadIdx.x + 64]; }

// CHECK: refused.cu:[[@LINE+3]]: kernel `ahead`: left alone: nothing in L1 reads back what y#1 stored in an earlier iteration
__global__ void ahead(float* y, int n) {
  for (int i = 0; i < n; ++i)
    y[i * 64 + threadIdx.x] = y[(i + 1) * 64 + threadIdx.x];
}

// What threads on one side stored is not what the thread itself stored.
// CHECK: kernel `neighbour`: left alone: nothing in L1 reads back what y#1 stored in an earlier iteration
__global__ void neighbour(float* y, int n) {
  for (int i = 1; i < n; ++i) y[i * 64 + threadIdx.x] = y[(i - 1) * 64 + threadIdx.x + 1];
}

// CHECK: kernel `twice`: left alone: y#3 may store to y too
__global__ void twice(float* y, int n) {
  for (int i = 0; i < n; ++i) {
    float t = 1;
    for (int k = 0; k < i; ++k) t += y[k * 64 + threadIdx.x];
    y[i * 64 + threadIdx.x] = t;
    if (t > 2) y[threadIdx.x] = 0;
  }
}

// CHECK: kernel `waits`: left alone: threads wait for each other in L1
__global__ void waits(float* y, int n) {
  for (int i = 0; i < n; ++i) {
    float t = 1;
    for (int k = 0; k < i; ++k) t += y[k * 64 + threadIdx.x];
    y[i * 64 + threadIdx.x] = t;
    __syncthreads();
  }
}

// CHECK: kernel `leaves`: left alone: iterations of L1 may end before their end
__global__ void leaves(const float* a, float* y, int n) {
  for (int i = 0; i < n; ++i) {
    float t = a[i];
    if (t < 0) continue;
    for (int k = 0; k < i; ++k) t += y[k * 64 + threadIdx.x];
    y[i * 64 + threadIdx.x] = t;
  }
}

// CHECK: kernel `counts`: left alone: L1.1 is no loop that counts upwards
__global__ void counts(float* y, int n) {
  for (int i = n - 1; i >= 0; --i) {
    float t = 1;
    for (int k = n - 1; k > i; --k) t += y[k * 64 + threadIdx.x];
    y[i * 64 + threadIdx.x] = t;
  }
}

// CHECK: kernel `unknown`: left alone: what L1 relies on cannot be tested before the launch
__global__ void unknown(const int* a, float* y) {
  int n = a[0];
  for (int i = 0; i < n; ++i) {
    float t = 1;
    for (int k = 0; k < i; ++k) t += y[k * 64 + threadIdx.x];
    y[i * 64 + threadIdx.x] = t;
  }
}

// CHECK: kernel `long_inner`: left alone: the iterations of L1.1 are no number when L1 is unrolled
__global__ void long_inner(float* y, int n, int m) {
  for (int i = 0; i < n; ++i) {
    float t = 1;
    for (int k = 0; k < m; ++k)
      if (k < i) t += y[k * 64 + threadIdx.x];
    y[i * 64 + threadIdx.x] = t;
  }
}

// CHECK: kernel `moves`: left alone: where L1 begins may change while it runs
__global__ void moves(float* y, int n, int first) {
  for (int i = first; i < n; ++i) {
    float t = 1;
    for (int k = 0; k < i - first; ++k) t += y[k * 64 + threadIdx.x];
    y[(i - first) * 64 + threadIdx.x] = t;
    if (t > 1e30f) first = first + 0;
  }
}

// CHECK: kernel `one_place`: left alone: iterations of L1 may store to one element
__global__ void one_place(float* y) {
  int j = threadIdx.x;
  for (int i = 0; i < 4; ++i) {
    float t = 1;
    for (int k = 0; k < i; ++k) t += y[k * j + j * 64];
    y[i * j + j * 64] = t;
  }
}

// CHECK: kernel `seven`: left alone: L1 has 7 iterations
__global__ void seven(float* y) {
  for (int i = 0; i < 7; ++i) {
    float t = 1;
    for (int k = 0; k < i; ++k) t += y[k * 64 + threadIdx.x];
    y[i * 64 + threadIdx.x] = t;
  }
}
