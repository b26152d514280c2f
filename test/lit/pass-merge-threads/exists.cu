// A replica beyond the end of the grid does nothing: what is set only where it was asked whether it exists differs between replicas from then on, and what
// uses that must be asked too. Found by random kernels: the last line was not.
// RUN: %hone verify %s --recipe 'merge-threads(z=2)' | FileCheck %s
// RUN: %hone verify %s --recipe 'merge-threads(y=7, z=2)' | FileCheck %s
// RUN: %hone verify %s --recipe 'merge-blocks(z=2)' | FileCheck %s
// CHECK-NOT: the original ran
// CHECK: kernel `tile`: equal in
// CHECK: kernel `number`: equal in
#pragma hone set(w=13, h=9) block(5, 7)
__global__ void tile(int* c, const int* a, int* o, int w, int h) {
  __shared__ int s[7][5];
  int tx = threadIdx.x, ty = threadIdx.y, x = blockIdx.x * 5 + tx, y = blockIdx.y * 7 + ty;
  if (x < w && y < h) {
    atomicMax(&c[a[y * w + x] & 15], x);
    s[ty][tx] = a[x];
  }
  __syncthreads();
  if (x < w && y < h) o[y * w + x] = s[ty][tx];
}

#pragma hone set(w=13, h=9) block(5, 7)
__global__ void number(int* c, const int* a, int* o, int w, int h) {
  int x = blockIdx.x * 5 + threadIdx.x, y = blockIdx.y * 7 + threadIdx.y;
  if (x < w && y < h) {
    int n = 0;
    if (a[x] > 1) {
      atomicMax(&c[a[y * w + x] & 15], x);
      n = 5;
    }
    o[y * w + x] = n;
  }
}
