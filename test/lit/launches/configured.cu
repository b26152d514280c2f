// cudaLaunchKernelEx, where its configuration is known to have no attributes.
// RUN: %hone opt %s --recipe 'block(x=64)' -o %t.cu 2>&1 | FileCheck --check-prefix=REMARK %s
// RUN: %unmarked %t.cu | FileCheck %s
// RUN: %clang_cuda_ptx %t.cu
// REMARK: kernel `scale`: rewritten beside the original; 3 of 6 launches now call scale_launch
__global__ void scale(const float* a, float* b, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) b[i] = a[i] * 2.0f;
}
void change(cudaLaunchConfig_t* c);
// CHECK: cudaError_t plain
cudaError_t plain(float* a, float* b, int n, cudaStream_t s) {
  cudaLaunchConfig_t config = {0};
  config.gridDim = dim3((n + 255) / 256);
  config.blockDim.x = 256;
  config.stream = s;
  cudaLaunchKernelEx(&config, scale, a, b, n);
  // CHECK: scale_launch(config.gridDim, config.blockDim, config.dynamicSmemBytes, config.stream, a, b, n);
  return cudaLaunchKernelEx(&config, scale, (const float*)a, b, /* less */ n - 1);
  // CHECK: return (cudaPeekAtLastError() == cudaSuccess ? (/* less */ scale_launch(config.gridDim, config.blockDim, config.dynamicSmemBytes, config.stream, (const float*)a, b, n - 1), cudaPeekAtLastError()) : cudaLaunchKernelEx(&config, scale, (const float*)a, b, /* less */ n - 1));
}
// CHECK: void unset
void unset(float* a, float* b, int n) {
  cudaLaunchConfig_t config;
  config.gridDim = config.blockDim = 32;
  config.dynamicSmemBytes = 0;
  config.stream = nullptr;
  config.numAttrs = 0;
  cudaLaunchKernelEx(&config, scale, a, b, n);
  // CHECK: scale_launch(config.gridDim, config.blockDim, config.dynamicSmemBytes, config.stream, a, b, n);
}
// CHECK: void more
void more(float* a, float* b, int n, cudaLaunchConfig_t* given) {
  cudaLaunchConfig_t config = {0};
  cudaLaunchAttribute attribute[1];
  config.gridDim = config.blockDim = 32;
  config.attrs = attribute;
  config.numAttrs = 1;
  // REMARK: configured.cu:[[#@LINE+1]]: kernel `scale`: launch left as it is: its configuration may have attributes, which a launch function does not take
  cudaLaunchKernelEx(&config, scale, a, b, n);
  // CHECK: cudaLaunchKernelEx(&config, scale, a, b, n);
  cudaLaunchConfig_t other = {0};
  change(&other);
  // REMARK: configured.cu:[[#@LINE+1]]: kernel `scale`: launch left as it is: its configuration may have attributes
  cudaLaunchKernelEx(&other, scale, a, b, n);
  // REMARK: configured.cu:[[#@LINE+1]]: kernel `scale`: launch left as it is: its configuration may have attributes
  cudaLaunchKernelEx(given, scale, a, b, n);
}
