// Reasons for which the threads of a warp do not walk a row together.
// RUN: %hone opt %s --recipe split-reduction --reassociate --no-verify 2>&1 >/dev/null | FileCheck %s
// RUN: %hone opt %s --recipe split-reduction --kernel norm --no-verify 2>&1 >/dev/null | FileCheck --check-prefix=ORDER %s
// RUN: %hone opt %s --recipe 'split-reduction(over=block, rows=4)' --reassociate --kernel norm --no-verify 2>&1 >/dev/null | FileCheck --check-prefix=ROWS %s
// RUN: %hone opt %s --recipe 'split-reduction(over=block, ways=64, keep=4)' --kernel gathered --reassociate --no-verify 2>&1 >/dev/null | FileCheck --check-prefix=KEEP %s
// RUN: %hone opt %s --recipe 'split-reduction(over=block, ways=64)' --kernel alone 2>&1 >/dev/null | FileCheck --check-prefix=ALONE %s

// ORDER: refused-rows.cu:[[@LINE+6]]: kernel `norm`: left alone: the order of the sum sum would change; pass --reassociate to permit it
// ROWS: kernel `norm`: note: L1 alone is shared, not the whole row: a block walks one row at a time; leave out rows and wide
__global__ void norm(const float* __restrict__ a, float* __restrict__ y, int rows, int n) {
  int r = blockIdx.x * blockDim.x + threadIdx.x;
  if (r >= rows) return;
  float sum = 0;
  for (int j = 0; j < n; ++j) sum += a[r * n + j];
  for (int j = 0; j < n; ++j) y[r * n + j] = a[r * n + j] / sum;
}

// CHECK: refused-rows.cu:[[@LINE+4]]: kernel `scan`: left alone: iterations of L1 may touch what others of them store to y
__global__ void scan(const int* __restrict__ a, int* __restrict__ y, int rows, int n) {
  int r = blockIdx.x * blockDim.x + threadIdx.x;
  if (r >= rows) return;
  for (int j = 1; j < n; ++j) y[r * n + j] = y[r * n + j - 1] + a[r * n + j];
}

// CHECK: refused-rows.cu:[[@LINE+5]]: kernel `last`: left alone: L2 stores to y in the same place each time; put promote before it where that is a sum
__global__ void last(const int* __restrict__ a, int* __restrict__ y, int* __restrict__ z, int rows, int n) {
  int r = blockIdx.x * blockDim.x + threadIdx.x;
  if (r >= rows) return;
  for (int j = 0; j < n; ++j) z[r * n + j] = a[r * n + j];
  for (int j = 0; j < n; ++j) y[r] = a[r * n + j];
}

// CHECK: refused-rows.cu:[[@LINE+5]]: kernel `anywhere`: left alone: L1 touches memory that is not known, and stores
__global__ void anywhere(const int* const* a, int* __restrict__ y, int rows, int n) {
  int r = blockIdx.x * blockDim.x + threadIdx.x;
  if (r >= rows) return;
  const int* row = a[r];
  for (int j = 0; j < n; j += 2) y[r * n + j] = row[j];
}

// Each sum of an index may wrap around: no range.
// CHECK: refused-rows.cu:[[@LINE+4]]: kernel `wraps`: left alone: table may alias y (`ids[r]` is loaded from memory); add __restrict__ or pass --assume-noalias
__global__ void wraps(const unsigned* ids, const float* table, float* y, unsigned rows, unsigned n) {
  unsigned r = blockIdx.x * blockDim.x + threadIdx.x;
  if (r < rows)
    for (unsigned j = 0; j < n; ++j) y[r * n + j] = table[ids[r] * n + j];
}

// An index in memory that not each iteration reads: not read ahead.
// CHECK: refused-rows.cu:[[@LINE+4]]: kernel `some`: left alone: table may alias y (`ids[r]` is loaded from memory); add __restrict__ or pass --assume-noalias
__global__ void some(const int* ids, const float* table, float* y, int rows, int known, int n) {
  int r = blockIdx.x * blockDim.x + threadIdx.x;
  if (r < rows)
    for (int j = 0; j < n; ++j) y[r * n + j] = r < known ? table[ids[r] * n + j] : 0;
}

// CHECK: refused-rows.cu:[[@LINE+4]]: kernel `says`: left alone: iterations of L1 do more than compute and store
__global__ void says(int* y, int rows, int n) {
  int r = blockIdx.x * blockDim.x + threadIdx.x;
  if (r >= rows) return;
  for (int j = 0; j < n; ++j) {
    y[r * n + j] = j;
    if (j == 3) printf("%d", r);
  }
}

// CHECK: refused-rows.cu:[[@LINE+4]]: kernel `saysBetween`: left alone: threads do more than compute and store around the loops
__global__ void saysBetween(int* y, int rows, int n) {
  int r = blockIdx.x * blockDim.x + threadIdx.x;
  if (r >= rows) return;
  printf("%d", r);
  for (int j = 0; j < n; ++j) y[r * n + j] = j;
}

// CHECK: refused-rows.cu:[[@LINE+4]]: kernel `drawn`: left alone: what stores to memory between the loops sets ticket too
__global__ void drawn(int* counter, int* __restrict__ y, int rows, int n) {
  int r = blockIdx.x * blockDim.x + threadIdx.x;
  if (r >= rows) return;
  int ticket = atomicAdd(counter, 1);
  for (int j = 0; j < n; ++j) y[r * n + j] = ticket;
}

// CHECK: refused-rows.cu:[[@LINE+4]]: kernel `either`: left alone: what stores to memory between the loops sets more too
__global__ void either(int* __restrict__ z, int* __restrict__ y, int rows, int n) {
  int r = blockIdx.x * blockDim.x + threadIdx.x, more = 0;
  if (r >= rows) return;
  if (n > 4) z[r] = 1, more = 2;
  for (int j = 0; j < n; ++j) y[r * n + j] = more;
}

// A loop that can be shared beside one that cannot: said, not kept quiet.
// ALONE: kernel `alone`: note: L1 alone is shared, not the whole row: iterations of L2 may touch what others of them store to y
__global__ void alone(const int* __restrict__ a, int* __restrict__ y, int rows, int n) {
  int r = blockIdx.x * blockDim.x + threadIdx.x;
  if (r >= rows) return;
  int sum = 0;
  for (int j = 0; j < n; ++j) sum += a[r * n + j];
  for (int j = 1; j < n; ++j) y[r * n + j] = y[r * n + j - 1] + sum;
}

// KEEP: kernel `gathered`: left alone: keep is for rows whose arrays are told apart before the launch; add __restrict__ or pass --assume-noalias
__global__ void gathered(const int* ids, const int* table, int* y, int* z, int rows, int n) {
  int r = blockIdx.x * blockDim.x + threadIdx.x;
  if (r >= rows) return;
  const int id = ids[r];
  int sum = 0;
  for (int j = 0; j < n; ++j) sum += z[r * n + j];
  for (int j = 0; j < n; ++j) y[r * n + j] = table[id * n + j] + sum;
}
