// No launch in sight: the launch function is offered, where compilers for the device alone do not see it.
// RUN: %hone opt %s --recipe 'block(x=128)' 2> %t.err | FileCheck %s
// RUN: FileCheck --check-prefix=REMARK %s < %t.err
// RUN: %hone opt %s --recipe 'block(x=128)' -o %t.cu 2> /dev/null && %clang_cuda_ptx %t.cu

// REMARK: kernel_only.cu:[[#@LINE+1]]: kernel `twice`: rewritten beside the original; no launch of it is in sight: where you launch it, call twice_launch(grid, block, shared, stream, arguments…)
extern "C" __global__ void twice(double* x, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[i] *= 2;
}
// CHECK: extern "C" __global__ void twice(double* x, int n) {
// CHECK-NOT: extern "C++"
// CHECK: namespace twice_hone {
// CHECK: #ifndef __CUDACC_RTC__
// CHECK: static inline void twice_launch(dim3 grid, dim3 block, size_t shared, cudaStream_t stream, double* x, int n) {
// CHECK: #endif

extern "C" {
  __global__ void thrice(double* grid, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) grid[i] *= 3;
  }
}
// CHECK: extern "C" {
// CHECK: extern "C++" {
// CHECK: namespace thrice_hone {
// CHECK: static inline void thrice_launch(dim3 grid_2, dim3 block, size_t shared, cudaStream_t stream, double* grid,
// CHECK: }  // extern "C++"
// CHECK-NEXT: // hone: end
// CHECK-NEXT: }
