// A grid has fewer blocks than a launch may have threads: a launch of more keeps the original.
// RUN: %hone opt %s --recipe 'split-reduction(over=block)' --reassociate --no-verify -o %t.cu
// RUN: FileCheck %s < %t.cu

// CHECK: in_range = threads_x <= 2146435072
__global__ void rows(const float* __restrict__ a, float* __restrict__ c, int n) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  float sum = 0;
  for (int i = 0; i < n; i++) sum += a[row * n + i];
  c[row] = sum;
}
