// Pointers that nothing is promised of: the promoted kernel runs where a test before the launch says that they lie apart.
// RUN: %hone verify %s --recipe promote | FileCheck %s
// RUN: %hone verify %s --recipe promote --kernel product --set w=37 --alias c=a+1369 | FileCheck --check-prefix=NEXT %s
// RUN: %hone verify %s --recipe promote --kernel sums --set n=40 --grid 1 --block 64 --alias y=x+1 --exact | FileCheck --check-prefix=OVER %s
// RUN: %hone verify %s --recipe promote --kernel sums --set n=40 --grid 1 --block 64 --alias x=y+39 --exact | FileCheck --check-prefix=OVER %s
// Without the test the result would be wrong:
// RUN: not %hone verify %s --recipe promote --assume-noalias --kernel sums --set n=40 --grid 1 --block 64 --alias y=x+1 --exact | FileCheck --check-prefix=WRONG %s
// CHECK: kernel `product`: equal
// CHECK: kernel `sums`: equal
// CHECK: kernel `unguarded`: equal
// CHECK: kernel `wide`: equal
// NEXT: kernel `product`: equal
// OVER: kernel `sums`: equal
// WRONG: kernel `sums`: NOT EQUAL

// RUN: %hone opt %s --recipe promote 2>&1 >/dev/null | FileCheck --check-prefix=REMARK %s
// REMARK: kernel `product`: c[y * w + x] lives in a register during L1: it is read and written in every iteration (before the launch it is tested that `c` and `a`, `c` and `b` do not overlap)
__global__ void product(const float* a, const float* b, float* c, int w) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < w && y < w) {
    c[y * w + x] = 0;
    for (int i = 0; i < w; ++i) c[y * w + x] += a[y * w + i] * b[i * w + x];
  }
}

// One thread: its own store is read again.
__global__ void sums(const float* x, float* y, int n) {
  if (threadIdx.x == 0 && blockIdx.x == 0)
    for (int j = 0; j < n; ++j) y[0] += x[j];
}

__global__ void unguarded(const float* x, float* y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  for (int j = 0; j < n; ++j) y[i] += x[j];
}

__global__ void wide(const double* x, double* y, size_t n) {
  size_t i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    for (size_t j = 0; j < n; ++j) y[i] += x[i * n + j];
}
