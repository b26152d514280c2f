// cudaLaunchKernel: the names of an array of arguments are written at the launch only where they mean the same there.
// RUN: %hone opt %s --recipe 'block(x=64)' -o %t.cu 2>&1 | FileCheck --check-prefix=REMARK %s
// RUN: FileCheck %s < %t.cu
// RUN: %clang_cuda_ptx %t.cu
// REMARK: kernel `scale`: rewritten beside the original; 3 of 9 launches now call scale_launch
__global__ void scale(const float* a, float* b, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) b[i] = a[i] * 2.0f;
}
namespace sizes {
int n = 5;
}

// CHECK: void inLoop
void inLoop(float* a, float* b, int n, cudaStream_t s) {
  void* args[] = {&a, &b, &n};
  // REMARK: captured.cu:[[#@LINE+1]]: kernel `scale`: launch left as it is: `n` means another variable there than in the array of its arguments
  for (int n = 0; n < 3; ++n) cudaLaunchKernel((const void*)scale, dim3(4), dim3(64), args, 0, s);
  // CHECK: for (int n = 0; n < 3; ++n) cudaLaunchKernel(
  for (int n = 0; n < 3; ++n) s = 0;
  cudaLaunchKernel((const void*)scale, dim3(4), dim3(64), args, 0, s);
  // CHECK: scale_launch(dim3(4), dim3(64), 0, s, a, b, n);
}
// CHECK: void inBlock
void inBlock(float* a, float* b, int n, cudaStream_t s) {
  const void* args[] = {&a, &b, &n};
  {
    float* a = b;
    // REMARK: captured.cu:[[#@LINE+1]]: kernel `scale`: launch left as it is: `a` means another
    cudaLaunchKernel((const void*)scale, dim3(4), dim3(64), (void**)args, 0, s);
    // CHECK: cudaLaunchKernel((const void*)scale
  }
}
// CHECK: cudaError_t ofItself
cudaError_t ofItself(float* a, float* b, int n, cudaStream_t s) {
  void* args[] = {&a, &b, &n};
  {
    // REMARK: captured.cu:[[#@LINE+1]]: kernel `scale`: launch left as it is: `n` means another
    cudaError_t n = cudaLaunchKernel((const void*)scale, dim3(4), dim3(64), args, 0, s);
    return n;
  }
}
// CHECK: void qualified
void qualified(float* a, float* b, cudaStream_t s) {
  void* args[] = {&a, &b, &sizes::n};
  cudaLaunchKernel((const void*)scale, dim3(4), dim3(64), args, 0, s);
  // CHECK: scale_launch(dim3(4), dim3(64), 0, s, a, b, sizes::n);
}
void otherStart(float* a, float* b, int n, cudaStream_t s) {
  void* args[] = {&s, &a, &b, &n};
  // REMARK: captured.cu:[[#@LINE+1]]: kernel `scale`: launch left as it is: its arguments cannot be read off
  cudaLaunchKernel((const void*)scale, dim3(4), dim3(64), &args[1], 0, s);
  static void* first[] = {&a, &b, &n};
  // REMARK: captured.cu:[[#@LINE+1]]: kernel `scale`: launch left as it is: its arguments cannot be read off
  cudaLaunchKernel((const void*)scale, dim3(4), dim3(64), first, 0, s);
}
auto inClosure(float* a, float* b, int n, cudaStream_t s) {
  void* args[] = {&a, &b, &n};
  // REMARK: captured.cu:[[#@LINE+1]]: kernel `scale`: launch left as it is: its arguments cannot be read off
  auto later = [=]() { cudaLaunchKernel((const void*)scale, dim3(4), dim3(64), (void**)args, 0, s); };
  n = 7;
  later();
  // The array is read when the grid has been computed.
  // CHECK: [&](dim3 grid, cudaStream_t stream) { scale_launch(grid, dim3(64), 0, stream, a, b, n); }(dim3(n = 4), s);
  cudaLaunchKernel((const void*)scale, dim3(n = 4), dim3(64), args, 0, s);
}
