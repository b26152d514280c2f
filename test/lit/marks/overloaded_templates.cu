// Templates of one name have templates of launch functions of their own, and each of their instantiations may be made anew by itself.
// RUN: rm -rf %t && mkdir %t && cp %s %t/k.cu
// RUN: %hone opt %t/k.cu --recipe 'block(x=64)' --kernel 'scale<double>' --in-place --no-verify && %clang_cuda_ptx %t/k.cu
// RUN: %hone opt %t/k.cu --recipe 'block(x=64)' --kernel 'scale<float>' --in-place --no-verify && %clang_cuda_ptx %t/k.cu
// RUN: %unmarked %t/k.cu | FileCheck %s
// RUN: %hone opt %t/k.cu --recipe 'block(x=32)' --kernel 'scale<double>' --in-place --no-verify && %clang_cuda_ptx %t/k.cu
// RUN: %hone revert %t/k.cu && cmp %t/k.cu %s
template <typename T>
__global__ void scale(T* x, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[i] *= 2;
}
// CHECK: inline void scale[[ONE:(_2)?]]_launch<float>(dim3 grid
template <typename T>
__global__ void scale(T* x, T* y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[i] *= y[i];
}
// CHECK: inline void scale[[TWO:(_2)?]]_launch<double>(dim3 grid
template <typename T>
void anyScale(T* x, int n) {
  // CHECK: scale[[ONE]]_launch(n / 32, 32, 0, 0, x, n);
  scale<<<n / 32, 32>>>(x, n);
}
void run(float* x, double* y, int n) {
  anyScale(x, n);
  // CHECK: scale[[TWO]]_launch(n / 32, 32, 0, 0, y, y, n);
  scale<<<n / 32, 32>>>(y, y, n);
}
