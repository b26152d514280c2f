// RUN: %hone opt %s --recipe '' -o %t.cu 2> /dev/null
// RUN: FileCheck %s < %t.cu
// RUN: %clang_cuda_ptx %t.cu
#define AT(m, y, x) m[(y) * W + (x)]
#define W 64
__device__ float corner(const float* m) { return AT(m, 0, 0) + AT(m, W - 1, W - 1); }
__global__ void copy(const float* a, float* b) {
  AT(b, blockIdx.x, threadIdx.x) = AT(a, blockIdx.x, threadIdx.x) + corner(a);
}
#undef AT
// CHECK: #define AT(m, y, x) m[(y) * W + (x)]
// CHECK-NEXT: #define W 64
// CHECK-NEXT: __device__ float corner(const float* m) { return AT(m, 0, 0) + AT(m, W - 1, W - 1); }
// CHECK-NEXT: __global__ void copy(const float* a, float* b) {
// CHECK-NEXT:   b[blockIdx.x * W + threadIdx.x] = a[blockIdx.x * W + threadIdx.x] + corner(a);
// CHECK-NEXT: }
// CHECK-NEXT: #undef AT
