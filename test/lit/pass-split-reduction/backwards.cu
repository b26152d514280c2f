// A row that is read from its end while it is written from its beginning: n - 1 - i of row r is no -1 - i of row r + 1, and iterations
// that threads share would meet in it.
// RUN: %hone opt %s --recipe split-reduction --no-verify 2>&1 >/dev/null | FileCheck %s
// CHECK: backwards.cu:[[@LINE+4]]: kernel `turned`: left alone: iterations of L1 may touch what others of them store to a
__global__ void turned(float* a, int rows, int n) {
  int r = blockIdx.x * blockDim.x + threadIdx.x;
  if (r >= rows) return;
  for (int i = 0; i < n; ++i) a[r * n + i] = a[r * n + n - 1 - i] + 1.0f;
}
