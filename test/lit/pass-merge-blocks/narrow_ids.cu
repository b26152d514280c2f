// Ids that are cut off to fewer bits are no ids of the merged blocks: they begin anew.
// RUN: %hone verify %s --recipe 'merge-blocks(x=2)' | FileCheck %s
// CHECK: kernel `blocks`: equal in
// CHECK: kernel `threads`: equal in
#pragma hone set(n=20000) grid(625) block(32) length(a=8192, b=n)
__global__ void blocks(const float* a, float* b, int n) {
  int j = blockIdx.x * 32 + threadIdx.x;
  int i = (unsigned char)blockIdx.x * 32 + (int)threadIdx.x;
  if (j < n) b[j] = a[i];
}

#pragma hone set(n=5000) grid(10) block(512) length(a=4864, b=n)
__global__ void threads(const float* a, float* b, int n) {
  int j = blockIdx.x * 512 + threadIdx.x;
  int i = blockIdx.x * 512 + (unsigned char)threadIdx.x;
  if (j < n) b[j] = a[i];
}
