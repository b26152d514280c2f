// What the compiler is told to assume stays in the source, and is checked where it runs.
// RUN: %hone opt %s --recipe '' -o %t.cu
// RUN: FileCheck %s < %t.cu
// RUN: %hone check %s --set p=4 --set n=100
// RUN: not %hone check %s --set p=40 --set n=100 | FileCheck --check-prefix=FOUND %s
// CHECK: __builtin_assume(fabsf(x) < 8.0f);
// FOUND: assumed.cu:[[@LINE+5]]: error: assertion failed: what the compiler is told to assume does not hold
__global__ void assuming(float* a, int n, int p) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float x = i % p;
  __builtin_assume(fabsf(x) < 8.0f);
  a[i] = cosf(x);
}
