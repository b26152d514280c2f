// A sum in memory becomes one in a register first.
// RUN: %hone verify %s --recipe 'promote split-reduction' --reassociate | FileCheck %s
// RUN: %hone verify %s --recipe 'promote split-reduction(over=block)' --reassociate --set n=40 --alias y=a+3 | FileCheck %s
// RUN: %hone opt %s --recipe split-reduction --reassociate 2>&1 >/dev/null | FileCheck --check-prefix=ALONE %s
// CHECK: kernel `in_memory`: equal in
// ALONE: kernel `in_memory`: left alone: L1 stores to y; put promote before it where that is a sum
__global__ void in_memory(const float* a, float* y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    y[i] = 0;
    for (int j = 0; j < n; ++j) y[i] += a[i * n + j];
  }
}
