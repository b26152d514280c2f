// A macro that names a floating-point type stays a name, so that a build with another type compiles and runs
// the original. Other files, which need not have it, get the type.
// RUN: rm -rf %t && mkdir %t && cp %s %t/k.cu && cp %S/Inputs/macro_types_host.cu %t/host.cu
// RUN: %hone opt %t/k.cu %t/host.cu --in-place --recipe 'block(x=128) vectorize(threads=4)' && FileCheck %s < %t/k.cu
// RUN: FileCheck --check-prefix=HOST %s < %t/host.cu
// RUN: %clang_cuda_ptx %t/k.cu && %clang_cuda_ptx -DREAL=double %t/k.cu && %clang_cuda_ptx -DREAL=double -DHONE_OFF %t/k.cu
// CHECK: constexpr bool kValuesHold = sizeof(REAL) == 4 && (REAL)0.5 != 0;
// CHECK: void kernel(const REAL* a, REAL* b, REAL f, int n
// CHECK: void scale_launch(dim3 grid, dim3 block, size_t shared, cudaStream_t stream, const REAL* a, REAL* b, REAL f
// HOST: void scale_launch(dim3 grid, dim3 block, size_t shared, cudaStream_t stream, const float* a, float* b, float f
#ifndef REAL
#define REAL float
#endif
__global__ void scale(const REAL* a, REAL* b, REAL f, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) b[i] = a[i] * f;
}
