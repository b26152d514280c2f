// What the tile is filled by is computed from variables that the kernel declares itself: behind these. Found by random kernels.
// RUN: %hone verify %s --recipe 'merge-blocks(y=4) stage(a)' --set w=37 --set k=21 --block 48 --grid '(w + 47) / 48, 3' | FileCheck %s
// CHECK: kernel `sums`: equal
__global__ void sums(const float* __restrict__ a, float* __restrict__ c, int w, int k) {
  int x = threadIdx.x + blockIdx.x * blockDim.x;
  if (x >= w) return;
  float sum = 0;
  for (int i = 0; i < k; ++i) sum += a[i];
  c[blockIdx.y * w + x] = sum;
}
