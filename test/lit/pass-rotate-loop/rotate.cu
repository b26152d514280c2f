// Blocks begin a sum at iterations of their own: any number of iterations, any begin and step, strips of staged loops.
// RUN: %hone verify %s --recipe rotate-loop --reassociate | FileCheck --check-prefix=SAME %s
// RUN: %hone verify %s --recipe 'rotate-loop(width=3)' --reassociate | FileCheck --check-prefix=SAME %s
// RUN: %hone verify %s --recipe 'rotate-loop(L1, width=7, axis=y)' --reassociate | FileCheck --check-prefix=SAME %s
// SAME-NOT: {{NOT EQUAL|not run}}
// SAME-COUNT-8: kernel `{{[a-z_]+}}`: equal in
// Whole numbers keep their bits without permission, sums of floats do not.
// RUN: %hone verify %s --recipe rotate-loop --kernel whole | FileCheck --check-prefix=WHOLE %s
// RUN: %hone opt %s --recipe rotate-loop 2>&1 >/dev/null | FileCheck --check-prefix=ORDER %s
// WHOLE: kernel `whole`: equal in
// ORDER: rotate.cu:[[@LINE+10]]: kernel `rows`: left alone: the order of the sum sum would change; pass --reassociate to permit it
// The order does change: bits differ for sums of floats.
// RUN: not %hone verify %S/Inputs/order.cu --kernel rows --with rotated --set w=512 --set h=64 --exact | FileCheck --check-prefix=BITS %s
// RUN: %hone verify %S/Inputs/order.cu --kernel rows --with rotated --set w=512 --set h=64 --exact --reassociate | FileCheck --check-prefix=NEAR %s
// BITS: kernel `rows`: NOT EQUAL
// NEAR: kernel `rows`: equal in
__global__ void rows(const float* a, const float* x, float* y, int w, int h) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < h) {
    float sum = 0;
    for (int j = 0; j < w; ++j) sum += a[i * w + j] * x[j];
    y[i] = sum;
  }
}

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
  y[i] = sum + 7 * most + bits;
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

// Strips: whole ones change places, the ragged last one among them.
__global__ void tiled(const float* a, const float* b, float* c, int n) {
  __shared__ float as[16][16], bs[16][16];
  int tx = threadIdx.x, ty = threadIdx.y, x = blockIdx.x * 16 + tx, y = blockIdx.y * 16 + ty;
  float sum = 0;
  for (int k0 = 0; k0 < n; k0 += 16) {
    if (y < n && k0 + tx < n) as[ty][tx] = a[y * n + k0 + tx];
    if (x < n && k0 + ty < n) bs[ty][tx] = b[(k0 + ty) * n + x];
    __syncthreads();
    if (x < n && y < n)
      for (int k = k0; k < min(k0 + 16, n); ++k) sum += as[ty][k - k0] * bs[k - k0][tx];
    __syncthreads();
  }
  if (x < n && y < n) c[y * n + x] = sum;
}

// Sums of an array of the thread's own, and several in nested loops.
__global__ void four(const float* a, float* y, int w, int h) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= h) return;
  float sum[4] = {0, 0, 0, 0};
  for (int j = 0; j < w; ++j)
    for (int k = 0; k < 4; ++k) sum[k] += a[(i * w + j) * 4 + k];
  y[i] = sum[0] * sum[1] + sum[2] * sum[3];
}

// Iterations that are skipped, logic, and a bound that may lie below the begin.
__global__ void skips(const int* a, int* y, int lo, int hi, int h) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= h) return;
  int sum = 0;
  bool any = false;
  for (int j = lo; j < hi; ++j) {
    if (a[j] % 3 == 0) continue;
    sum = a[j] - j + sum;
    any = any || a[j] > 5;
  }
  y[i] = any ? sum : -sum;
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
