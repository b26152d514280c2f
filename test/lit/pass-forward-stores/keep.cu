// What iterations of a loop store and later ones read back stays in registers.
// RUN: %hone opt %s --recipe 'forward-stores(iterations=8)' --kernel solve --no-verify -o %t.cu
// RUN: FileCheck --check-prefix=SOLVE %s < %t.cu
// RUN: %clang_cuda_ptx %t.cu
// RUN: %hone opt %s --recipe 'forward-stores(iterations=6)' --kernel sums --no-verify | FileCheck --check-prefix=SUMS %s
// RUN: %hone verify %s --recipe 'forward-stores(iterations=8)' --kernel solve | FileCheck --check-prefix=EQUAL %s
// RUN: %hone verify %s --recipe 'block(x=64) forward-stores(iterations=8) stage' --kernel solve | FileCheck --check-prefix=EQUAL %s
// RUN: %hone verify %s --recipe 'forward-stores(iterations=6)' --kernel sums | FileCheck --check-prefix=EQUAL %s
// RUN: %hone verify %s --recipe 'forward-stores(iterations=5)' --kernel before | FileCheck --check-prefix=EQUAL %s
// EQUAL: equal in

// Forward substitution: the number of iterations is tested before the launch, and that nothing overlaps, so that loads may be made early.
// SOLVE: constexpr int kIterations = 8;
// SOLVE: kernel(const float* __restrict__ l, const float* __restrict__ b, float* __restrict__ x,
// SOLVE: float x_kept[kIterations];
// SOLVE: float b_ahead[kIterations];
// SOLVE-NEXT: #pragma unroll
// SOLVE-NEXT: for (int iteration = 0; iteration < kIterations; ++iteration) {
// SOLVE-NEXT: int i = first + iteration;
// SOLVE-NEXT: b_ahead[iteration] = b[i * sides + j];
// SOLVE-NEXT: }
// SOLVE-NEXT: #pragma unroll
// SOLVE-NEXT: for (int iteration = 0; iteration < kIterations; ++iteration) {
// SOLVE-NEXT: int i = first + iteration;
// SOLVE-NEXT: float sum = b_ahead[iteration];
// SOLVE: #pragma unroll
// SOLVE-NEXT: for (int earlier = 0; earlier < iteration; ++earlier) {
// SOLVE: sum -= l[i * n + k] * x_kept[earlier];
// SOLVE: x_kept[iteration] = sum / l[i * n + i];
// SOLVE-NEXT: x[i * sides + j] = x_kept[iteration];
// SOLVE: last == (long long)first + 8
#pragma hone set(n=20, sides=70, first=8, last=16) block(64)
__global__ void solve(const float* l, const float* b, float* x, int n, int sides, int first, int last) {
  int j = blockIdx.x * blockDim.x + threadIdx.x;
  if (j < sides) {
    for (int i = first; i < last; ++i) {
      float sum = b[i * sides + j];
      for (int k = first; k < i; ++k) sum -= l[i * n + k] * x[k * sides + j];
      x[i * sides + j] = sum / l[i * n + i];
    }
  }
}

// A tile of what all threads read in common has the rows that l has.
// RUN: %hone opt %s --recipe 'block(x=64) forward-stores(iterations=8) stage' --kernel solve --no-verify | FileCheck --check-prefix=TILE %s
// TILE: l_tile[row][col] = l_col <= l_row ? l[l_row * n + l_col] : 0.0f;
// TILE: sum -= l_tile[iteration][earlier] * x_kept[earlier];
// TILE: x_kept[iteration] = sum / l_tile[iteration][iteration];

// The element of the iteration before, in steps of two; the first iteration reads what was there before, from memory.
// SUMS: n <= 12ll && 11ll <= n
// SUMS: if (i > 0) {
// SUMS: t += y_kept[iteration - 1];
// SUMS: y[row * n + i] = y_kept[iteration];
#pragma hone set(n=12) block(32)
__global__ void sums(const int* a, int* y, int n) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  for (int i = 0; i < n; i += 2) {
    int t = a[row * n + i];
    if (i > 0) t += y[row * n + i - 2];
    y[row * n + i] = t;
  }
}

// What is not stored yet is read from memory.
#pragma hone set(n=5) block(32)
__global__ void before(const int* a, int* y, int n) {
  int j = blockIdx.x * blockDim.x + threadIdx.x;
  for (int i = 0; i < n; ++i) {
    int t = a[j] + y[i * 64 + j];
    for (int k = 0; k < i; ++k) t += y[k * 64 + j] * (k + 1);
    y[i * 64 + j] = t;
  }
}
