// RUN: %hone opt %s --recipe inline -o %t.cu 2>&1 | FileCheck --check-prefix=REMARK %s
// RUN: FileCheck %s < %t.cu
// RUN: %clang_cuda_ptx %t.cu
// RUN: %hone opt %s --recipe 'inline(all=1)' 2> /dev/null | FileCheck --check-prefix=ALL %s

__device__ float square(float x) { return x * x; }
__device__ void store(float* to, float value) {
  to[blockIdx.x * blockDim.x + threadIdx.x] = value;
}

// REMARK: inline.cu:[[@LINE+2]]: kernel `f`: inlined `store`
// REMARK-NEXT: inline.cu:[[@LINE+1]]: kernel `f`: rewritten
__global__ void f(float* out, float value) {
  store(out, square(value));
}
// CHECK: __global__ void f(float* out, float value) {
// CHECK-NOT: store(
// CHECK: out[blockIdx.x * blockDim.x + threadIdx.x] = {{.*}}
// CHECK: }

// ALL: __global__ void f(float* out, float value) {
// ALL-NOT: square(
// ALL: #else

// REMARK: kernel `g`: note: calls no function that touches memory, coordinates or barriers
__global__ void g(float* out) { out[0] = square(out[1]); }
// A recipe that does nothing to a kernel changes none of its bytes.
// CHECK: __global__ void g(float* out) { out[0] = square(out[1]); }
