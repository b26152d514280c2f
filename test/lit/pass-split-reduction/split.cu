// Iterations of a sum shared by several threads: every kind of sum, any begin and step, loops without iterations, ragged sizes.
// RUN: %hone verify %s --recipe split-reduction --reassociate | FileCheck --check-prefix=SAME %s
// RUN: %hone verify %s --recipe 'split-reduction(over=block)' --reassociate | FileCheck --check-prefix=SAME %s
// RUN: %hone verify %s --recipe 'split-reduction(over=grid, ways=3)' --reassociate --kernel rows | FileCheck --check-prefix=ONE %s
// RUN: %hone verify %s --recipe 'split-reduction(over=grid, ways=3)' --kernel whole | FileCheck --check-prefix=WHOLE %s
// RUN: %hone verify %s --recipe 'split-reduction(over=grid, ways=2)' --kernel window --set w=19 --set h=7 --set r=9 --exact | FileCheck --check-prefix=WINDOW %s
// WINDOW: kernel `window`: equal in
// RUN: %hone verify %s --recipe 'block(x=64) split-reduction(L1, rows=1)' --reassociate --kernel rows | FileCheck --check-prefix=ONE %s
// SAME-NOT: NOT EQUAL
// SAME-COUNT-9: kernel `{{[a-z_]+}}`: equal in
// ONE: kernel `rows`: equal in
// Whole numbers keep their bits without permission.
// RUN: %hone verify %s --recipe split-reduction --kernel whole | FileCheck --check-prefix=WHOLE %s
// WHOLE: kernel `whole`: equal in
// RUN: %hone opt %s --recipe split-reduction --kernel rows --reassociate 2>/dev/null | FileCheck %s
// RUN: %hone opt %s --recipe 'split-reduction(over=block, ways=256)' --kernel rows --reassociate 2>/dev/null | FileCheck --check-prefix=BLOCK %s
// RUN: %hone opt %s --recipe 'split-reduction(over=grid, ways=8)' --kernel rows --reassociate 2>/dev/null | FileCheck --check-prefix=GRID %s
// RUN: %hone opt %s --recipe split-reduction --reassociate 2>&1 >/dev/null | FileCheck --check-prefix=REMARK %s
// REMARK: split.cu:[[@LINE+5]]: kernel `rows`: the iterations of L1 (sum) are shared by the 32 lanes of a warp
__global__ void rows(const float* a, const float* x, float* y, int w, int h) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < h) {
    float sum = 0;
    for (int j = 0; j < w; ++j) sum += a[i * w + j] * x[j];
    y[i] = sum;
  }
}
// CHECK: constexpr int kLanes = 32;
// CHECK-NEXT: constexpr int kRows = 4;
// CHECK: const int lane = {{.*}}threadIdx.x
// CHECK: int i = blockIdx.x * kRows + threadIdx.y;
// CHECK: float sum = 0;
// CHECK: for (int j = lane; j < w; j += kLanes) {
// CHECK-NEXT: sum += a[i * w + j] * x[j];
// CHECK: #pragma unroll
// CHECK-NEXT: for (int offset = kLanes / 2; offset > 0; offset /= 2) {
// CHECK: __shfl_xor_sync(0xffffffff{{u?}}, sum, offset)
// CHECK: if (lane == 0) {
// CHECK-NEXT: y[i] = sum;

// BLOCK: __shared__ float sum_parts[kThreads];
// BLOCK: int i = blockIdx.x;
// BLOCK: for (int j = lane; j < w; j += kThreads) {
// BLOCK: sum_parts[lane] = sum;
// BLOCK-NEXT: __syncthreads();
// BLOCK-NEXT: for (int half = kThreads / 2; half > 0; half /= 2) {
// BLOCK-NEXT: if (lane < half) {
// BLOCK-NEXT: sum_parts[lane] += sum_parts[lane + half];
// BLOCK-NEXT: }
// BLOCK-NEXT: __syncthreads();
// BLOCK: if (lane == 0) {

// GRID: sum_partial[
// GRID: for (int part = 0; part < kParts; ++part) {

__global__ void whole(const int* a, int* y, int w, int h) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= h) return;
  int sum = 3, most = -100, bits = 0;
  for (int j = 2; j <= w; j += 3) {
    int v = a[i * (w + 1) + j];
    sum += v;
    if (v > most) most = v;
    bits ^= v * j;
  }
  y[i] = y[i] * 2 + sum + 7 * most + bits;
}

__global__ void products(const double* a, double* y, size_t w, size_t h, size_t from) {
  size_t i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= h) return;
  double p = 1, m = 1e30;
  for (size_t j = from; j < w; j++) {
    p *= 0.5 + a[i * w + j];
    m = fmin(m, a[i * w + j]);
  }
  y[i] = p + m;
}

// Bounds from memory.
__global__ void sparse(const int* start, const int* column, const int* value, const int* x, int* y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    int sum = x[i];
    for (int j = start[i]; j < start[i + 1]; ++j) sum += value[j] * x[column[j]];
    y[i] = sum;
  }
}

// Nested loops, small types, two axes.
__global__ void window(const short* a, unsigned char* out, int w, int h, int r) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < w && y < h) {
    unsigned char sum = 1;
    bool any = false;
    for (int dy = 0; dy < r % 5; ++dy)
      for (int dx = 0; dx < 3; ++dx) {
        sum += a[(y + dy) * (w + 3) + x + dx];
        any |= a[(y + dy) * (w + 3) + x + dx] > 90;
      }
    out[y * w + x] = any ? sum : 7;
  }
}

// No guard: as many threads as there were.
__global__ void unguarded(const long long* a, long long* y, unsigned n) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  long long s = 0;
  for (unsigned j = 0; j < n; ++j) s ^= a[i * n + j];
  y[i] = s;
}

__global__ void fused(const float* a, const float* b, float* y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    float re = 0, im = 0;
    for (int j = 0; j < n; ++j) {
      re = fmaf(a[j * n + i], b[j], re);
      im = im - a[j * n + i] * b[j];
    }
    y[i] = re * im;
  }
}

// A variable declared before the loop, as C once wanted it.
__global__ void old_style(const int* a, int* y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x, j;
  if (i < n) {
    int sum = 0;
    for (j = 0; j < n; j++) {
      sum += a[i * n + j];
    }
    y[i] = sum;
  }
}

// Downwards.
__global__ void down(const int* a, int* y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    int sum = 0, mask = -1;
    for (int j = n - 1; j >= 0; j -= 2) {
      sum += a[i * n + j] * j;
      mask &= a[i * n + j] | j;
    }
    y[i] = sum + mask;
  }
}
