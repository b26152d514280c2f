// Host code that needs a header which nvcc includes by itself is read all the same: every launch counts.
// RUN: %hone opt %s --recipe 'block(x=64)' --diff 2>&1 | FileCheck %s
// CHECK: 2 of 2 launches changed
__global__ void scale(float* a, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) a[i] *= 2;
}
void run(float* a) {
  for (int n : {100, 200}) scale<<<(n + 255) / 256, 256>>>(a, n);
  scale<<<4, 256>>>(a, 1000);
}
