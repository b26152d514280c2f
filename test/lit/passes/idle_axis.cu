// A kernel for a list, launched with blocks for an image: every element has eight threads, and their updates are lost.
// RUN: %hone opt %s -o %t.cu 2>&1 | FileCheck %s
// CHECK: the original has {{.*}} that must be mended first{{.*}}; its blocks of 32x8 have 8 threads along y that the kernel does not tell apart: they all do the same to the same elements
__global__ void accumulate(const float* a, float* x, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    for (int j = 0; j < n; ++j) x[i] += a[j * n + i];
}

void launch(const float* a, float* x, int n) {
  dim3 block(32, 8);
  accumulate<<<dim3((n + 31) / 32), block>>>(a, x, n);
}
