// Every way to write a launch, and those that cannot be patched, each with the reason.
// RUN: %hone opt %s --recipe 'block(x=64)' -o %t.cu 2>&1 | FileCheck --check-prefix=REMARK %s
// RUN: %unmarked %t.cu | FileCheck %s
// RUN: %clang_cuda_ptx -fgpu-rdc %t.cu
#define LAUNCH(k, ...) k<<<4, 32>>>(__VA_ARGS__)
#define CONFIG <<<4, 32>>>

namespace work {
__global__ void fill(float* x, int n, float value) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[i] = value;
}
}  // namespace work
// CHECK: namespace work {
// CHECK: namespace fill_hone {
// CHECK: static inline void fill_launch(
// CHECK: }  // namespace work

__global__ void more(int* x, int n = 8) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) ++x[i];
}

__global__ void copies(const float* from, float* to, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) to[i] = from[i];
}

// A pointer to const gets the address of one that may write.
void cooperates(float* from, float* to, int n) {
  void* given[] = {&from, &to, &n};
  cudaLaunchCooperativeKernel((const void*)copies, dim3(4), dim3(32), given, 0, 0);
  // CHECK: copies_launch(dim3(4), dim3(32), 0, 0, from, to, n);
}

cudaError_t launches(float* x, int* y, int n, cudaStream_t stream) {
  float value = 2;
  work::fill<<<4, 32>>>(x, n, 1);
  // CHECK: work::fill_launch(4, 32, 0, 0, x, n, 1);
  work::fill<<<4, 32, 128>>>(x, n, 1);
  // CHECK: work::fill_launch(4, 32, 128, 0, x, n, 1);
  using work::fill;
  (fill)<<<dim3(4, 1), 32, 0, stream>>>(x, n, 1);
  // CHECK: work::fill_launch(dim3(4, 1), 32, 0, stream, x, n, 1);
  void* arguments[] = {&x, &n, &value};
  cudaLaunchKernel((const void*)fill, dim3(4), dim3(32), arguments, 0, stream);
  // CHECK: (void)*arguments, work::fill_launch(dim3(4), dim3(32), 0, stream, x, n, value);
  cudaError_t status = cudaLaunchKernel((void*)&fill, 4, 32, arguments, 0, stream);
  // CHECK: cudaError_t status = (cudaPeekAtLastError() == cudaSuccess ? (work::fill_launch(4, 32, 0, stream, x, n, value), cudaPeekAtLastError()) : cudaLaunchKernel((void*)&fill, 4, 32, arguments, 0, stream));
  if (status != cudaSuccess) return status;

  // REMARK-DAG: launch_forms.cu:[[#@LINE+1]]: kernel `fill`: launch left as it is: it comes out of a macro; to use the new kernel write work::fill_launch(
  LAUNCH(work::fill, x, n, 3);
  // CHECK: LAUNCH(work::fill, x, n, 3);
  void* later[] = {&x, &n, &value};
  later[1] = &n;
  // REMARK-DAG: launch_forms.cu:[[#@LINE+1]]: kernel `fill`: launch left as it is: its arguments cannot be read off
  return cudaLaunchKernel((void*)fill, 4, 32, later, 0, stream);
}

void defaults(int* y) {
  more<<<1, 32>>>(y);
  // CHECK: more_launch(1, 32, 0, 0, y, 8);
  // REMARK-DAG: launch_forms.cu:[[#@LINE+1]]: kernel `more`: launch left as it is: parts of it come out of a macro
  more CONFIG(y, 4);
}
// REMARK-DAG: kernel `fill`: rewritten beside the original; 5 of 8 launches now call work::fill_launch
// REMARK-DAG: kernel `more`: rewritten beside the original; 1 of 2 launches now calls more_launch

// CHECK: void onDevice
__global__ void onDevice(float* x) {
  // REMARK-DAG: launch_forms.cu:[[#@LINE+1]]: kernel `fill`: launch left as it is: it stands in device code
  work::fill<<<1, 32>>>(x, 32, 0);
  // CHECK: work::fill<<<1, 32>>>(x, 32, 0);
}
