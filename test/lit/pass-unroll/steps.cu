// Unsigned steps past the end must not wrap, and loops may be named in any order.
// RUN: %hone verify %s --recipe 'unroll(L2, L1)' --set n=24 --set k=39 | FileCheck %s
// CHECK: kernel `steps`: equal in
__global__ void steps(const double* e, double* c, int n, int k) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  if (x < n) {
    double sum = 1;
    for (unsigned i = 0; i < k; i += 2) sum = sum * 0.5 + e[2 * i + 1];
    for (int i = 0; i < k; ++i) sum = sum * 0.5 + e[i];
    c[x] = sum;
  }
}
