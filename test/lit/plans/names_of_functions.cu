// Code that comes out of device functions may use names that mean nothing in the kernel: then it is printed without them.
// RUN: %hone opt %s --recipe 'block(x=32)' -o %t.cu 2>&1 | FileCheck --check-prefix=REMARK %s
// RUN: FileCheck %s < %t.cu
// RUN: %clang_cuda_ptx %t.cu
// RUN: %hone opt %s --recipe inline 2>/dev/null | FileCheck --check-prefix=INLINE %s
template <typename T, int N>
__device__ T third(T* p) {
  T sum = 0;
  for (int i = 0; i < N; ++i) sum += p[i];
  return sum;
}
// REMARK: kernel `k`: rewritten beside the original
__global__ void k(float* p, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) p[i + 3] = third<float, 3>(p);
}
// CHECK: namespace k_hone {
// CHECK: float sum = 0;
// CHECK: < 3; ++
// INLINE: __global__ void k(float* p, int n) {
// INLINE: float sum = 0;
// INLINE: < 3; ++
