// Blocks in one: what all of them read is filled once, a tile that holds each block's own rows must be there for each of them.
// RUN: %hone verify %s --recipe 'merge-blocks(x=2)' | FileCheck %s
// RUN: %hone verify %s --recipe 'merge-blocks(x=4)' | FileCheck %s
// RUN: %hone verify %s --recipe 'merge-blocks(x=3) merge-threads(x=2, how=blocks)' | FileCheck %s
// RUN: %hone opt %s --recipe 'merge-blocks(x=4)' 2>&1 >/dev/null | FileCheck --check-prefix=ONCE %s
// CHECK-NOT: the original ran
// CHECK: kernel `norms`: equal in
// ONCE: kernel `norms`: merged 4 blocks into one; weights is filled once for them
#pragma hone set(n=100, k=37) grid(7) block(16)
__global__ void norms(const float* m, const float* w, float* r, int n, int k) {
  __shared__ float weights[16];
  __shared__ float rows[16][17];
  int lane = threadIdx.x, first = blockIdx.x * 16;
  float s = 0;
  for (int i = 0; i < k; i += 16) {
    weights[lane] = i + lane < k ? w[i + lane] : 0;
    for (int l = 0; l < 16; ++l) rows[l][lane] = first + l < n && i + lane < k ? m[(first + l) * k + i + lane] : 0;
    __syncthreads();
    for (int j = 0; j < 16; ++j) s += fabsf(rows[lane][j]) * weights[j];
    __syncthreads();
  }
  if (first + lane < n) r[first + lane] = s;
}
