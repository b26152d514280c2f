// Elements that loops touch again and again live in registers. No pointer overlaps another here, by promise.
// RUN: %hone opt %s --recipe promote --assume-noalias -o %t.cu 2>&1 | FileCheck --check-prefix=REMARK %s
// RUN: FileCheck %s < %t.cu
// RUN: %clang_cuda_ptx %t.cu
// RUN: %hone verify %s --recipe promote --assume-noalias | FileCheck --check-prefix=SAME %s
// SAME-NOT: {{NOT EQUAL|not run}}
// SAME-COUNT-12: kernel `{{[a-z_]+}}`: equal in

// A value given before the loop is the register's first.
// REMARK: promote.cu:[[@LINE+7]]: kernel `product`: c[y * w + x] lives in a register during L1: it is read and written in every iteration
// REMARK-NEXT: promote.cu:[[@LINE+1]]: kernel `product`: rewritten
__global__ void product(const float* a, const float* b, float* c, int w) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < w && y < w) {
    c[y * w + x] = 0;
    for (int i = 0; i < w; ++i) c[y * w + x] += a[y * w + i] * b[i * w + x];
  }
}
// CHECK-LABEL: void product(
// CHECK: // c[y * w + x] is read and written in every iteration: it lives in a register while the loop runs.
// CHECK-NEXT: float c_value = 0;
// CHECK-NEXT: for (int i = 0; i < w; ++i) {
// CHECK-NEXT: c_value += a[y * w + i] * b[i * w + x];
// CHECK-NEXT: }
// CHECK-NEXT: c[y * w + x] = c_value;

// A loop without iterations loads and stores nothing.
__global__ void no_iteration(float* c, const float* a, int n, int m) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    for (int j = 0; j < m; ++j) c[i] += a[j * n + i];
}
// CHECK-LABEL: void no_iteration(
// CHECK: if (m > 0) {
// CHECK-NEXT: float c_sum = c[i];
// CHECK-NEXT: for (int j = 0; j < m; ++j) {
// CHECK-NEXT: c_sum += a[j * n + i];
// CHECK-NEXT: }
// CHECK-NEXT: c[i] = c_sum;
// CHECK-NEXT: }

__global__ void scaled(float* c, const float* a, const float* b, int n, float alpha, float beta) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < n && y < n) {
    c[y * n + x] *= beta;
    for (int k = 0; k < n; k++) c[y * n + x] += alpha * a[y * n + k] * b[k * n + x];
  }
}
// CHECK-LABEL: void scaled(
// CHECK: float c_value = c[y * n + x];
// CHECK-NEXT: c_value *= beta;
// CHECK: c[y * n + x] = c_value;

// What was not stored for certain is stored where it was.
__global__ void best(int* m, const int* a, int n, int k) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  for (int j = 0; j < k; ++j)
    if (a[i * k + j] > m[i]) m[i] = a[i * k + j];
}
// CHECK-LABEL: void best(
// CHECK: int m_value = m[i];
// CHECK-NEXT: bool m_stored = false;
// CHECK: m_stored = true;
// CHECK: if (m_stored) {
// CHECK-NEXT: m[i] = m_value;

// The outermost loop that keeps the element.
__global__ void nested(double* y, const double* a, int n, int r, int c) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  for (int p = 0; p < r; ++p)
    for (int q = 0; q < c; ++q) y[i] += a[(p * c + q) * n + i];
}
// CHECK-LABEL: void nested(
// CHECK: double y_sum;
// CHECK-NEXT: if (r > 0 && c > 0) {
// CHECK-NEXT: y_sum = y[i];
// CHECK: for (int p = 0; p < r; ++p) {
// CHECK: y_sum += a[(p * c + q) * n + i];
// CHECK: if (r > 0 && c > 0) {
// CHECK-NEXT: y[i] = y_sum;

// Only read: loaded once.
__global__ void factor(float* y, const float* x, const float* s, int n, int m) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float t = 0;
  for (int j = 0; j < m; ++j) t += x[j] * s[i];
  y[i] = t;
}
// CHECK-LABEL: void factor(
// CHECK: // s[i] is the same in every iteration: loaded once.
// CHECK: const float s_value = s[i];
// CHECK: t += x[j] * s_value;

// What follows the loop uses the register too; its own store is the last one.
__global__ void follows(float* y, float* x, const float* a, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    x[i] = 0;
    for (int j = 0; j < n; ++j) {
      x[i] += a[i * n + j];
      y[i] = a[j * n + i] + y[i] * 0.5f;
    }
    y[i] = 2.0f * x[i] + y[i];
  }
}
// CHECK-LABEL: void follows(
// CHECK: float x_value = 0;
// CHECK: float y_value = y[i];
// CHECK: x_value += a[i * n + j];
// CHECK-NEXT: y_value = a[j * n + i] + y_value * 0.5f;
// CHECK-NEXT: }
// CHECK-NEXT: y[i] = 2.0f * x_value + y_value;
// CHECK-NEXT: x[i] = x_value;

// Neighbours that the loop touches too.
__global__ void neighbours(float* y, const float* a, int n) {
  int i = threadIdx.x;
  if (i < n)
    for (int j = 0; j < n; ++j) y[2 * i] += a[j] * y[2 * i + 1];
}
// CHECK-LABEL: void neighbours(
// CHECK: y_sum += a[j] * y_value;

// Shared memory, until the barrier after the loop.
__global__ void shared_sum(float* out, const float* in, int n) {
  __shared__ float s[128];
  int t = threadIdx.x;
  s[t] = 0;
  for (int i = t; i < n; i += 128) s[t] += in[i];
  __syncthreads();
  for (int h = 64; h > 0; h >>= 1) {
    if (t < h) s[t] += s[t + h];
    __syncthreads();
  }
  if (t == 0) out[blockIdx.x] = s[0];
}
// CHECK-LABEL: void shared_sum(
// CHECK: float s_value = 0;
// CHECK-NEXT: for (int i = t; i < n; i += 128) {
// CHECK-NEXT: s_value += in[i];
// CHECK-NEXT: }
// CHECK-NEXT: s[t] = s_value;
// CHECK-NEXT: __syncthreads();

// Fields by themselves; breaks leave through the store.
__global__ void fields(float4* p, const float* m, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    for (int j = 0; j < n; ++j) {
      p[i].x += m[j];
      p[i].y += m[j] * p[i].w;
      if (p[i].x > 20.0f) break;
    }
}
// CHECK-LABEL: void fields(
// CHECK: p_x_sum += m[j];
// CHECK-NEXT: p_y_sum += m[j] * p_w_value;
// CHECK-NEXT: if (p_x_sum > 20.0f) {
// CHECK: p[i].y = p_y_sum;

// A barrier in the loop is no matter where every thread has elements of its own.
__global__ void tiles(const float* a, float* c, int n) {
  __shared__ float s[64];
  int t = threadIdx.x, i = blockIdx.x * 64 + t;
  for (int j = 0; j < n; ++j) {
    s[t] = a[j * 64 + t];
    __syncthreads();
    c[i] += s[63 - t];
    __syncthreads();
  }
}
// CHECK-LABEL: void tiles(
// CHECK: c_sum += s[63 - t];

// Rows of a sparse matrix: bounds from memory.
__global__ void rows(const int* start, const int* column, const float* value, const float* x, float* y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    y[i] = 0;
    for (int j = start[i]; j < start[i + 1]; ++j) y[i] += value[j] * x[column[j]];
  }
}
// CHECK-LABEL: void rows(
// CHECK: float y_value = 0;
// CHECK: y_value += value[j] * x[column[j]];
// CHECK: y[i] = y_value;
