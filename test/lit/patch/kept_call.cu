// A call that the user has made their own, as the message about an edited block says, does not lose its function.
// RUN: rm -rf %t && mkdir %t && %hone opt %s --recipe 'block(x=64)' -o %t/k.cu && sed -e '/hone: was/d' %t/k.cu > %t/mine.cu && cp %t/mine.cu %t/before.cu
// RUN: not %hone revert %t/mine.cu 2>&1 | FileCheck %s
// RUN: cmp %t/mine.cu %t/before.cu
// CHECK: mine.cu: calls `scale_launch` in a line that hone did not write, and the function would go
__global__ void scale(float* a, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) a[i] *= 2;
}
void run(float* a, int n) {
  scale<<<(n + 255) / 256, 256>>>(a, n);
}
