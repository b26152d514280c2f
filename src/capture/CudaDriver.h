// What the recorder asks of the driver, which the program has loaded; functions that an old one lacks are
// null.
#pragma once

#include <cuda.h>
#include <dlfcn.h>

namespace hone::capture {

struct CudaDriver {
  decltype(&cuFuncGetParamInfo) funcGetParamInfo = nullptr;
  decltype(&cuKernelGetParamInfo) kernelGetParamInfo = nullptr;
  decltype(&cuFuncGetName) funcGetName = nullptr;
  decltype(&cuKernelGetName) kernelGetName = nullptr;
  decltype(&cuPointerGetAttribute) pointerGetAttribute = nullptr;
  decltype(&cuStreamIsCapturing) streamIsCapturing = nullptr;
  decltype(&cuDeviceGetName) deviceGetName = nullptr;
  decltype(&cuMemcpyDtoHAsync) memcpyDtoHAsync = nullptr;
  decltype(&cuStreamSynchronize) streamSynchronize = nullptr;

  CudaDriver() {
    void* library = dlopen("libcuda.so.1", RTLD_LAZY | RTLD_NOLOAD);
    if (!library) library = dlopen("libcuda.so.1", RTLD_LAZY);
    if (!library) return;
    find(library, "cuFuncGetParamInfo", funcGetParamInfo);
    find(library, "cuKernelGetParamInfo", kernelGetParamInfo);
    find(library, "cuFuncGetName", funcGetName);
    find(library, "cuKernelGetName", kernelGetName);
    find(library, "cuPointerGetAttribute", pointerGetAttribute);
    find(library, "cuStreamIsCapturing", streamIsCapturing);
    find(library, "cuDeviceGetName", deviceGetName);
    find(library, "cuMemcpyDtoHAsync_v2", memcpyDtoHAsync);
    find(library, "cuStreamSynchronize", streamSynchronize);
  }

 private:
  template <typename Function>
  static void find(void* library, const char* name, Function& out) {
    out = reinterpret_cast<Function>(dlsym(library, name));
  }
};

}  // namespace hone::capture
