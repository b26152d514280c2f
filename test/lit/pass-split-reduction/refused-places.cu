// Extrema whose place does not tell which of equal ones was the first, or is used on the way.
// RUN: %hone opt %s --recipe split-reduction 2>&1 >/dev/null | FileCheck %s

// Of equal ones the last: one may be as great as what was there before.
// CHECK: kernel `equal`: left alone: L1 carries best from iteration to iteration
__global__ void equal(const int* a, int* where_of, int rows, int n) {
  int r = blockIdx.x * blockDim.x + threadIdx.x;
  if (r >= rows) return;
  int best = 0, where = 7;
  for (int j = 0; j < n; ++j)
    if (a[r * n + j] >= best) {
      best = a[r * n + j];
      where = j;
    }
  where_of[r] = where;
}

// A place that does not tell iterations apart.
// CHECK: kernel `cut`: left alone: L1 carries best from iteration to iteration
__global__ void cut(const int* a, int* where_of, int rows, int n) {
  int r = blockIdx.x * blockDim.x + threadIdx.x;
  if (r >= rows) return;
  int best = 0;
  signed char where = 7;
  for (int j = 0; j < n; ++j)
    if (a[r * n + j] > best) {
      best = a[r * n + j];
      where = j;
    }
  where_of[r] = where;
}

// Used while it is looked for.
// CHECK: kernel `used`: left alone: L1 carries best from iteration to iteration
__global__ void used(const int* a, int* where_of, int* y, int rows, int n) {
  int r = blockIdx.x * blockDim.x + threadIdx.x;
  if (r >= rows) return;
  int best = 0, where = 7;
  for (int j = 0; j < n; ++j) {
    if (a[r * n + j] > best) {
      best = a[r * n + j];
      where = j;
    }
    y[r * n + j] = where;
  }
  where_of[r] = where;
}
