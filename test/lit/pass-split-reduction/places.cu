// Where an extremum was found is put together with it: of equal ones the first, bit for bit.
// RUN: %hone opt %s --recipe split-reduction -o %t.cu 2>&1 | FileCheck --check-prefix=REMARK %s
// RUN: FileCheck %s < %t.cu
// RUN: %clang_cuda_ptx %t.cu
// RUN: %hone opt %s --recipe 'split-reduction(over=block, ways=128)' --kernel argmax 2>/dev/null | FileCheck --check-prefix=BLOCK %s
// RUN: %hone opt %s --recipe 'split-reduction(over=block, ways=128)' --kernel both 2>/dev/null | FileCheck --check-prefix=WARPS %s
// RUN: %hone opt %s --recipe 'split-reduction(over=block, ways=16, rows=4)' --kernel argmax 2>/dev/null | FileCheck --check-prefix=ROWS %s
// RUN: %hone opt %s --recipe 'split-reduction(over=grid)' 2>&1 >/dev/null | FileCheck --check-prefix=GRID %s
// RUN: %hone opt %s --recipe 'rotate-loop' --kernel argmax 2>&1 >/dev/null | FileCheck --check-prefix=ORDER %s
// RUN: %hone verify %s --recipe split-reduction --exact --set rows=7 --set n=300 --set count=9 --set k=70 --set dims=3 | FileCheck --check-prefix=SAME %s
// RUN: %hone verify %s --recipe split-reduction --exact --set rows=3 --set n=33 --set count=5 --set k=33 --set dims=2 | FileCheck --check-prefix=SAME %s
// RUN: %hone verify %s --recipe 'split-reduction(over=block, ways=128)' --exact --set rows=7 --set n=300 --set count=9 --set k=70 --set dims=3 | FileCheck --check-prefix=SAME %s
// RUN: %hone verify %s --recipe 'split-reduction(over=block, ways=8)' --exact --set rows=7 --set n=70 --set count=9 --set k=70 --set dims=3 | FileCheck --check-prefix=SAME %s
// RUN: %hone verify %s --recipe 'split-reduction(each=2, rows=2)' --exact --set rows=7 --set n=300 --set count=9 --set k=70 --set dims=3 | FileCheck --check-prefix=SAME %s
// SAME-NOT: NOT EQUAL
// SAME-COUNT-5: kernel `{{[A-Za-z]+}}`: equal in

// REMARK: kernel `argmax`: the iterations of L1 (best, where) are shared by the 32 lanes of a warp
// CHECK: {{^}}// hone: begin, beside argmax
// CHECK: const float other_best = __shfl_xor_sync(0xffffffffu, best, offset);
// CHECK-NEXT: const int other_where = __shfl_xor_sync(0xffffffffu, where, offset);
// CHECK-NEXT: if (other_best > best || (other_best == best && other_where < where)) {
// CHECK-NEXT: best = other_best;
// CHECK-NEXT: where = other_where;
// BLOCK: __shared__ float best_parts[kThreads];
// BLOCK: __shared__ int where_parts[kThreads];
// ROWS: __shared__ int where_parts[kThreads][kRows];
// ROWS: where_parts[lane][threadIdx.x] = where_parts[lane + half][threadIdx.x];
// GRID: kernel `argmax`: left alone: L1 keeps where best was found, which blocks do not put together; over=warp and over=block do
// ORDER: kernel `argmax`: left alone: L1 carries best from iteration to iteration
__global__ void argmax(const float* a, float* best_of, int* where_of, int rows, int n) {
  int r = blockIdx.x * blockDim.x + threadIdx.x;
  if (r >= rows) return;
  float best = a[r * n];
  int where = 0;
  for (int j = 1; j < n; ++j)
    if (a[r * n + j] > best) {
      best = a[r * n + j];
      where = j;
    }
  best_of[r] = best;
  where_of[r] = where;
}

// Downwards, among many equal ones, as a place in the whole array.
// CHECK: {{^}}// hone: begin, beside last
// CHECK: if (other_best < best || (other_best == best && other_where > where)) {
__global__ void last(const int* a, int* where_of, int rows, int n) {
  int r = blockIdx.x * blockDim.x + threadIdx.x;
  if (r >= rows) return;
  int best = 2147483647, where = -1;
  for (int j = n - 1; j >= 0; --j) {
    int v = a[r * n + j] % 7;
    if (v < best) where = r * n + j, best = v;
  }
  where_of[r] = where;
}

// WARPS: __shared__ float low_parts[kThreads / 32];
// WARPS: __shared__ int at_low_parts[kThreads / 32];
// WARPS: if (low_parts[warp] < low || (low_parts[warp] == low && at_low_parts[warp] < at_low)) {
// Two of them, zeros of both signs, and loops that use what was found.
__global__ void both(const float* a, float* y, int* least, int* most, int rows, int n) {
  int r = blockIdx.x * blockDim.x + threadIdx.x;
  if (r >= rows) return;
  float low = 1e30f, high = -1e30f;
  int at_low = -1, at_high = -1;
  for (int j = 0; j < n; ++j) {
    const float v = floorf(a[r * n + j] * 2) * 0.f;
    if (v < low) {
      low = v;
      at_low = j;
    }
    if (high < v) at_high = j, high = v;
  }
  for (int j = 0; j < n; ++j) y[r * n + j] = a[r * n + j] - high + low;
  least[r] = at_low;
  most[r] = at_high;
}

// Of some elements.
__global__ void some(const double* a, const int* mask, int* where_of, int rows, int n) {
  int r = blockIdx.x * blockDim.x + threadIdx.x;
  if (r >= rows) return;
  double best = 0;
  int where = -1;
  for (int j = 0; j < n; j += 3)
    if (mask[j] & 1)
      if (a[r * n + j] > best) {
        best = a[r * n + j];
        where = j;
      }
  where_of[r] = where;
}

// The nearest of several points.
__global__ void nearest(const float* points, const float* centers, int* of, int count, int k, int dims) {
  int p = blockIdx.x * blockDim.x + threadIdx.x;
  if (p >= count) return;
  float least = 3.4e38f;
  int at = 0;
  for (int c = 0; c < k; ++c) {
    float sum = 0;
    for (int d = 0; d < dims; ++d) {
      const float apart = points[p * dims + d] - centers[c * dims + d];
      sum += apart * apart;
    }
    if (sum < least) {
      least = sum;
      at = c;
    }
  }
  of[p] = at;
}
