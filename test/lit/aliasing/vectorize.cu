// Neighbouring elements in one access: a store between them that may change one stands in the way, and loads come first where it does not.
// RUN: not %hone verify %s --kernel between --recipe vectorize --set n=101 | FileCheck --check-prefix=REFUSED %s
// RUN: %hone verify %s --kernel between --recipe vectorize --assume-noalias --set n=101 | FileCheck %s
// RUN: %hone verify %s --kernel before --recipe vectorize --set n=101 | FileCheck %s
// RUN: %hone verify %s --kernel before --recipe vectorize --set n=1 --grid 1 --block 32 --alias c=z+1 --exact | FileCheck %s
// RUN: %hone verify %s --kernel before --recipe vectorize --set n=1 --grid 1 --block 32 --alias c=z --exact | FileCheck %s
// CHECK: equal
// CHECK-NOT: NOT EQUAL
// REFUSED: neighbours in {{.*}} (lines {{[0-9]+}} and {{[0-9]+}}) are not one access: what happens between them may change one of them

__global__ void between(const float* z, float* c, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    c[2 * i] = z[2 * i] + 1;
    c[2 * i + 1] = z[2 * i + 1] * 2;
  }
}

__global__ void before(const float* z, float* c, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    float u = z[2 * i], v = z[2 * i + 1];
    c[2 * i] = u + v;
    c[2 * i + 1] = u - v;
  }
}
