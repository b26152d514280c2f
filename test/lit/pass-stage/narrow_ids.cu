// A variable that holds a part of an id is no name for the id.
// RUN: %hone verify %s --recipe 'stage(a)' | FileCheck %s
// CHECK: kernel `global`: equal in
// CHECK: kernel `local`: equal in
#pragma hone set(n=2000) grid(32) block(64)
__global__ void global(const float* a, float* b, int n) {
  int low = (unsigned char)(blockIdx.x * 64 + threadIdx.x);
  int i = blockIdx.x * 64 + threadIdx.x;
  if (i < n) {
    float s = low;
    for (int k = 0; k < 16; ++k) s += a[i + k];
    b[i] = s;
  }
}

#pragma hone set(n=2000) grid(4) block(512)
__global__ void local(const float* a, float* b, int n) {
  int low = (unsigned char)threadIdx.x;
  int i = blockIdx.x * 512 + threadIdx.x;
  if (i < n) {
    float s = low;
    for (int k = 0; k < 16; ++k) s += a[i + k];
    b[i] = s;
  }
}
