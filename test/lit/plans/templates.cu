// Instantiations of a template get kernels and launch functions of their own; overloads too.
// RUN: %hone opt %s --recipe 'block(x=64)' -o %t.cu 2>&1 | FileCheck --check-prefix=REMARK %s
// RUN: %unmarked %t.cu | FileCheck %s
// RUN: %clang_cuda_ptx %t.cu
// REMARK-DAG: kernel `scale<float, 4>`: rewritten beside the original; 1 of 1 launch now calls scale_launch<float, 4>
// REMARK-DAG: kernel `scale<int, 2>`: rewritten beside the original; 1 of 1 launch now calls scale_launch<int, 2>
// REMARK-DAG: kernel `zero`: rewritten beside the original; 1 of 1 launch now calls zero_launch
// REMARK-DAG: kernel `zero`: rewritten beside the original; 1 of 1 launch now calls zero_2_launch

template <typename T, int N>
__global__ void scale(T* x, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  T factor = N;
  if (i < n) x[i] *= factor;
}
// CHECK: template <typename T, int N>
// CHECK-NEXT: __global__ void scale(T* x, int n) {
// CHECK-DAG: namespace scale_float_4_hone {
// CHECK-DAG: static __global__ __launch_bounds__(kBlockX) void kernel(float* x, int n
// CHECK-DAG: scale<float, 4><<<grid, block, shared, stream>>>(x, n);
// CHECK-DAG: inline void scale_launch<int, 2>(dim3 grid, dim3 block, size_t shared, cudaStream_t stream, int* x, int n

__global__ void zero(float* x, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[i] = 0;
}
__global__ void zero(int* x, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[i] = 0;
}

template <typename T>
void anyScale(T* x, int n) {
  scale<T, 2><<<n / 32, 32>>>(x, n);
}

void run(float* x, int* y, int n) {
  scale<float, 4><<<n / 32, 32>>>(x, n);
  (scale<int, 2>)<<<n / 32, 32>>>(y, n);
  zero<<<n / 32, 32>>>(x, n);
  zero<<<n / 32, 32>>>(y, n);
}
// CHECK: scale<T, 2><<<n / 32, 32>>>(x, n);
// CHECK: scale_launch<float, 4>(n / 32, 32, 0, 0, x, n);
// CHECK-NEXT: scale_launch<int, 2>(n / 32, 32, 0, 0, y, n);
// CHECK-NEXT: zero_launch(n / 32, 32, 0, 0, x, n);
// CHECK-NEXT: zero_2_launch(n / 32, 32, 0, 0, y, n);
