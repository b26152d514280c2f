// A kernel that #if chooses has its launch function under the same #if: only launches that stand there too call it, and every build goes on compiling.
// RUN: %hone opt %s --recipe 'block(x=64)' -o %t.cu 2>&1 -- -DONE | FileCheck %s
// RUN: FileCheck --check-prefix=TEXT %s < %t.cu
// RUN: %clang_cuda_ptx -DONE %t.cu && %clang_cuda_ptx %t.cu
// RUN: %if nvcc %{ %nvcc -arch=sm_90 -std=c++14 -DONE -c -o /dev/null %t.cu && %nvcc -arch=sm_90 -std=c++14 -c -o /dev/null %t.cu %}
#ifdef ONE
// CHECK: kernel `fill`: rewritten beside the original; 1 of 2 launches now calls fill_launch
__global__ void fill(float* x, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[i] = 1;
}
void under(float* x, int n) { fill<<<(n + 255) / 256, 256>>>(x, n); }
// TEXT: hone: was {{.*}} fill_launch(
#else
__global__ void fill(float* x, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[i] = 2;
}
#endif

// CHECK: conditional_kernel.cu:[[#@LINE+5]]: kernel `fill`: launch left as it is: `#if defined(ONE)` is around the kernel, and so around a launch function, but not around the launch
// CHECK-NOT: to use the new kernel
// TEXT: void outside(
// TEXT-NEXT: {{^}}  fill<<<(n + 255) / 256, 256>>>(x, n);
void outside(float* x, int n) {
  fill<<<(n + 255) / 256, 256>>>(x, n);
}
