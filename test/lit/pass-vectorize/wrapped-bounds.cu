// Below 1 the difference wraps round: that the last of the merged threads is inside says nothing of the first.
// RUN: %hone verify %s --exact --recipe 'merge-threads(x=2, how=adjacent) vectorize(c)' --block 16 --grid '(w + 15) / 16' --set w=132 | FileCheck %s
// CHECK: equal in
// CHECK-NOT: error
__global__ void inner(const float* __restrict__ a, int* __restrict__ c, int w) {
  const int x = threadIdx.x + blockIdx.x * blockDim.x;
  if (x >= w) return;
  if ((unsigned)x - 1u < (unsigned)w - 2u && w > 2) c[x] = (int)(a[x - 1] * a[x + 1]);
}
