// Numbers below zero that the parameter's value makes: the text reads back as what it was made from.
// RUN: %hone opt %s --recipe 'specialize(p=0)' -o %t.cu 2>&1 | FileCheck --check-prefix=SAID %s
// RUN: FileCheck %s < %t.cu
// RUN: %hone verify %s --recipe 'specialize(p=0)' --set p=0
// SAID: kernel `before`: rewritten beside the original

// CHECK: For launches in which p is 0.
// CHECK: out[i] = in[i] + -1 + i / -2;
__global__ void before(float* out, const float* in, int n, int p) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  int q = p - 1;
  out[i] = in[i] + q + i / (2 * q);
}
