// A loop that counts down takes its pointers back by a number of 32 bits.
// RUN: %hone opt %s --recipe 'move-pointers(c)' --set w=139 --set k=10 --block 128 --grid '(w + 127) / 128' -o %t.cu
// RUN: FileCheck %s < %t.cu
// RUN: %clang_cuda_ptx %t.cu

// CHECK-LABEL: void below(
// CHECK: c_from -= w;
__global__ void below(const float* __restrict__ b, float* __restrict__ c, int w, int k) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  if (x >= w) return;
  for (int i = k - 1; i >= 0; --i) c[i * w + x] = c[(i + 1) * w + x] + b[i * w + x];
}
