// A loop that only repeats: nothing is declared that compilers would call unused.
// RUN: %hone opt %s --recipe 'unroll(by=4)' 2>/dev/null | FileCheck %s
// RUN: %hone verify %s --recipe 'unroll(by=4)' | FileCheck --check-prefix=SAME %s
__global__ void again(float* a, int n, int times) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  for (int k = 0; k < times; ++k) a[i] = a[i] * 0.5f + 1;
}
// CHECK: for (int u = 0; u < kUnroll; ++u) {
// CHECK-NEXT: a[i] = a[i] * 0.5f + 1;
// SAME: kernel `again`: equal in
