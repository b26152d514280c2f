// Threads of blocks beyond the grid load nothing of what others write, but compute on: from 0.
// RUN: %hone verify %s --recipe 'promote stage merge-blocks(z=5)' --exact --assume-noalias --block 8,8,1 --grid '(w + 7) / 8, (h + 7) / 8' --set h=23 --set k=17 --set w=36 | FileCheck %s
// CHECK: equal in 1 run
// CHECK-NOT: error
__global__ void gather(const float* b, const int* p, double* c, int w, int h, int k) {
  const int x = blockIdx.x * 8 + threadIdx.x;
  const int y = threadIdx.y + blockIdx.y * 8;
  if (x >= w || y >= h) return;
  c[x + w * y] *= 2;
  for (int i = 0; i != k; ++i) c[x + w * y] = c[x + w * y] + p[i * w + x] + b[2 * i];
}
