// Where the end of a loop is known not to be negative, one comparison says whether enough iterations are left: compilers unroll such a loop further.
// RUN: %hone opt %s --recipe 'unroll(by=8)' --no-verify -o %t.cu
// RUN: FileCheck %s < %t.cu
// RUN: %hone verify %s --kernel above --recipe 'unroll(by=8)' | FileCheck %s --check-prefix=SAME
// RUN: %hone verify %s --kernel below --recipe 'unroll(by=8)' --set n=-2147483640 | FileCheck %s --check-prefix=SAME
// CHECK-LABEL: void above(
// CHECK: for (; n - i_next > (kUnroll - 1) * 32; i_next += kUnroll * 32) {
// CHECK-LABEL: void below(
// CHECK: for (; i_next < n && n - i_next > (kUnroll - 1) * 32; i_next += kUnroll * 32) {
// SAME: equal in
__global__ void above(const float* a, float* o, int n) {
  float sum = 0;
  if (n > 0) {
    for (int i = threadIdx.x; i < n; i += 32) sum += a[i];
  }
  o[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}

__global__ void below(const float* a, float* o, int n) {
  float sum = 0;
  for (int i = threadIdx.x; i < n; i += 32) sum += a[i];
  o[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}
