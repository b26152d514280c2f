// What kernels that a program compiled do wrong is reported by the names that the program gave its text and its headers, and their lines.
// RUN: rm -rf %t && mkdir %t && cd %t && %hone build %s -o program -lnvrtc -lcuda && not ./program 2>&1 | FileCheck %s
#include <cuda.h>
#include <nvrtc.h>
#include <string>

const char* const source = R"(#include "store.h"
extern "C" __global__ void reverse(float* x) {
  __shared__ float tile[32];
  tile[threadIdx.x % 32] = x[threadIdx.x];
  store(x, tile[31 - threadIdx.x % 32]);
  if (threadIdx.x == 0) printf("in %s:%d\n", __FILE__, __LINE__);
}
)";
const char* const header = "__device__ void store(float* x, float v) {\n  x[threadIdx.x + 1] = v;\n}\n";
const char* const headerName = "store.h";

int main() {
  cuInit(0);
  CUdevice device;
  CUcontext context;
  cuDeviceGet(&device, 0);
  cuCtxCreate(&context, 0, device);
  nvrtcProgram program;
  nvrtcCreateProgram(&program, source, "folder/reverse.cu", 1, &header, &headerName);
  nvrtcCompileProgram(program, 0, nullptr);
  size_t size;
  nvrtcGetPTXSize(program, &size);
  std::string ptx(size, 0);
  nvrtcGetPTX(program, &ptx[0]);
  CUmodule module;
  CUfunction reverse;
  cuModuleLoadData(&module, ptx.data());
  cuModuleGetFunction(&reverse, module, "reverse");
  CUdeviceptr x;
  cuMemAlloc(&x, 64 * sizeof(float));
  cuMemsetD32(x, 0, 64);
  void* arguments[] = {&x};
  // CHECK-DAG: {{^}}in folder/reverse.cu:6
  // CHECK-DAG: {{^}}folder/reverse.cu:4:{{.*}}race in global memory
  // CHECK-DAG: {{^}}store.h:2: error: out of bounds
  cuLaunchKernel(reverse, 1, 1, 1, 64, 1, 1, 0, nullptr, arguments, nullptr);
  cuCtxSynchronize();
}
