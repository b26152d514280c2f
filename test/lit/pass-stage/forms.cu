// Subscripts of all forms through shared memory: the same bits at every size, no race, nothing read that the original does not read.
// RUN: %hone verify %s --kernel matmul --recipe 'block(x=16, y=16) stage(a, b)' | FileCheck --check-prefix=MATMUL %s
// RUN: %hone verify %s --kernel matmul --recipe 'block(x=32, y=8) stage(a, depth=8)' | FileCheck --check-prefix=MATMUL %s
// RUN: %hone verify %s --kernel matmul --recipe 'block(x=16, y=16) stage(layout=columns, depth=12)' | FileCheck --check-prefix=MATMUL %s
// RUN: %hone verify %s --kernel matmul --recipe 'block(x=16) stage(a)' --target gtx280 | FileCheck --check-prefix=MATMUL %s
// RUN: %hone verify %s --kernel row_constant --recipe 'block(x=16, y=16) stage' | FileCheck --check-prefix=ROW %s
// RUN: %hone verify %s --kernel column_constant --recipe 'block(x=64) stage' | FileCheck --check-prefix=COLUMN %s
// RUN: %hone verify %s --kernel stride3 --recipe 'block(x=16, y=16) stage' | FileCheck --check-prefix=STRIDE %s
// RUN: %hone verify %s --kernel stride3 --recipe 'block(x=16) stage(a, b, depth=5)' | FileCheck --check-prefix=STRIDE %s
// RUN: %hone verify %s --kernel matvec --recipe 'block(x=64) stage' | FileCheck --check-prefix=MATVEC %s
// RUN: %hone verify %s --kernel matvec --recipe 'block(x=16) stage(pad=0)' | FileCheck --check-prefix=MATVEC %s
// RUN: %hone verify %s --kernel matvec --recipe 'block(x=32) stage(pad=swizzle)' | FileCheck --check-prefix=MATVEC %s
// RUN: %hone verify %s --kernel backwards --recipe 'block(x=32) stage' | FileCheck --check-prefix=BACK %s
// RUN: %hone verify %s --kernel gather --recipe 'block(x=16, y=16) stage(a, pad=1)' | FileCheck --check-prefix=GATHER %s
// RUN: %hone verify %s --kernel gather --block 8x32 --recipe 'stage(a)' | FileCheck --check-prefix=GATHER %s

// MATMUL: kernel `matmul`: equal in {{[0-9]+}} runs
// MATMUL-NOT: the original ran
__global__ void matmul(const float* __restrict__ a, const float* __restrict__ b, float* __restrict__ c, int w) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < w && y < w) {
    float sum = 0;
    for (int i = 0; i < w; ++i) sum += a[y * w + i] * b[i * w + x];
    c[y * w + x] = sum;
  }
}

// A[idy][c]
// ROW: kernel `row_constant`: equal in {{[0-9]+}} runs
// ROW-NOT: the original ran
__global__ void row_constant(const float* __restrict__ a, float* __restrict__ o, int w, int h, int p) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < w && y < h) o[y * w + x] = a[y * p + 3] + a[y * p + 5] * x;
}

// A[idx][c]
// COLUMN: kernel `column_constant`: equal in {{[0-9]+}} runs
// COLUMN-NOT: the original ran
__global__ void column_constant(const float* __restrict__ a, float* __restrict__ o, int n) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  if (x >= n) return;
  float s = 0;
  for (int c = 0; c < 6; ++c) s += a[x * 6 + c];
  o[x] = s;
}

// A[idy][m*i+n]
// STRIDE: kernel `stride3`: equal in {{[0-9]+}} runs
__global__ void stride3(const float* __restrict__ a, const float* __restrict__ b, float* __restrict__ o, int w,
                        int n) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= w || y >= w) return;
  float s = 0;
  for (int i = 0; i < n; i++) s += a[y * (3 * n + 2) + 3 * i + 1] * b[i * w + x];
  o[y * w + x] = s;
}

// A[idx][i] and b[i]
// MATVEC: kernel `matvec`: equal in {{[0-9]+}} runs
// MATVEC-NOT: the original ran
__global__ void matvec(const float* __restrict__ m, const float* __restrict__ v, float* __restrict__ r, int rows,
                       int k) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  if (x < rows) {
    float s = 0;
    for (int i = 0; i < k; i++) s += fabsf(m[x * k + i]) * v[i];
    r[x] = s;
  }
}

// Counts down by two in a variable that lives on; 64-bit ids.
// BACK: kernel `backwards`: equal in {{[0-9]+}} runs
// BACK-NOT: the original ran
__global__ void backwards(const double* __restrict__ a, double* __restrict__ o, size_t w, int n) {
  size_t x = blockIdx.x * (size_t)blockDim.x + threadIdx.x;
  int k;
  double s = 0;
  if (x < w) {
    for (k = n - 1; k >= 0; k -= 2) s += a[k] * x;
    o[x] = s + k;
  }
}

// Neighbours read elements a column apart: no reuse, but rows of the array are read in their order.
// GATHER: kernel `gather`: equal in {{[0-9]+}} runs
// GATHER-NOT: the original ran
__global__ void gather(const short* __restrict__ a, short* __restrict__ o, int w, int h) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < w && y < h) o[y * w + x] = a[x * h + y];
}

// RUN: %hone verify %s --kernel until_equal --recipe 'block(x=32) stage(depth=8)' | FileCheck --check-prefix=UNTIL %s
// RUN: %hone verify %s --kernel down3 --recipe 'block(x=32, y=4) stage(depth=8)' | FileCheck --check-prefix=DOWN %s
// A loop that ends at equality: strips step over its end.
// UNTIL: kernel `until_equal`: equal in {{[0-9]+}} runs
// UNTIL-NOT: the original ran
__global__ void until_equal(const float* __restrict__ a, float* __restrict__ o, int n) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  if (x >= n) return;
  float s = 0;
  for (int i = 0; i != n; ++i) s += a[i] * x;
  for (int i = n; i != 0; --i) s -= a[i - 1] * i;
  o[x] = s;
}

// DOWN: kernel `down3`: equal in {{[0-9]+}} runs
__global__ void down3(const long long* __restrict__ q, const float* __restrict__ r, float* __restrict__ o, size_t w,
                      size_t h, size_t k) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= w || y >= h) return;
  float s = 2;
  for (int i = (int)k - 1; i >= 0; i -= 3) s += q[y * k + i] * r[i * h + y];
  o[y * w + x] = s;
}
