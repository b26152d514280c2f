// Elements that nobody uses: no access is made wide of them, and none is claimed.
// RUN: %hone opt %s --block 16 --recipe 'vectorize(threads=2)' 2>&1 | FileCheck %s

// CHECK: kernel `unused`: left alone: a thread touches neighbouring elements of idx only in different iterations of
// CHECK-NOT: hone: begin
__global__ void unused(const int* __restrict__ idx, int* __restrict__ c, int w, int k) {
  int x = blockIdx.x * 16 + threadIdx.x;
  if (!(x < w)) return;
  const int at = idx[x];
  for (int j = 0; j < k / 2; ++j) c[x * k + j] = j;
}
