// Blocks that no launch can have are refused once the recipe is whole.
// RUN: %hone opt %s --recipe 'block(x=2048)' --no-verify -o %t.cu 2>&1 | FileCheck %s
// RUN: not %hone verify %s --recipe 'block(x=1, y=1, z=65)' | FileCheck %s --check-prefix=DEEP
// RUN: %hone verify %s --recipe 'block(x=1024)' | FileCheck %s --check-prefix=FITS
// CHECK: kernel `twice`: left alone: blocks of 2048 x 1 x 1 threads: h200 has at most 1024 in a block, 64 along z
// DEEP: the recipe leaves it alone: blocks of 1 x 1 x 65 threads
// FITS: equal
__global__ void twice(const float* a, float* b, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) b[i] = 2 * a[i];
}
