// Unsigned ids that a parameter shifts wrap: the grid covers what it did only where they do not.
// RUN: %hone verify %s --exact --set p=4294967295 --recipe 'block(x=128)' | FileCheck %s --check-prefix ORIGINAL
// RUN: %hone verify %s --exact --set p=3 --recipe 'block(x=128)' | FileCheck %s --check-prefix FAST
// RUN: %hone opt %s --recipe 'block(x=128)' --no-verify -o %t.cu 2>&1 | FileCheck %s
// CHECK: where this does not hold for a launch, the original runs: n - p <= grid.x * block.x && p + (grid.x * block.x + 127) / 128 * 128 <= 4294967296
// ORIGINAL: equal in 1 run
// ORIGINAL: the original ran
// FAST: equal in 1 run
// FAST-NOT: the original ran

#pragma hone set(n=503) grid(5) block(100)
__global__ void shifted(const float* a, float* c, unsigned n, unsigned p) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x + p;
  if (i < n) c[i] = a[i] + 1;
}
