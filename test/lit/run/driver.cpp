// The driver API: modules that `hone build -fatbin` (-cubin, -ptx) makes, launches with arguments and with a block of them, variables,
// errors; PTX of another compiler is refused with a word.
// RUN: rm -rf %t && mkdir %t && cd %t
// RUN: %hone build -fatbin %S/Inputs/driver/kernels.cu && %hone build -ptx %S/Inputs/driver/kernels.cu -o other.module
// RUN: printf '// text\n.version 8.0\n.target sm_80\n' > foreign.ptx
// RUN: %hone build %s -o program -lcuda && ./program kernels.fatbin 2>&1 | FileCheck %s
// RUN: ./program other.module 2>&1 | FileCheck %s
#include <cuda.h>
#include <cstdio>

const char* name(CUresult status) {
  const char* text;
  cuGetErrorName(status, &text);
  return text;
}

int main(int, char** argv) {
  cuInit(0);
  CUdevice device;
  CUcontext context;
  CUmodule module, none;
  CUfunction scale;
  cuDeviceGet(&device, 0);
  int lanes;
  cuDeviceGetAttribute(&lanes, CU_DEVICE_ATTRIBUTE_WARP_SIZE, device);
  cuCtxCreate(&context, 0, device);
  // CHECK: 32 lanes, module CUDA_SUCCESS
  printf("%d lanes, module %s\n", lanes, name(cuModuleLoad(&module, argv[1])));
  // CHECK: function CUDA_SUCCESS, other CUDA_ERROR_NOT_FOUND
  printf("function %s", name(cuModuleGetFunction(&scale, module, "scale")));
  CUfunction other;
  printf(", other %s\n", name(cuModuleGetFunction(&other, module, "unknown")));
  int n = 40;
  float host[40];
  for (int i = 0; i < n; ++i) host[i] = float(i);
  CUdeviceptr x, factor;
  size_t bytes;
  cuMemAlloc(&x, sizeof host);
  cuMemcpyHtoD(x, host, sizeof host);
  void* arguments[] = {&x, &n};
  // CHECK: launch CUDA_SUCCESS
  printf("launch %s\n", name(cuLaunchKernel(scale, 2, 1, 1, 32, 1, 1, 0, nullptr, arguments, nullptr)));
  cuModuleGetGlobal(&factor, &bytes, module, "factor");
  const float three = 3;
  cuMemcpyHtoD(factor, &three, bytes);
  struct {
    CUdeviceptr x;
    int n;
  } block = {x, n};
  size_t size = sizeof block;
  void* extra[] = {CU_LAUNCH_PARAM_BUFFER_POINTER, &block, CU_LAUNCH_PARAM_BUFFER_SIZE, &size, CU_LAUNCH_PARAM_END};
  cuLaunchKernel(scale, 2, 1, 1, 32, 1, 1, 0, nullptr, nullptr, extra);
  cuCtxSynchronize();
  cuMemcpyDtoH(host, x, sizeof host);
  // CHECK: 234, variable of 4 bytes
  printf("%g, variable of %zu bytes\n", host[39], bytes);
  // CHECK: block of 4096: CUDA_ERROR_INVALID_VALUE
  printf("block of 4096: %s\n", name(cuLaunchKernel(scale, 1, 1, 1, 4096, 1, 1, 0, nullptr, arguments, nullptr)));
  fflush(stdout);
  // CHECK: hone: the module is PTX of another compiler, which cannot run on the embedded device; `hone build -fatbin`
  const CUresult ptx = cuModuleLoad(&none, "foreign.ptx");
  const CUresult gone = cuModuleLoad(&none, "gone.cubin");
  // CHECK: CUDA_ERROR_INVALID_PTX CUDA_ERROR_FILE_NOT_FOUND
  printf("%s %s\n", name(ptx), name(gone));
  cuMemFree(x);
  cuCtxDestroy(context);
}
