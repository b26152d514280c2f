// Launches that nvcc takes and Clang does not: with braces in the configuration.
// RUN: %hone opt %s --recipe 'block(x=64)' -o %t.cu 2>&1 | FileCheck --check-prefix=REMARK %s
// RUN: %unmarked %t.cu | FileCheck %s
// RUN: %clang_cuda_ptx -DPATCHED %t.cu
#define THREADS 128
#define NEXT n++
#define MADE scale<<<1, {32, 1, 1}>>>
int blocks(int n);
// REMARK: kernel `scale`: rewritten beside the original; 3 of 5 launches now call scale_launch
__global__ void scale(const float* a, float* b, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) b[i] = a[i] * 2.0f;
}
void host(float* a, float* b, int n, cudaStream_t s) {
  scale<<<(n + 255) / 256, {256, 1, 1}>>>(a, b, n);
  // CHECK: scale_launch((n + 255) / 256, {256, 1, 1}, 0, 0, a, b, n);
  ::scale<<<{4, 2}, {THREADS}, 0, s>>>(a, b + 1, n - 1);
  // CHECK: ::scale_launch({4, 2}, {THREADS}, 0, s, a, b + 1, n - 1);
  // "scale<<<1, {2}>>>()" and scale<<<1, {2}>>>() are no launches here.
  scale<<<4, 32>>>(a, b, n);
  // CHECK: scale_launch(4, 32, 0, 0, a, b, n);
#ifndef PATCHED
  // REMARK: braces.cu:[[#@LINE+1]]: kernel `scale`: launch left as it is: Clang cannot read it, and its parts may have to be evaluated in order
  scale<<<blocks(n), {256, 1, 1}>>>(a, b, n);
  // CHECK: scale<<<blocks(n), {256, 1, 1}>>>(a, b, n);
  // REMARK: braces.cu:[[#@LINE+1]]: kernel `scale`: launch left as it is: Clang cannot read it, and comments or lines of the preprocessor stand inside it
  scale<<<4, /* threads */ {256, 1, 1}>>>(a, b, n);
#endif
}
