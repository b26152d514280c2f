// Facts about a kernel are kept while it lives: one that unroll changed after asking about it was staged by what had been true of it before. Found by random
// kernels, which then used a variable that nobody declared.
// RUN: not %hone verify %s --exact --recipe 'block(x=128) unroll(by=8) stage' --assume-noalias --set k=24 --set w=150 | FileCheck %s
// RUN: %hone verify %s --exact --recipe 'block(x=128) unroll(by=8) merge-blocks(x=2)' --assume-noalias --set k=24 --set w=150 | FileCheck --check-prefix=EQUAL %s
// CHECK: leaves it alone: 32-bit unsigned arithmetic must not wrap, which cannot be made sure of before the launch
// EQUAL: kernel `sums`: equal in 1 run
__global__ void sums(const int* f, int* c, unsigned w, unsigned k) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  if (x >= w) return;
  int sum = 0;
  for (unsigned i = 0; i < k; ++i) sum += f[x * 3 + i] * 2;
  c[x] = sum;
}
