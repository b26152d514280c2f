// A pointer that names elements of memory may be made before a loop that is shared with neighbours side by side;
// places that unsigned ids and a signed length give are in range where the length is not below 0.
// RUN: %hone opt %s --reassociate --block 256 --kernel columns --recipe 'split-reduction(over=block, ways=16, rows=32)' --no-verify -o - 2>/dev/null | FileCheck %s
// RUN: %hone verify %s --reassociate --block 256 --grid 2 --kernel columns --recipe 'split-reduction(over=block, ways=16, rows=32)' --set n=100 --set w=500 | FileCheck --check-prefix=SAME %s
// RUN: %hone verify %s --reassociate --block 256 --grid 2 --kernel columns --recipe 'split-reduction(over=grid, ways=4, rows=32)' --set n=100 --set w=500 | FileCheck --check-prefix=SAME %s
// RUN: %hone opt %s --block 256 --kernel rows --recipe split-reduction --no-verify -o - 2>/dev/null | FileCheck --check-prefix=ROWS %s
// SAME: kernel `columns`: equal in

// CHECK-LABEL: namespace columns_hone
// CHECK: const float* x = a + i;
// CHECK: for (int j = lane; j < n; j += kThreads) {
// CHECK: sum += x[j * w];
__global__ void columns(const float* a, float* y, int n, int w) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < w) {
    const float* x = a + i;
    float sum = 0;
    for (int j = 0; j < n; ++j) sum += x[j * w];
    y[i] = sum;
  }
}

// ROWS-LABEL: namespace rows_hone
// ROWS-NOT: n == 0
// ROWS: n >= 0
__global__ void rows(float* y, int n, unsigned h) {
  if (blockIdx.x * blockDim.x + threadIdx.x < h)
    for (int i = 0; i < n; ++i) y[(blockIdx.x * blockDim.x + threadIdx.x) * n + i] = 1;
}
