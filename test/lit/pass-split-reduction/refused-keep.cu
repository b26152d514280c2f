// Reasons for which the elements of a row do not stay in registers.
// RUN: %hone opt %s --recipe 'split-reduction(keep=8)' --reassociate --no-verify 2>&1 >/dev/null | FileCheck %s
// RUN: %hone opt %s --recipe 'split-reduction(over=grid, keep=8)' --kernel norm --reassociate --no-verify 2>&1 >/dev/null | FileCheck --check-prefix=GRID %s
// RUN: %hone opt %s --recipe 'split-reduction(each=4, keep=17)' --kernel norm --reassociate --no-verify 2>&1 >/dev/null | FileCheck --check-prefix=MANY %s

// GRID: refused-keep.cu:[[@LINE+2]]: kernel `norm`: left alone: keep is for rows that several loops walk, one thread each
// MANY: kernel `norm`: left alone: 68 elements of a row are too many for a thread's registers
__global__ void norm(const float* __restrict__ a, float* __restrict__ y, int rows, int n) {
  int r = blockIdx.x * blockDim.x + threadIdx.x;
  if (r >= rows) return;
  float sum = 0;
  for (int j = 0; j < n; ++j) sum += a[r * n + j];
  for (int j = 0; j < n; ++j) y[r * n + j] = a[r * n + j] / sum;
}

// CHECK: kernel `other`: left alone: no loop reads elements again that an earlier one touched
__global__ void other(const float* __restrict__ a, const float* __restrict__ b, float* __restrict__ y, int rows, int n) {
  int r = blockIdx.x * blockDim.x + threadIdx.x;
  if (r >= rows) return;
  float sum = 0;
  for (int j = 0; j < n; ++j) sum += a[r * n + j];
  for (int j = 0; j < n; ++j) y[r * n + j] = b[r * n + j] / sum;
}

// Not every iteration reads its element: it must not be read where the original does not.
// CHECK: kernel `some`: left alone: no loop reads elements again that an earlier one touched
__global__ void some(const int* __restrict__ a, int* __restrict__ y, int rows, int n) {
  int r = blockIdx.x * blockDim.x + threadIdx.x;
  if (r >= rows) return;
  int sum = 0;
  for (int j = 0; j < n; ++j)
    if (j % 3 == r % 3) sum += a[r * n + j];
  for (int j = 0; j < n; ++j)
    if (j % 3 == r % 3) y[r * n + j] = a[r * n + j] + sum;
}

// Written in between, by another place of the row.
// CHECK: kernel `between`: left alone: no loop reads elements again that an earlier one touched
__global__ void between(int* __restrict__ y, int* __restrict__ z, int rows, int n) {
  int r = blockIdx.x * blockDim.x + threadIdx.x;
  if (r >= rows) return;
  int sum = 0;
  for (int j = 0; j < n; ++j) sum += y[r * n + j];
  y[r * n + n / 2] = sum;
  for (int j = 0; j < n; ++j) z[r * n + j] = y[r * n + j];
}

// Another row, another length.
// CHECK: kernel `shorter`: left alone: no loop reads elements again that an earlier one touched
__global__ void shorter(const int* __restrict__ a, int* __restrict__ y, int rows, int n) {
  int r = blockIdx.x * blockDim.x + threadIdx.x;
  if (r >= rows) return;
  int sum = 0;
  for (int j = 0; j < n - 1; ++j) sum += a[r * n + j];
  for (int j = 0; j < n; ++j) y[r * n + j] = a[r * n + j] + sum;
}

// CHECK: refused-keep.cu:[[@LINE+5]]: kernel `sparse`: left alone: how often L1 runs is not known before the launch
__global__ void sparse(const int* __restrict__ begins, const int* __restrict__ a, int* __restrict__ y, int rows) {
  int r = blockIdx.x * blockDim.x + threadIdx.x;
  if (r >= rows) return;
  int sum = 0, end = begins[r];
  for (int j = 0; j < end; ++j) sum += a[r * 64 + j];
  for (int j = 0; j < end; ++j) y[r * 64 + j] = a[r * 64 + j] + sum;
}
