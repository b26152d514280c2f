// RUN: rm -rf %t && mkdir %t && cp %s %t/k.cu
// RUN: %hone opt %t/k.cu --recipe '' -o %t/out.cu 2>&1 | FileCheck --check-prefix=REMARK %s
// RUN: FileCheck %s < %t/out.cu
// RUN: %clang_cuda_ptx %t/out.cu
// A second time the specializations are kernels of their own and come out the same.
// RUN: %hone opt %t/out.cu --recipe '' 2> /dev/null | cmp - %t/out.cu

// REMARK-DAG: kernel `scale<float, 4>`: re-emitted as an explicit specialization
// REMARK-DAG: kernel `scale<int, 2>`: re-emitted as an explicit specialization
// REMARK-DAG: kernel `unused`: left alone: template that nothing in this file instantiates

template <typename T, int N>
__global__ void scale(T* x) {  // the primary template stays as it is
  for (int i=0;i<N;++i) x[threadIdx.x*N+i]*=N;
}  // scale

// CHECK: __global__ void scale(T* x) {  // the primary template stays as it is
// CHECK-NEXT: for (int i=0;i<N;++i) x[threadIdx.x*N+i]*=N;
// CHECK-NEXT: }  // scale
// CHECK-DAG: // scale<float, 4>, made from the template above.
// CHECK-DAG: __global__ void scale<float, 4>(float* x) {
// CHECK-DAG: // scale<int, 2>, made from the template above.
// CHECK-DAG: __global__ void scale<int, 2>(int* x) {

template <typename T>
__global__ void unused(T* x) {
  x[0] = 1;
}

void run(float* x, int* y) {
  scale<float, 4><<<1, 32>>>(x);
  (scale<int, 2>)<<<1, 32>>>(y);
}
