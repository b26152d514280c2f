// Explicit specializations, and loops of which several iterations are done at once.
// RUN: %hone opt %s --recipe 'block(x=64)' --kernel 'grow<float>' --kernel 'shrink<float>' -o %t.cu 2>&1 | FileCheck --check-prefix=REMARK %s
// RUN: %unmarked %t.cu | FileCheck %s
// RUN: %clang_cuda_ptx -I %S %t.cu
// RUN: %hone opt %s --recipe 'unroll-host-loop(count=3)' --kernel age -o %t.2.cu 2>&1 | FileCheck --check-prefix=LOOP %s
// RUN: %unmarked %t.2.cu | FileCheck --check-prefix=LOOPS %s
#include "Inputs/primary.cuh"
#define STEP 2
template <>
__global__ void grow<float>(float* x, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[i] += 2;
}
template <typename T>
__global__ void shrink(T* x, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[i] -= 1;
}
// CHECK: static inline void shrink_launch(
// CHECK: template <>
// CHECK-NEXT: __global__ void shrink<float>(
// CHECK: inline void shrink_launch<float>(
template <>
__global__ void shrink<float>(float* x, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[i] -= 2;
}
template <int N>
__global__ void age(float* x, int n, int step) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[i] = x[i] * 0.5f + step * N;
}
template <typename T>
void host(T* x, int n) {
  // REMARK-DAG: template_elsewhere.cu:[[#@LINE+1]]: kernel `grow<float>`: launch left as it is: its template stands in another file
  grow<T><<<n / 32, 32>>>(x, n);
  // REMARK-DAG: kernel `shrink<float>`: rewritten beside the original; 1 of 1 launch now calls shrink_launch<float>
  // CHECK: shrink_launch<T>(n / 32, 32, 0, 0, x, n);
  shrink<T><<<n / 32, 32>>>(x, n);
}
void run(float* x, double* y, int n) {
  host(x, n);
  host(y, n);
  // LOOPS: s = age_3_launch(2, 64, 0, 0, x, n, s);
  for (int s = 9; s >= 0; --s) age<3><<<2, 64>>>(x, n, s);
  // LOOP: template_elsewhere.cu:[[#@LINE+1]]: kernel `age<2>`: launch left as it is: what does several iterations is made for one instantiation, and it names its template arguments
  for (int s = 9; s >= 0; --s) age<STEP><<<2, 64>>>(x, n, s);
}
