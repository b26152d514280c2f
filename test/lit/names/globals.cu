// Globals of other namespaces, and those that variable templates make, are named as they must be.
// RUN: %hone opt %s --recipe 'block(x=64)' -o %t.cu 2>&1 | FileCheck --check-prefix=REMARK %s
// RUN: %unmarked %t.cu | FileCheck %s
// RUN: %clang_cuda_ptx %t.cu
// REMARK-DAG: kernel `weighted<float>`: rewritten beside the original; 1 of 1 launch now calls weighted_launch<float>
// REMARK-DAG: kernel `far`: rewritten beside the original; 1 of 1 launch now calls far_launch
// REMARK-DAG: kernel `near`: rewritten beside the original; 1 of 1 launch now calls tables::inner::near_launch
template <typename T>
__constant__ T weights[8];
template <typename T>
__global__ void weighted(T* x, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[i] *= weights<T>[i & 7];
}
// CHECK: namespace weighted_float_hone {
// CHECK: x[i] *= weights<float>[i & 7];
namespace tables {
__constant__ float ones[8];
namespace inner {
__constant__ float twos[8];
// CHECK: namespace near_hone {
// CHECK: x[i] *= ones[i & 7] + twos[i & 7];
__global__ void near(float* x, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[i] *= ones[i & 7] + twos[i & 7];
}
}  // namespace inner
}  // namespace tables
// CHECK: namespace far_hone {
// CHECK: x[i] *= tables::ones[i & 7] + tables::inner::twos[i & 7];
__global__ void far(float* x, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[i] *= tables::ones[i & 7] + tables::inner::twos[i & 7];
}
void run(float* x, int n) {
  weighted<<<n / 32, 32>>>(x, n);
  far<<<n / 32, 32>>>(x, n);
  tables::inner::near<<<n / 32, 32>>>(x, n);
}
