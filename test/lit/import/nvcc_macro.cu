// Code for nvcc says so by __NVCC__.
// RUN: %hone explain %s | FileCheck %s
// CHECK: kernel `scale`
#if !defined(__NVCC__)
#error not for this compiler
#endif
__global__ void scale(float* a) { a[threadIdx.x] *= 2; }
