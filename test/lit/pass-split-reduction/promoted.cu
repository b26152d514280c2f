// A sum in memory becomes one in a register first.
// RUN: %hone verify %s --recipe 'promote split-reduction' --reassociate | FileCheck %s
// RUN: %hone verify %s --recipe 'promote split-reduction(over=block)' --reassociate --kernel in_memory --set n=40 --alias y=a+3 | FileCheck --check-prefix=ALIAS %s
// RUN: %hone opt %s --kernel in_memory --recipe split-reduction --reassociate 2>&1 >/dev/null | FileCheck --check-prefix=ALONE %s
// CHECK: kernel `in_memory`: equal in
// ALIAS: kernel `in_memory`: equal in
// ALONE: kernel `in_memory`: left alone: L1 stores to y; put promote before it where that is a sum
__global__ void in_memory(const float* a, float* y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    y[i] = 0;
    for (int j = 0; j < n; ++j) y[i] += a[i * n + j];
  }
}

// What all lanes read before lane 0 stores it.
// RUN: %hone opt %s --recipe 'promote split-reduction' --reassociate --assume-noalias --kernel adds 2>/dev/null | FileCheck --check-prefix=ORDER %s
// ORDER: __shfl_xor_sync
// ORDER: __syncwarp();
// ORDER-NEXT: if (lane == 0) {
// CHECK: kernel `adds`: equal in
__global__ void adds(const float* a, const float* b, float* t, float* y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    for (int j = 0; j < n; ++j) {
      t[i] += a[i * n + j];
      y[i] += b[i * n + j];
    }
    y[i] = 0.5f * t[i] + y[i];
  }
}
