// Threads of blocks beyond the grid read nothing that another pointer may lead to while it is written: where arrays may overlap, the original runs.
// RUN: %hone verify %s --recipe 'stage(q, depth=32) merge-blocks(z=2)' --exact --block 16,16 --grid '(w + 15) / 16, (h + 15) / 16' --set h=1 --set k=18 --set w=1 --alias b=c+0 | FileCheck %s
// CHECK: equal in 1 run
// CHECK-NOT: error
__global__ void plain(const float* b, float* c, const float* __restrict__ q, float* __restrict__ c1, int w, int h, int k) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= w || y >= h) return;
  float sum = 0;
  for (int i = 0; i < k; ++i) sum += b[y * w + x] * b[i * h + y];
  c[y * w + x] = sum;
  float other = 2;
  for (int i = 0; i < k; ++i) other += q[2 * i] * q[x + i];
  c1[y * w + x] = other;
}
