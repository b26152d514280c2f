// Several iterations between two tests of a loop's end: every form of counting, at sizes that are no multiples.
// RUN: %hone verify %s --recipe unroll | FileCheck --check-prefix=SAME %s
// RUN: %hone verify %s --recipe 'unroll(by=3)' | FileCheck --check-prefix=SAME %s
// RUN: %hone verify %s --recipe 'unroll(by=8)' | FileCheck --check-prefix=SAME %s
// RUN: %hone verify %s --recipe 'unroll(L1, by=5)' --kernel sums --set n=7 --set m=4 | FileCheck --check-prefix=ONE %s
// SAME-NOT: {{NOT EQUAL|not run}}
// SAME-COUNT-9: kernel `{{[a-z_]+}}`: equal in
// ONE: kernel `sums`: equal in
// RUN: %hone opt %s --recipe unroll 2>&1 >/dev/null | FileCheck --check-prefix=REMARK %s
// RUN: %hone opt %s --recipe 'unroll(by=full)' --kernel fixed 2>/dev/null | FileCheck %s

// REMARK: unroll.cu:[[@LINE+5]]: kernel `sums`: unrolled L1: 4 iterations between two tests, a second loop does the rest
__global__ void sums(const float* a, float* y, int n, int m) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float t = 0;
  for (int j = 0; j < m; ++j) t = t * 0.5f + a[j * n + i];
  y[i] = t;
}

__global__ void from_above(const float* a, float* y, size_t n, size_t m, size_t from) {
  size_t i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float t = 0;
  for (size_t j = from; j < m; j += 3) {
    float x = a[j * n + i];
    if (x < 0.1f) continue;
    t = t * 0.5f + x;
  }
  y[i] = t;
}

__global__ void down(const float* a, float* y, int n, int m) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float t = 0;
  for (int j = m - 1; j >= 0; --j) t = t * 0.5f + a[j * n + i];
  for (int j = m; j > 0; j -= 2) t = t * 0.5f + a[j * n + i];
  y[i] = t;
}

// What the head changes besides, and values after the loop.
__global__ void used_after(const float* a, float* y, int n, int m) {
  int i = blockIdx.x * blockDim.x + threadIdx.x, j;
  if (i >= n) return;
  float t = 0;
  int k = m;
  for (j = 1; j <= m; j += 2, --k) t = t * 0.5f + a[j * n + i] * k;
  y[i] = t + j + k;
}

// REMARK: unroll.cu:[[@LINE+5]]: kernel `fixed`: unrolled L1: 4 iterations between two tests, and none are left
__global__ void fixed(const float* a, float* y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float t = 0;
  for (int j = 0; j < 12; ++j) t = t * 0.5f + a[j * n + i];
  for (int s = 4; s > 0; s >>= 1) t += s;
  y[i] = t;
}
// CHECK-LABEL: void fixed(
// CHECK: #pragma unroll{{$}}
// CHECK-NEXT: for (int j = 0; j < 12; ++j) {
// CHECK: #pragma unroll{{$}}
// CHECK-NEXT: for (int s = 4; s > 0; s >>= 1) {

__global__ void unequal(const float* a, float* y, int n, unsigned m) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float t = 0;
  for (unsigned j = 0; j != m; ++j) t = t * 0.5f + a[j * n + i];
  y[i] = t;
}

__global__ void narrow(const float* a, float* y, int n, int lo, unsigned m, short q) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float t = 0;
  for (int j = lo; j < m; ++j) t = t * 0.5f + a[j * n + i];
  for (short j = 1; j < q; j += 2) t = t * 0.5f + a[j * n + i];
  y[i] = t;
}

// A barrier in each iteration.
__global__ void tiles(const float* a, float* y, int n) {
  __shared__ float s[64];
  int t = threadIdx.x;
  float sum = 0;
  for (int j = 0; j < n; ++j) {
    s[t] = a[j * 64 + t];
    __syncthreads();
    sum = sum * 0.5f + s[63 - t];
    __syncthreads();
  }
  y[blockIdx.x * 64 + t] = sum;
}

// Bounds at the end of the type: the test before four iterations must not wrap.
__global__ void at_the_end(unsigned* y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  unsigned t = 0;
  for (int j = 2147483640; j < 2147483647 - (i & 1); ++j) t = t * 3 + j;
  for (int j = -2147483647 - 1 + (i & 7); j > -2147483647 - 1; --j) t = t * 3 + j;
  for (unsigned j = 4294967290u + (i & 3); j < 4294967295u; ++j) t = t * 5 + j;
  for (unsigned j = 3; j < (i & 3); ++j) t = t * 7 + j;
  for (int j = -2147483647; j < i - 2147483640; ++j) t = t * 11 + j;
  y[i] = t;
}
