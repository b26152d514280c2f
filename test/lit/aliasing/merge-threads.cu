// Threads that are merged load once what they share, but not over stores of their own.
// RUN: %hone verify %s --recipe 'block(x=32, y=4) merge-threads(y=4)' --set w=37 --set h=29 --set k=9 | FileCheck %s
// RUN: %hone verify %s --recipe 'block(x=32, y=4) merge-threads(y=4)' --set w=1 --set h=1 --set k=9 --grid 1 --block 32,4 --alias c=b+1 --exact | FileCheck %s
// RUN: %hone verify %s --recipe 'block(x=32, y=4) merge-threads(x=2, y=4)' --set w=1 --set h=1 --set k=9 --grid 1 --block 32,4 --alias b=c+2 --exact | FileCheck %s
// CHECK: equal
// CHECK-NOT: NOT EQUAL

__global__ void running(const float* b, float* c, int w, int h, int k) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= w || y >= h) return;
  for (int i = 0; i < k; ++i) {
    c[(y * w + x) * k + i] = b[i] + 1;
    c[(y * w + x) * k + i] += b[i + 1] * b[i];
  }
}
